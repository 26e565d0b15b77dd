// The row that is told: the nearest one, and its values beside its point.

function place() {  // beside its point, within the map
  if (marked < 0) return;
  const right = across(x[marked]) + 14, top = down(y[marked]) + 14;
  const isLeft = right + told.offsetWidth > canvas.clientWidth, isAbove = top + told.offsetHeight > canvas.clientHeight;
  told.style.left = `${Math.max(2, isLeft ? right - told.offsetWidth - 28 : right)}px`;
  told.style.top = `${Math.max(2, isAbove ? top - told.offsetHeight - 28 : top)}px`;
}

const N_TOLD = 7;  // groups, scores and the most different columns
const make = (kind, text = "") => Object.assign(document.createElement(kind), { textContent: text });
const pixels = data.pictures ? unpack(data.pictures.pixels) : null;
function pictureOf(row) {
  const [height, width, nColours] = data.pictures.shape, size = height * width * nColours;
  const picture = Object.assign(document.createElement("canvas"), { width, height });
  const paper = picture.getContext("2d"), image = paper.createImageData(width, height);
  for (let pixel = 0; pixel < height * width; pixel += 1) {
    const at = row * size + pixel * nColours;
    for (let colour = 0; colour < 3; colour += 1) image.data[4 * pixel + colour] = pixels[at + colour % nColours];
    image.data[4 * pixel + 3] = 255;
  }
  paper.putImageData(image, 0, 0);
  return picture;
}
function tellValues() {
  if (marked < 0) return told.replaceChildren();
  const shown = [...new Set([...colourings.filter((one) => one.section !== "levels").slice(0, N_TOLD), chosen])];
  const lines = shown.map((one) => make("div", `${one.title}: ${describe(one, marked)}`));
  return told.replaceChildren(make("b", data.ids[marked]), ...(pixels ? [pictureOf(marked)] : []), ...lines);
}
function tell(row, keep) {
  isKept = keep && row >= 0;
  if (row === marked) return;
  marked = row;
  tellValues();
  redraw(true);
}

function nearest(isEligible, distance) {
  let best = -1, least = Infinity;
  for (let row = 0; row < count; row += 1) {
    if (tint[row] === 0 || !isPlaced(row) || !isEligible(row)) continue;
    const own = distance(row);
    if (own < least) { least = own; best = row; }
  }
  return best;
}
const distanceTo = (px, py) => (row) => Math.hypot(x[row] - px, y[row] - py);
function rowAt(event) {
  const box = canvas.getBoundingClientRect();
  const px = view.x + (event.clientX - box.left - canvas.clientWidth / 2) / unit();
  const py = view.y - (event.clientY - box.top - canvas.clientHeight / 2) / unit();
  const distance = distanceTo(px, py), reach = 12 / unit();
  return nearest((row) => distance(row) <= reach, distance);
}
function step(right, up) {  // to the next row at the same place, or to the nearest one in a direction
  if (marked < 0) return tell(nearest(() => true, distanceTo(view.x, view.y)), true);
  const along = (row) => (x[row] - x[marked]) * right + (y[row] - y[marked]) * up;
  const aside = (row) => Math.abs((x[row] - x[marked]) * up - (y[row] - y[marked]) * right);
  const isBehind = (row) => distance(row) === 0 && (row - marked) * (right + up) > 0;
  const distance = distanceTo(x[marked], y[marked]), behind = nearest(isBehind, (row) => Math.abs(row - marked));
  const next = behind >= 0 ? behind : nearest((row) => along(row) > 0 && aside(row) <= along(row), distance);
  if (next >= 0) show(next, view.zoom);
}
function show(row, zoom) {
  if (!isPlaced(row)) return;
  if (tint[row] === 0) reveal(row);
  tell(row, true);
  if (Math.abs(across(x[row]) - canvas.clientWidth / 2) > canvas.clientWidth * 0.4
    || Math.abs(down(y[row]) - canvas.clientHeight / 2) > canvas.clientHeight * 0.4 || zoom !== view.zoom) {
    Object.assign(view, { x: x[row], y: y[row], zoom });
  }
  redraw();
}
