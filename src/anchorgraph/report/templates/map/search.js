// Search by id, and the rows of the cards.

element("search").addEventListener("submit", (event) => {
  event.preventDefault();
  const typed = element("wanted").value, wanted = data.ids.includes(typed) ? typed : typed.trim();  // ids can have spaces
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
