"use strict";
(() => {
  const points = JSON.parse(document.getElementById("points").textContent);
  const canvas = document.getElementById("scatter");
  const list = document.getElementById("groups");
  const pen = canvas.getContext("2d", { willReadFrequently: true });  // pixels are written, not drawn
  const count = points.names.length;
  const shown = new Array(count).fill(true);
  // Golden-angle steps around the wheel keep neighbouring groups apart, whatever their number.
  const colour = (group) => `hsl(${(group * 137.508 + 210) % 360} 65% ${45 + (group % 3) * 8}%)`;
  // One list of rows a group, so that a group is drawn in one go and in one colour.
  const rows = Array.from({ length: count }, () => []);
  points.group.forEach((group, row) => rows[group].push(row));
  const view = { x: 4999.5, y: 4999.5, zoom: 1 };
  let waiting = false;

  // Numbers of pixels are written as they are in memory: tens of thousands of rectangles would take too long.
  const pixel = Array.from({ length: count }, (_, group) => {
    pen.fillStyle = colour(group);
    pen.fillRect(0, 0, 1, 1);
    return new Uint32Array(pen.getImageData(0, 0, 1, 1).data.buffer)[0];
  });

  function draw() {
    waiting = false;
    const scale = window.devicePixelRatio || 1;
    const width = Math.round(canvas.clientWidth * scale), height = Math.round(canvas.clientHeight * scale);
    if (canvas.width !== width) canvas.width = width;
    if (canvas.height !== height) canvas.height = height;
    const image = pen.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const unit = (Math.min(width, height) - 24 * scale) / 9999 * view.zoom;
    const size = Math.round(scale * Math.max(1, Math.min(6, 150 / Math.sqrt(points.shown) * Math.sqrt(view.zoom))));
    const left = width / 2 - view.x * unit - size / 2, top = height / 2 + view.y * unit - size / 2;
    for (let group = 0; group < count; group += 1) {
      if (!shown[group]) continue;
      const value = pixel[group];
      for (const row of rows[group]) {
        const x = Math.round(left + points.x[row] * unit), y = Math.round(top - points.y[row] * unit);
        if (x < 0 || y < 0 || x + size > width || y + size > height) continue;
        for (let line = y * width + x, end = line + size * width; line < end; line += width) pixels.fill(value, line, line + size);
      }
    }
    pen.putImageData(image, 0, 0);
    canvas.dataset.view = [view.x.toFixed(1), view.y.toFixed(1), view.zoom.toFixed(3)].join(" ");
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  const perPixel = () => 9999 / (Math.min(canvas.clientWidth, canvas.clientHeight) - 24) / view.zoom;
  function move(right, down) { view.x -= right * perPixel(); view.y += down * perPixel(); redraw(); }
  function zoom(factor) { view.zoom = Math.max(0.5, Math.min(200, view.zoom * factor)); redraw(); }
  function all() { Object.assign(view, { x: 4999.5, y: 4999.5, zoom: 1 }); redraw(); }

  const keys = {
    ArrowLeft: () => move(40, 0), ArrowRight: () => move(-40, 0), ArrowUp: () => move(0, 40), ArrowDown: () => move(0, -40),
    "+": () => zoom(1.25), "=": () => zoom(1.25), "-": () => zoom(0.8), 0: all,
  };
  canvas.addEventListener("keydown", (event) => {
    if (keys[event.key]) { keys[event.key](); event.preventDefault(); }
  });
  canvas.addEventListener("wheel", (event) => { zoom(Math.exp(-event.deltaY / 400)); event.preventDefault(); }, { passive: false });
  const held = new Map();
  canvas.addEventListener("pointerdown", (event) => { held.set(event.pointerId, event); canvas.setPointerCapture(event.pointerId); });
  canvas.addEventListener("pointermove", (event) => {
    const before = held.get(event.pointerId);
    if (!before) return;
    if (held.size === 2) {  // two fingers
      const other = [...held.values()].find((one) => one.pointerId !== event.pointerId);
      const distance = (one) => Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY);
      zoom(distance(event) / Math.max(1, distance(before)));
    } else {
      move(event.clientX - before.clientX, event.clientY - before.clientY);
    }
    held.set(event.pointerId, event);
  });
  for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, (event) => held.delete(event.pointerId));

  points.names.forEach((name, group) => {
    const item = document.createElement("li"), button = document.createElement("button"), dot = document.createElement("i");
    dot.style.background = colour(group);
    button.type = "button";
    button.setAttribute("aria-pressed", "true");
    button.append(dot, `${name} (${rows[group].length.toLocaleString("en")})`);
    button.addEventListener("click", () => {
      shown[group] = !shown[group];
      button.setAttribute("aria-pressed", String(shown[group]));
      redraw();
    });
    item.append(button);
    list.append(item);
  });
  new ResizeObserver(redraw).observe(canvas);
  redraw();
})();
