// The filters and the order of a table of bots, and its rows on a narrow screen: a line each, with the
// details on tap. Without this script the table is complete, in the order of the ranks.

const byId = (id) => document.getElementById(id);

// For each order the value of a row; a row without one comes last. Ranks ascend, figures descend.
const ORDERS = {
  rank: (row) => -Number(row.dataset.rank ?? Infinity),
  rating: (row) => Number(row.dataset.rating ?? -Infinity),
  share: (row) => Number(row.dataset.share ?? -Infinity),
  games: (row) => Number(row.dataset.games),
  faults: (row) => Number(row.dataset.faults),
};

// Returns a function that takes the rows in the order of the ranks when they have changed, and returns
// them.
function prepareTable(filters) {
  const body = byId("bots").querySelector("tbody");
  const [name, group, order, separated] = ["name", "group", "order", "separated"].map(byId);
  let rows = [...body.rows];

  function filter() {
    const wanted = name.value.trim().toLowerCase();
    for (const row of rows) {
      row.hidden = !(row.dataset.name.includes(wanted)
        && (group.value === "" || row.dataset.groups.split(" ").includes(group.value))
        && (!separated.checked || row.dataset.separated === "1"));
    }
    const shown = rows.filter((row) => !row.hidden).length;
    byId("count").textContent = shown === 0 ? "No bot fits." : `${shown} of ${rows.length} bots`;
  }

  function sort() {
    const value = ORDERS[order.value];
    const places = new Map(rows.map((row, place) => [row, place]));
    const compare = value
      ? (one, other) => {
        const [left, right] = [value(one), value(other)];
        return left === right ? places.get(one) - places.get(other) : right > left ? 1 : -1;
      }
      : (one, other) => one.dataset.name.localeCompare(other.dataset.name);
    body.append(...[...rows].sort(compare));
  }

  name.addEventListener("input", filter);
  group.addEventListener("change", filter);
  separated.addEventListener("change", filter);
  order.addEventListener("change", sort);
  body.addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (event.target.closest("a") || !row) return;
    const isOpen = row.classList.toggle("open");
    row.querySelector(".more")?.setAttribute("aria-expanded", String(isOpen));
  });
  // A link to a row that the filters hide shows it.
  window.addEventListener("hashchange", () => {
    const row = document.querySelector(":target");
    if (!row?.hidden) return;
    [name.value, group.value, separated.checked] = ["", "", false];
    filter();
    row.scrollIntoView();
  });
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
  byId("bots").classList.add("folds");
  // A browser may restore the filters of an earlier visit.
  sort();
  filter();
  return (changed = rows) => {
    rows = changed;
    sort();
    filter();
    return rows;
  };
}

const showRows = byId("filters") ? prepareTable(byId("filters")) : null;
