// Follows the log of a submission. Without this script the page shows the log when it was loaded.
const log = document.getElementById("log");
const state = document.getElementById("state");
const address = log?.dataset.events;
if (address) {
  const source = new EventSource(address);
  source.addEventListener("log", (event) => {
    const isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 40;
    log.append(JSON.parse(event.data));
    if (isAtEnd) log.scrollTop = log.scrollHeight;
  });
  source.addEventListener("restart", () => log.replaceChildren());
  source.addEventListener("state", (event) => {
    state.textContent = JSON.parse(event.data);
  });
  source.addEventListener("over", async () => {
    source.close();
    // Loading the page again would end a navigation that has begun.
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    document.querySelector("main").replaceWith(page.querySelector("main"));
  });
}
