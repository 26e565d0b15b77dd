// The choice of colours, and what they mean.

const MOST_NAMED = 60;  // groups with a name on the map
const MOST_LISTED = 300;  // groups with a button below it

function middlesOf({ codes, names, values }) {  // a row in the middle of each group
  if (!codes || names.length > MOST_NAMED) return [];
  const rows = names.map(() => []);
  for (let row = 0; row < count; row += 1) {
    if (values[row] < names.length && isPlaced(row)) rows[values[row]].push(row);
  }
  const median = (own, axis) => Float64Array.from(own, (row) => axis[row]).sort()[own.length >> 1];
  return rows.flatMap((own, group) => {
    if (own.length === 0) return [];
    const distance = distanceTo(median(own, x), median(own, y));
    return [[group, own.reduce((best, row) => (distance(row) < distance(best) ? row : best))]];
  });
}

function buttonOf(group, name, colour, size) {  // hides and shows a group
  const item = make("li"), button = make("button"), dot = make("i");
  dot.className = "dot";
  dot.style.setProperty("--colour", colour);
  button.type = "button";
  button.setAttribute("aria-pressed", String(!hidden.has(group)));
  button.append(dot, `${name} (${whole.format(size)})`);
  button.addEventListener("click", () => {
    if (!hidden.delete(group)) hidden.add(group);
    button.setAttribute("aria-pressed", String(!hidden.has(group)));
    colourRows();
    redraw();
  });
  item.append(button);
  return item;
}

function legendOfGroups(list) {
  const sizes = new Map(), missing = none(chosen.values);
  for (const value of chosen.values) sizes.set(value, (sizes.get(value) || 0) + 1);
  const entries = chosen.names.map((name, group) => [group, name, chosen.colours[group], sizes.get(group) || 0]);
  const items = entries.slice(0, MOST_LISTED).map((entry) => buttonOf(...entry));
  if (entries.length > MOST_LISTED) items.push(make("li", `and ${whole.format(entries.length - MOST_LISTED)} more`));
  if (sizes.has(missing)) items.push(buttonOf(-1, nameOfNone(chosen), `rgb(${GREY})`, sizes.get(missing)));
  list.replaceChildren(...items);
}

function legendOfNumbers(scale) {
  const stops = Array.from({ length: 11 }, (_, step) => `rgb(${shade(step / 10)})`);
  scale.querySelector("i").style.background = `linear-gradient(90deg, ${stops})`;
  const { low, high, from, to, title } = chosen;
  const ends = [[from > low ? "≤ " : "", from], [to < high ? "≥ " : "", to]];
  const [first, last] = ends.map(([sign, value]) => sign + format(value, chosen.whole));
  scale.querySelector("span").replaceChildren(...[first, title, last].map((text) => make("span", text)));
}

function reveal(row) {  // shows the group of a row
  hidden.delete(groupOf(row));
  recolour();
}

function choose(number) {
  chosen = colourings[number];
  chosen.middles ??= middlesOf(chosen);
  hidden.clear();
  recolour();
}

function recolour() {
  colourRows();
  const list = element("groups"), scale = element("scale");
  list.hidden = !chosen.codes;
  scale.hidden = Boolean(chosen.codes);
  if (chosen.codes) legendOfGroups(list);
  else legendOfNumbers(scale);
  tellValues();
  redraw();
}

colourings.forEach((one, number) => {
  const sections = { levels: "Levels of clusters", columns: "Columns" }, label = sections[one.section];
  if (label && chooser.lastElementChild?.label !== label) chooser.append(Object.assign(make("optgroup"), { label }));
  (label ? chooser.lastElementChild : chooser).append(new Option(one.title, number));
});
chooser.addEventListener("change", () => choose(Number(chooser.value)));
dark.addEventListener("change", recolour);
new ResizeObserver(() => redraw()).observe(canvas);
choose(Number(chooser.value));
