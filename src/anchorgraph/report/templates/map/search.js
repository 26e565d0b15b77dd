// Search by id, and the rows of the cards.

function shorten(name) {  // as the function of this name in Python does
  const letters = Array.from(name);
  return letters.length <= 80 ? name : `${letters.slice(0, 40).join("")}…${letters.slice(-39).join("")}`;
}

element("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = element("wanted").value, exact = shorten(typed);
  const wanted = data.ids.includes(exact) ? exact : shorten(typed.trim());  // ids can have spaces
  if (!wanted) return;
  const row = data.ids.indexOf(wanted);
  if (row < 0) found.textContent = `No row ${wanted} among the ${whole.format(count)} shown.`;
  else if (!isPlaced(row)) found.textContent = `Row ${wanted} has no place on the map.`;
  else { found.textContent = ""; show(row, Math.max(view.zoom, 3)); }
});
for (const button of document.querySelectorAll("[data-row]")) {
  button.addEventListener("click", () => {
    show(Number(button.dataset.row), Math.max(view.zoom, 3));
    canvas.focus({ preventScroll: true });
    const behavior = matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth";
    element("map").scrollIntoView({ block: "center", behavior });
  });
}
