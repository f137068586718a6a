// Scotland Yard: London with its lines, or a grid; the pawns, the stations at which Mr. X can be, his
// travel log and the tickets. His pawn is drawn where the view has his station, and nowhere else.
import { html, picture, place, say, set, show, svg } from "./dom.js";
import { numbered } from "./marks.js";
import { candidatesOf } from "./routes.js";
import { chosenBy } from "./record.js";

const LONDON = { width: 980, height: 737 };
const MARGIN = 16;
const STATION = 11.5;
const GRID = 760;
const LARGEST_CELL = 84;
const NUMBERED_CELL = 28;
// How far from the middle of a station two pawns stand on it, in radii of a pawn.
const BESIDE = 0.9;
const LETTERS = { taxi: "T", bus: "B", underground: "U", black: "X" };

// Where stations are drawn.
function placesOf(setup) {
  if (!setup.width) {
    const { width, height } = LONDON;
    const at = setup.coordinates.map(([x, y]) => ({ x: MARGIN + x * (width - 2 * MARGIN), y: MARGIN + y * (height - 2 * MARGIN) }));
    return { width, height, cell: null, at: (station) => at[station - 1] };
  }
  const { width: columns, height: rows } = setup;
  const cell = Math.min(GRID / Math.max(columns, rows), LARGEST_CELL);
  const at = (station) => ({
    x: (((station - 1) % columns) + 0.5) * cell,
    y: (Math.floor((station - 1) / columns) + 0.5) * cell,
  });
  return { width: columns * cell, height: rows * cell, cell, at };
}

// Each kind of line as one path. Lines between the same stations are drawn side by side.
function lines(setup, places) {
  const between = new Map();
  for (const [a, b, kind] of setup.edges) {
    const key = `${a} ${b}`;
    between.set(key, [...(between.get(key) ?? []), kind]);
  }
  const paths = { underground: "", ferry: "", bus: "", taxi: "" };
  for (const [key, kinds] of between) {
    const [from, to] = key.split(" ").map((station) => places.at(Number(station)));
    const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 1);
    const [across, down] = [(from.y - to.y) / length, (to.x - from.x) / length];
    kinds.forEach((kind, index) => {
      const aside = 4.6 * (index - (kinds.length - 1) / 2);
      const [x, y] = [across * aside, down * aside];
      paths[kind] += `M${(from.x + x).toFixed(1)} ${(from.y + y).toFixed(1)}L${(to.x + x).toFixed(1)} ${(to.y + y).toFixed(1)}`;
    });
  }
  return Object.entries(paths).filter(([, d]) => d).map(([kind, d]) => svg("path", { class: `line ${kind}`, d }));
}

// The most important line of each station.
function kindsOf(setup) {
  const kinds = new Map();
  const rank = { taxi: 0, ferry: 0, bus: 1, underground: 2 };
  for (const [a, b, kind] of setup.edges ?? []) {
    for (const station of [a, b]) {
      if (rank[kind] > (rank[kinds.get(station)] ?? -1)) kinds.set(station, kind);
    }
  }
  return kinds;
}

function stationElement(station, places, kind) {
  const { x, y } = places.at(station);
  const { cell } = places;
  if (cell === null) {
    return svg("g", { class: `station ${kind ?? ""}` },
      svg("circle", { class: "ground", cx: x, cy: y, r: STATION }),
      svg("circle", { class: "shade", cx: x, cy: y, r: STATION }),
      svg("text", { x, y: y + 4 }, String(station)));
  }
  const box = { x: x - cell / 2 + 1, y: y - cell / 2 + 1, width: cell - 2, height: cell - 2, rx: 3 };
  const element = svg("g", { class: "station cell" }, svg("rect", { class: "ground", ...box }), svg("rect", { class: "shade", ...box }));
  if (cell >= NUMBERED_CELL) {
    const size = Math.max(cell * 0.22, 12);
    const number = svg("text", { x: x - cell / 2 + 5, y: y - cell / 2 + size + 1 }, String(station));
    number.style.fontSize = `${size}px`;
    element.append(number);
  }
  return element;
}

function pawn(name, letter, radius) {
  const text = svg("text", { y: radius * 0.4 }, letter);
  text.style.fontSize = `${radius * 1.1}px`;
  return svg("g", { class: `pawn slides ${name}` }, svg("circle", { r: radius }), text);
}

function sample(kind, words) {
  const line = svg("svg", { class: "board sample", viewBox: "0 0 36 12", width: 36, height: 12, "aria-hidden": "true" },
    svg("path", { class: `line ${kind}`, d: "M2 6H34" }));
  return html("li", {}, line, words);
}

