// Follows the standings. Without this script the page shows them as they were when it was loaded.
const rows = document.querySelector("[data-events] tbody");
const time = document.getElementById("time");
const address = rows?.closest("[data-events]").dataset.events;
if (address) {
  const shown = new Map([...rows.children].map((row) => [row.dataset.row, row]));
  const source = new EventSource(address);
  source.addEventListener("standings", (event) => {
    const { rows: markup, order, time: words } = JSON.parse(event.data);
    // The rows that have changed, and the order of all of them if that has.
    const parsed = new DOMParser().parseFromString(`<table><tbody>${markup}</tbody></table>`, "text/html");
    for (const row of parsed.querySelectorAll("tbody > tr")) {
      shown.get(row.dataset.row)?.replaceWith(row);
      shown.set(row.dataset.row, row);
    }
    if (order) {
      rows.replaceChildren(...order.map((key) => shown.get(key)));
      for (const key of shown.keys()) if (!order.includes(key)) shown.delete(key);
    }
    time.textContent = words;
  });
}
