// Moving and zooming, by keys, wheel, mouse and fingers.

function move(right, below) { view.x -= right / unit(); view.y += below / unit(); redraw(); }
function zoomBy(factor, px = view.x, py = view.y) {  // the point (px, py) stays where it is
  const zoom = Math.max(0.5, Math.min(200, view.zoom * factor)), part = view.zoom / zoom;
  Object.assign(view, { zoom, x: px + (view.x - px) * part, y: py + (view.y - py) * part });
  redraw();
}
function showAll() { Object.assign(view, everything); redraw(); }
const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
const keys = {
  "+": () => zoomBy(1.25), "=": () => zoomBy(1.25), "-": () => zoomBy(0.8), 0: showAll, Escape: () => tell(-1),
  Enter: () => tell(nearest(() => true, distanceTo(view.x, view.y)), true),
};
canvas.addEventListener("keydown", (event) => {
  const arrow = arrows[event.key];
  if (arrow && event.shiftKey) step(...arrow);
  else if (arrow) move(-40 * arrow[0], 40 * arrow[1]);
  else if (keys[event.key]) keys[event.key]();
  else return;
  event.preventDefault();
});
canvas.addEventListener("wheel", (event) => {
  if (!event.ctrlKey && !event.metaKey && document.activeElement !== canvas) return;  // the page scrolls
  const box = canvas.getBoundingClientRect();
  const right = (event.clientX - box.left - canvas.clientWidth / 2) / unit();
  const below = (event.clientY - box.top - canvas.clientHeight / 2) / unit();
  zoomBy(Math.exp(-event.deltaY / 400), view.x + right, view.y - below);
  event.preventDefault();
}, { passive: false });
const held = new Map();
let pressed = null;  // where the pointer went down, until it has moved away from there
canvas.addEventListener("pointerdown", (event) => {
  held.set(event.pointerId, event);
  canvas.setPointerCapture(event.pointerId);
  pressed = held.size === 1 ? event : null;
});
canvas.addEventListener("pointermove", (event) => {
  const before = held.get(event.pointerId);
  if (!before) {
    if (!isKept) tell(rowAt(event));
    return;
  }
  if (pressed && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) > 4) pressed = null;
  if (held.size === 2) {  // two fingers
    const other = [...held.values()].find((one) => one.pointerId !== event.pointerId);
    const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
    zoomBy(distance(event) / Math.max(1, distance(before)));
  } else if (!pressed) {
    move(event.clientX - before.clientX, event.clientY - before.clientY);
  }
  held.set(event.pointerId, event);
});
canvas.addEventListener("pointerup", (event) => {
  if (pressed) tell(rowAt(event), true);
  held.delete(event.pointerId);
});
canvas.addEventListener("pointercancel", (event) => held.delete(event.pointerId));
canvas.addEventListener("pointerleave", () => { if (!isKept && held.size === 0) tell(-1); });
for (const button of document.querySelectorAll("[data-zoom]")) {
  const factor = Number(button.dataset.zoom);
  button.addEventListener("click", () => (factor ? zoomBy(factor) : showAll()));
}
