// The colour of each row: that of its group, or of its number on a scale.

const GREY = [141, 146, 152];
const dark = matchMedia("(prefers-color-scheme: dark)");
const VIRIDIS = "440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725".split(" ").map(rgb);
function rgb(text) {
  const number = parseInt(text.replace("#", ""), 16);
  return [number >> 16, (number >> 8) & 255, number & 255];
}
const pixel = ([red, green, blue]) => (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
function shade(part) {  // the end of the scale that would vanish in the ground is left out
  const place = (dark.matches ? 0.12 + 0.88 * part : 0.9 * part) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(place), VIRIDIS.length - 2);
  return VIRIDIS[low].map((value, channel) => Math.round(value + (VIRIDIS[low + 1][channel] - value) * (place - low)));
}
let chosen = null;  // the colouring
const hidden = new Set();  // groups of it
const tint = new Uint32Array(count);  // the colour of each row; 0 hides it
const groupOf = (row) => (chosen.values[row] === none(chosen.values) ? -1 : chosen.values[row]);
function colourRows() {
  const { values } = chosen, missing = none(values), grey = pixel(GREY);
  if (chosen.codes) {
    const colours = chosen.colours.map((text) => pixel(rgb(text)));
    for (let row = 0; row < count; row += 1) {
      const group = groupOf(row);
      tint[row] = hidden.has(group) ? 0 : group < 0 ? grey : colours[group];
    }
  } else {
    const span = chosen.to - chosen.from || 1;
    const shades = Array.from({ length: 256 }, (_, step) => pixel(shade(step / 255)));
    for (let row = 0; row < count; row += 1) {
      const part = Math.max(0, Math.min(1, (chosen.at(values[row]) - chosen.from) / span));
      tint[row] = values[row] === missing ? grey : shades[Math.round(255 * part)];
    }
  }
}
