// Follows the standings. Without this script the page shows them as they were when it was loaded.
const rows = document.querySelector("[data-events] tbody");
const time = document.getElementById("time");
const address = rows?.closest("[data-events]").dataset.events;
if (address) {
  const source = new EventSource(address);
  source.addEventListener("standings", (event) => {
    const { rows: markup, time: words } = JSON.parse(event.data);
    const parsed = new DOMParser().parseFromString(`<table><tbody>${markup}</tbody></table>`, "text/html");
    rows.replaceChildren(...parsed.querySelectorAll("tbody > tr"));
    time.textContent = words;
  });
}
