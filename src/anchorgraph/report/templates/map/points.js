// The data of the map: numbers in a few bytes each, and how they are told.

const data = JSON.parse(document.getElementById("points").textContent);
const element = (id) => document.getElementById(id);
const canvas = element("scatter"), told = element("told"), found = element("found"), chooser = element("colouring");
const pen = canvas.getContext("2d", { willReadFrequently: true });  // pixels are written, not drawn

const kinds = { uint8: Uint8Array, uint16: Uint16Array, uint32: Uint32Array };
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const unpack = (packed) => new kinds[packed.type](bytes(packed.data).buffer);
const none = (array) => (array.BYTES_PER_ELEMENT === 2 ? 0xffff : 0xffffffff);
const SIDE = 65534;  // coordinates are from 0 to this
const x = unpack(data.x), y = unpack(data.y), count = x.length;
const isPlaced = (row) => x[row] !== 0xffff;
const finest = data.finest ? unpack(data.finest) : null;
// the groups of rows, or the clusters of a level in which those of the finest level lie
const groupsOf = (codes) => (codes.data ? unpack(codes) : finest.map((cluster) => codes[cluster] ?? none(finest)));
const colourings = data.colourings.map((one) => (one.codes
  ? { ...one, values: groupsOf(one.codes) }
  : { ...one, values: unpack(one.steps), at: (step) => one.low + (step * (one.high - one.low)) / SIDE }));
const digits = new Intl.NumberFormat("en", { maximumSignificantDigits: 4 }), whole = new Intl.NumberFormat("en");
function format(value, isWhole) {
  return isWhole || Math.abs(value) >= 1e4 ? whole.format(Math.round(value)) : digits.format(value);
}
const nameOfNone = (one) => (one.title === "cluster" || one.section === "levels" ? "not clustered" : "none");
function describe(one, row) {
  const value = one.values[row];
  if (value === none(one.values)) return one.codes ? nameOfNone(one) : "missing";
  return one.codes ? one.names[value] : format(one.at(value), one.whole);
}

// Rows are drawn in an order unlike that of the source, so that no group covers another because it comes later.
const order = Uint32Array.from({ length: count }, (_, row) => row);
for (let last = count - 1, state = 1; last > 0; last -= 1) {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  const other = state % (last + 1), kept = order[last];
  order[last] = order[other];
  order[other] = kept;
}
