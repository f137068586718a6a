// The theme of a page, and the filters and the order of a table of bots. Without this script the table
// is complete, in the order of the ranks.

const byId = (id) => document.getElementById(id);

function prepareTheme(button) {
  const root = document.documentElement;
  const isDark = () => {
    const { theme } = root.dataset;
    return theme ? theme === "dark" : window.matchMedia("(prefers-color-scheme: dark)").matches;
  };
  const label = () => {
    button.textContent = isDark() ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    label();
  });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", label);
  label();
  button.hidden = false;
}

// For each order the value of a row; a row without one comes last. Ranks ascend, figures descend.
const ORDERS = {
  rank: (row) => -Number(row.dataset.rank ?? Infinity),
  rating: (row) => Number(row.dataset.rating ?? -Infinity),
  share: (row) => Number(row.dataset.share ?? -Infinity),
  games: (row) => Number(row.dataset.games),
  faults: (row) => Number(row.dataset.faults),
};

function prepareTable(filters) {
  const body = byId("bots").querySelector("tbody");
  const rows = [...body.rows];
  const [name, group, order, separated] = ["name", "group", "order", "separated"].map(byId);

  function filter() {
    const wanted = name.value.trim().toLowerCase();
    let shown = 0;
    for (const row of rows) {
      const fits = row.dataset.name.includes(wanted)
        && (group.value === "" || row.dataset.groups.split(" ").includes(group.value))
        && (!separated.checked || row.dataset.separated === "1");
      row.hidden = !fits;
      shown += fits ? 1 : 0;
    }
    byId("count").textContent = shown === 0 ? "No bot fits." : `${shown} of ${rows.length} bots`;
  }

  function sort() {
    const value = ORDERS[order.value];
    const compare = value
      ? (one, other) => {
        const [left, right] = [value(one), value(other)];
        return left === right ? rows.indexOf(one) - rows.indexOf(other) : right > left ? 1 : -1;
      }
      : (one, other) => one.dataset.name.localeCompare(other.dataset.name);
    body.append(...rows.slice().sort(compare));
  }

  name.addEventListener("input", filter);
  group.addEventListener("change", filter);
  separated.addEventListener("change", filter);
  order.addEventListener("change", sort);
  document.addEventListener("keydown", (event) => {
    const isTyping = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement?.tagName ?? "");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      name.focus();
    } else if (event.key === "Escape" && document.activeElement === name) {
      name.value = "";
      filter();
    }
  });
  filters.hidden = false;
  // A browser may restore the filters of an earlier visit.
  sort();
  filter();
}

prepareTheme(byId("theme"));
if (byId("filters")) prepareTable(byId("filters"));
document.documentElement.dataset.ready = "true";
