// Follows the standings, after the script of the table. Without it the page shows them as they were when
// it was loaded.
const rows = document.querySelector("[data-events] tbody");
const time = document.getElementById("time");
const address = rows?.closest("[data-events]").dataset.events;
if (address) {
  const shown = new Map([...rows.children].map((row) => [row.dataset.row, row]));
  // The keys in the order of the ranks.
  let keys = (showRows?.() ?? [...rows.children]).map((row) => row.dataset.row);
  const source = new EventSource(address);
  source.addEventListener("standings", (event) => {
    const { rows: markup, order, time: words } = JSON.parse(event.data);
    // The rows that have changed, and the order of all of them if that has.
    const parsed = new DOMParser().parseFromString(`<table><tbody>${markup}</tbody></table>`, "text/html");
    for (const row of parsed.querySelectorAll("tbody > tr")) {
      const old = shown.get(row.dataset.row);
      if (old?.classList.contains("open")) {
        row.classList.add("open");
        row.querySelector(".more")?.setAttribute("aria-expanded", "true");
      }
      old?.replaceWith(row);
      shown.set(row.dataset.row, row);
    }
    if (order) {
      keys = order;
      rows.replaceChildren(...order.map((key) => shown.get(key)));
      for (const key of shown.keys()) if (!order.includes(key)) shown.delete(key);
    }
    showRows?.(keys.map((key) => shown.get(key)));
    time.textContent = words;
  });
}
