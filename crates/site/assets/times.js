// Adds to times that are waited for how far they are, and shows them in the visitor's own time zone.
// Without this script they are in the zone of the page.
const UNITS = [["day", 86400], ["hour", 3600], ["minute", 60]];
const words = new Intl.RelativeTimeFormat("en", { numeric: "always" });

function until(seconds) {
  const [unit, size] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? UNITS.at(-1);
  return words.format(Math.trunc(seconds / size), unit);
}

for (const element of document.querySelectorAll("time[data-until]")) {
  const moment = new Date(element.dateTime);
  const shown = moment.toLocaleString("en-GB", { dateStyle: "full", timeStyle: "short" });
  element.title = element.textContent;
  element.textContent = `${shown} your time, ${until((moment - Date.now()) / 1000)}`;
}
