// Drawing, once a frame: all points as pixels of one image, then names and the mark of a row.

const bounds = { x: [SIDE, 0], y: [SIDE, 0] };  // the smallest and the largest coordinate
for (let row = 0; row < count; row += 1) {
  if (!isPlaced(row)) continue;
  for (const [ends, value] of [[bounds.x, x[row]], [bounds.y, y[row]]]) {
    if (value < ends[0]) ends[0] = value;
    if (value > ends[1]) ends[1] = value;
  }
}
const spans = [bounds.x, bounds.y].map(([low, high]) => Math.max(1, high - low));
const everything = { x: (bounds.x[0] + bounds.x[1]) / 2, y: (bounds.y[0] + bounds.y[1]) / 2, zoom: 1 };
const view = { ...everything };
let image = null, isWaiting = false, marked = -1, isKept = false;
const ratio = () => window.devicePixelRatio || 1;
// pixels of the page, of which a screen may have more, for a step of the coordinates
const unit = () => Math.min((canvas.clientWidth - 28) / spans[0], (canvas.clientHeight - 28) / spans[1]) * view.zoom;
const across = (value) => canvas.clientWidth / 2 + (value - view.x) * unit();
const down = (value) => canvas.clientHeight / 2 - (value - view.y) * unit();
const radius = () => Math.max(1.1, Math.min(5, (130 / Math.sqrt(count)) * Math.sqrt(view.zoom)));

function disc(size) {  // pixels of a point, with the share of each that it covers
  const parts = [], reach = Math.ceil(size);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      const share = Math.max(0, Math.min(1, size + 0.5 - Math.hypot(dx, dy)));
      if (share > 0) parts.push({ dx, dy, share: Math.round(256 * share) });
    }
  }
  return { parts, reach };
}

function paint() {
  const scale = ratio(), { width, height } = canvas;
  image = pen.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer), { parts, reach } = disc(radius() * scale);
  const step = unit() * scale, left = width / 2 - view.x * step, top = height / 2 + view.y * step;
  pixels.fill(pixel(getComputedStyle(canvas).backgroundColor.match(/\d+/g).map(Number)));
  for (let place = 0; place < count; place += 1) {
    const row = order[place], colour = tint[row];
    if (colour === 0 || !isPlaced(row)) continue;
    const column = Math.round(left + x[row] * step), line = Math.round(top - y[row] * step);
    if (column < reach || line < reach || column + reach >= width || line + reach >= height) continue;
    const middle = line * width + column;
    for (const { dx, dy, share } of parts) {
      const at = middle + dy * width + dx, below = pixels[at];
      const redBlue = ((below & 0xff00ff) * (256 - share) + (colour & 0xff00ff) * share) >>> 8;
      const green = ((below & 0xff00) * (256 - share) + (colour & 0xff00) * share) >>> 8;
      pixels[at] = (0xff000000 | (redBlue & 0xff00ff) | (green & 0xff00)) >>> 0;
    }
  }
}

function drawNames() {  // of groups, where their middle row is: colours alone would not tell many apart
  const style = getComputedStyle(document.body);
  pen.font = `600 ${13 * ratio()}px system-ui, sans-serif`;
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.lineWidth = 4 * ratio();
  pen.lineJoin = "round";
  pen.strokeStyle = getComputedStyle(canvas).backgroundColor;
  pen.fillStyle = style.color;
  for (const [group, row] of chosen.middles) {
    if (hidden.has(group)) continue;
    const name = chosen.names[group].slice(0, 24), place = [across(x[row]) * ratio(), down(y[row]) * ratio()];
    pen.strokeText(name, ...place);
    pen.fillText(name, ...place);
  }
}

function draw() {
  isWaiting = false;
  const width = Math.round(canvas.clientWidth * ratio()), height = Math.round(canvas.clientHeight * ratio());
  if (width === 0 || height === 0) return;
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  if (!image || image.width !== width || image.height !== height) paint();
  pen.putImageData(image, 0, 0);
  if (chosen.codes) drawNames();
  if (marked >= 0) {
    pen.beginPath();
    pen.arc(across(x[marked]) * ratio(), down(y[marked]) * ratio(), (radius() + 5) * ratio(), 0, 2 * Math.PI);
    pen.lineWidth = 2.5 * ratio();
    pen.strokeStyle = getComputedStyle(document.body).color;
    pen.stroke();
  }
  place();
  canvas.classList.toggle("zoomed", view.zoom > 1);
  canvas.dataset.view = [view.x.toFixed(1), view.y.toFixed(1), view.zoom.toFixed(3)].join(" ");
}

function redraw(isSame) {  // isSame: the points are where they were
  if (!isSame) image = null;
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(draw);
}