function legend(isLondon) {
  const candidate = svg("svg", { class: "board sample", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
    svg("g", { class: "station candidate" }, svg("circle", { class: "ground", cx: 12, cy: 12, r: 9 }), svg("circle", { class: "shade", cx: 12, cy: 12, r: 9 })));
  const seen = svg("svg", { class: "board sample", viewBox: "0 0 24 24", width: 20, height: 20, "aria-hidden": "true" },
    svg("circle", { class: "seen", cx: 12, cy: 12, r: 9 }));
  const kinds = isLondon
    ? [sample("taxi", "taxi (T)"), sample("bus", "bus (B)"), sample("underground", "underground (U)"), sample("ferry", "ferry, with a black ticket (X)")]
    : [];
  return html("ul", { class: "legend", "aria-label": "Legend" }, ...kinds,
    html("li", {}, candidate, "Mr. X can be here; darker: more of the routes that fit his log end here"),
    html("li", {}, seen, "last station that he showed"));
}

function ticketCells(tickets) {
  return tickets ? [tickets.taxi, tickets.bus, tickets.underground] : ["any", "any", "any"];
}

export function drawScotlandYard(game) {
  const { setup, rules } = game;
  const places = placesOf(setup);
  const kinds = kindsOf(setup);
  const candidates = candidatesOf(setup, rules);
  const radius = places.cell === null ? STATION + 3.5 : Math.min(places.cell * 0.32, 22);
  const stations = [];
  for (let station = 1; station <= setup.stations; station++) stations.push(stationElement(station, places, kinds.get(station)));
  const way = svg("polyline", { class: "way" });
  const seen = svg("circle", { class: "seen", r: radius + 3 });
  const detectives = Array.from({ length: rules.detectives }, (_, index) => pawn(`detective-${index + 1}`, String(index + 1), radius));
  const mrX = pawn("mr-x", "X", radius);
  const element = picture(places.width, places.height, setup.width ? "Grid" : "Map of London",
    ...(places.cell === null ? lines(setup, places) : []), ...stations, way, seen, ...detectives, mrX);

  const titles = { pawn: "pawn", station: "at", taxi: "T", bus: "B", underground: "U", black: "X", double: "2\u00d7" };
  const head = html("tr", {}, ...Object.entries(titles).map(([name, short]) => html("th", { scope: "col", "aria-label": name, title: name }, short)));
  const rows = Array.from({ length: rules.detectives + 1 }, (_, line) => {
    const name = line === 0 ? "Mr. X" : `detective ${line}`;
    const cells = Array.from({ length: 6 }, () => html("td"));
    const row = html("tr", {}, html("th", { scope: "row" }, name), ...cells);
    return { row, cells };
  });
  const tickets = html("table", { class: "facts tickets" }, html("caption", {}, "Stations and tickets"), head, ...rows.map(({ row }) => row));

  // As many entries as the rules or the game have.
  const most = game.views.at(-1)?.log.length ?? 0;
  const planned = rules.limit_unit === "x_moves" ? rules.limit : rules.limit + (Number(rules.double) || 0);
  const reveals = new Set(rules.reveals);
  const entries = Array.from({ length: Math.max(most, Math.min(planned, 60)) }, (_, index) => {
    const ticket = html("span", { class: "ticket" });
    const isReveal = reveals.has(index + 1);
    const element = html("li", { class: isReveal ? "reveal" : null }, html("span", { class: "number" }, String(index + 1)), ticket);
    return { element, ticket, isReveal };
  });
  const log = html("ol", { class: "log", "aria-label": "Travel log" }, ...entries.map((entry) => entry.element));
  const where = html("p", { class: "note" });
  const side = [html("h2", {}, "Travel log of Mr. X"), log, where, tickets, legend(places.cell === null)];

  const isPublic = (view) => view.over === "caught" || Boolean(view.log.at(-1)?.reveal);

  function drawWay(index) {
    const view = game.views[index];
    const before = game.views[index - 1];
    const move = game.events[index].findLast((event) => event.k === "move");
    const its = (its) => (move?.value?.detective ? its?.detectives[move.value.detective - 1]?.station : its?.mr_x.station);
    const [from, to] = [its(before), move?.value?.to ?? null];
    show(way, Boolean(move && from && to && its(view) === to));
    if (move && from && to) set(way, "points", [from, to].map((station) => `${places.at(station).x},${places.at(station).y}`).join(" "));
  }

  function draw(index) {
    const view = game.views[index];
    const weights = candidates(view);
    stations.forEach((element, at) => {
      const weight = weights.get(at + 1);
      element.classList.toggle("candidate", weight !== undefined);
      set(element.children[1], "fill-opacity", weight === undefined ? 0 : (0.3 + 0.7 * Math.sqrt(weight)).toFixed(2));
    });
    say(where, `Mr. X can be at ${weights.size} ${weights.size === 1 ? "station" : "stations"}.`);
    const shown = view.log.findLast((entry) => entry.reveal)?.station;
    show(seen, Boolean(shown));
    if (shown) place(seen, places.at(shown).x, places.at(shown).y);
    const caught = view.detectives.some((its) => its.station === view.mr_x.station) ? view.mr_x.station : null;
    const pawns = [[mrX, view.mr_x.station, 1], ...detectives.map((element, at) => [element, view.detectives[at]?.station, -1])];
    for (const [element, station, side] of pawns) {
      show(element, Boolean(station));
      // Mr. X and the detective who caught him stand beside each other.
      const aside = station && station === caught ? BESIDE * side * radius : 0;
      if (station) place(element, places.at(station).x + aside, places.at(station).y);
    }
    mrX.classList.toggle("unseen", !isPublic(view));
    drawWay(index);
    rows.forEach(({ row, cells }, line) => {
      const its = line === 0 ? view.mr_x : view.detectives[line - 1];
      const more = line === 0 ? [view.mr_x.black, view.mr_x.double] : ["", ""];
      const station = its?.station ?? (line === 0 ? "hidden" : "off");
      [station, ...ticketCells(its?.tickets), ...more].forEach((text, at) => say(cells[at], text));
      const isDetectives = view.to_move === "detectives" && line > 0 && !its?.moved;
      row.classList.toggle("to-move", isDetectives || view.to_move === (line === 0 ? "mr-x" : `detective-${line}`));
    });
    entries.forEach(({ element, ticket, isReveal }, at) => {
      const entry = view.log[at];
      element.className = `${entry ? `used ${entry.ticket}` : ""}${isReveal || entry?.reveal ? " reveal" : ""}`;
      say(ticket, entry ? `${LETTERS[entry.ticket]}${entry.station ? ` ${entry.station}` : ""}` : "");
      element.setAttribute("aria-label", entry
        ? `${at + 1}: ${entry.ticket}${entry.station ? ` to ${entry.station}` : ""}${entry.reveal ? ", shown" : ""}`
        : `${at + 1}${isReveal ? ": will be shown" : ""}`);
    });
  }

  function moveInWords({ ticket, to, detective, double }) {
    const who = detective ? `Detective ${detective}` : "Mr. X";
    return `${who}: ${ticket}${to ? ` to ${to}` : ""}${double ? ", first half of a double move" : ""}`;
  }

  const describe = (event) => (event.k === "chance" ? "" : `${moveInWords(event.value)}${chosenBy(event)}.`);

  function label({ value: { ticket, to, detective, double } }) {
    return `${detective ?? "X"}: ${LETTERS[ticket]}${to ? ` ${to}` : ""}${double ? " (2)" : ""}`;
  }

  function isReveal(index) {
    const view = game.views[index];
    const before = game.views[index - 1];
    if (!before) return false;
    const isShown = view.log.length > before.log.length && view.log.at(-1).reveal;
    return isShown || (view.over === "caught" && before.over !== "caught");
  }

  // What a position is about: the station of the pawn that has moved or else of the one to move, as far
  // as it is known.
  function about(index) {
    const view = game.views[index];
    const { value } = game.events[index].findLast((event) => event.k === "move") ?? {};
    const detective = value ? value.detective : view.to_move === "mr-x" ? null : 1;
    const its = detective ? view.detectives[detective - 1] : view.mr_x;
    const shown = view.log.findLast((entry) => entry.reveal)?.station;
    return stations[(its?.station ?? shown ?? view.detectives[0]?.station) - 1];
  }

  // A station of London is small for a finger: more than what is seen of a target can be hit.
  function target(station) {
    const { x, y } = places.at(station);
    if (places.cell === null) {
      return svg("g", {}, svg("circle", { class: "reach", cx: x, cy: y, r: 20 }), svg("circle", { cx: x, cy: y, r: STATION + 5 }));
    }
    const size = places.cell - 4;
    return svg("rect", { x: x - size / 2, y: y - size / 2, width: size, height: size, rx: 4 });
  }

  function spot(place) {
    const station = numbered(place, setup.stations);
    return station && { ...places.at(station), r: radius, hasText: true };
  }

  return { element, side, draw, describe, label, isReveal, target, spot, about, isFine: places.cell === null, list: "rounds" };
}
