// What is beside the board in every game: times, the list of moves, the events of a decision.
import { html, say, set, svg, visible, visibleLines } from "./dom.js";
import { across, graph } from "./graph.js";
import { judgementOf, markAt } from "./analysis.js";
import { markInWords, unknownPlaces } from "./marks.js";
import { outcomeInWords, seatName } from "./record.js";

const HEIGHT = 90;

function seconds(us) {
  if (us >= 1e6) return `${(us / 1e6).toFixed(2)} s`;
  return us >= 1e5 ? `${Math.round(us / 1e3)} ms` : `${(us / 1e3).toFixed(2)} ms`;
}

// The time of each decision as a bar, one row per seat; and marks for faults.
export function timesPanel(game, go) {
  const times = [];
  game.events.forEach((events, index) => {
    for (const event of events) {
      const isTimed = event.k === "move" && Number.isFinite(event.us);
      if (isTimed && game.isOwn(event)) times.push({ index, seat: event.s, us: event.us });
    }
  });
  const faults = game.events.flatMap((events, index) => (events.some((event) => event.k === "fault") ? [index] : []));
  if (times.length === 0 && faults.length === 0) return { element: null, draw() {} };
  const last = game.turns.length - 1;
  const at = (index) => across(index, last);
  const most = times.reduce((most, { us }) => Math.max(most, us), 1);
  const bars = game.seats.map(() => "");
  const height = 66;
  for (const { index, seat, us } of times) {
    bars[seat] += `M${at(index).toFixed(1)} 70v${(-Math.max(height * (us / most), 1)).toFixed(1)}`;
  }
  const wide = Math.max(Math.min(at(1) * 0.7, 14), 1.2);
  const rows = bars.map((d, seat) => svg("path", { class: `bar seat-${(seat % 8) + 1}`, d, "stroke-width": wide.toFixed(1) }));
  const marks = faults.map((index) => svg("path", { class: "fault-mark", d: `M${at(index).toFixed(1)} 74l6 12h-12z` }));
  const label = `Time per decision; the longest took ${seconds(most)}. ${faults.length} decisions have faults.`;
  const textAt = (index) => {
    const took = times.filter((its) => its.index === index).map(({ us }) => seconds(us));
    const fault = faults.includes(index) ? ["a fault"] : [];
    return `Decision ${game.turns[index].turn}: ${[...took, ...fault].join(", ") || "no time"}`;
  };
  const chart = graph({
    name: "times", height: HEIGHT, axis: 70, last, label, textAt, go, elements: [...rows, ...marks],
  });
  const keys = game.seats.map(({ seat }, index) => (bars[index]
    ? html("span", { class: "key" }, html("span", { class: `swatch seat-${(index % 8) + 1}` }), seat)
    : null));
  const caption = html("figcaption", {}, `Time per decision, at most ${seconds(most)} `, ...keys);
  const element = html("figure", { class: "time-chart" }, caption, chart.element);
  return { element, draw: chart.draw };
}

// The list of moves. One entry can be reached by the tab key: the current one.
export function movesPanel(game, drawing, go) {
  const list = document.getElementById("list");
  list.className = drawing.list;
  const entries = [];
  const items = [];
  game.events.forEach((events, index) => {
    const move = events.findLast((event) => event.k === "move");
    const marks = `${events.some((event) => event.k === "fault") ? " !" : ""}${drawing.isReveal?.(index) ? " *" : ""}${markAt(game, index)}`;
    const isStart = index === 0 && !move;
    const text = isStart ? "Start" : move ? visible(drawing.label(move, game.turns[index].turn), 60) : `Turn ${game.turns[index].turn}`;
    const button = html("button", { type: "button", tabindex: "-1" }, `${text}${marks}`);
    button.addEventListener("click", () => go(index));
    entries.push(button);
    const item = html("li", isStart ? { class: "start" } : {}, button);
    // The second column is that of the second seat.
    if (drawing.list === "pairs" && index === 1 && drawing.offset === 1) items.push(html("li", { class: "empty", "aria-hidden": "true" }));
    items.push(item);
  });
  list.replaceChildren(...items);
  let current = null;
  return {
    draw(index, follows) {
      current?.setAttribute("tabindex", "-1");
      current?.removeAttribute("aria-current");
      current = entries[index];
      current.setAttribute("tabindex", "0");
      current.setAttribute("aria-current", "step");
      if (!follows) return;
      // Scrolls the list alone, and not the page.
      const top = current.offsetTop;
      if (top < list.scrollTop || top + current.offsetHeight > list.scrollTop + list.clientHeight) {
        list.scrollTop = top - list.clientHeight / 2;
      }
    },
  };
}

function took(event) {
  const parts = [];
  if (Number.isFinite(event.us)) parts.push(`${seconds(event.us)} wall-clock`);
  if (Number.isFinite(event.cpu)) parts.push(`${seconds(event.cpu)} CPU`);
  if (Number.isFinite(event.excused)) parts.push(`${seconds(event.excused)} excused`);
  if (Number.isFinite(event.bank)) parts.push(`bank ${(event.bank / 1e3).toFixed(1)} s`);
  return parts.length > 0 ? html("p", { class: "took" }, parts.join(", ")) : null;
}

function block(title, text) {
  return html("div", { class: "block" }, html("h3", {}, title), html("pre", { tabindex: "0", "aria-label": title }, visibleLines(text)));
}

// What a bot drew, in words; and what of it is not shown, and why.
function marksElements(drawing, { marks: { shown, notes } }, index) {
  const unknown = unknownPlaces(drawing, shown, index).map((place) => `the board has no place ${JSON.stringify(place)}`);
  const reasons = [...notes, ...new Set(unknown)];
  const summary = html("summary", {}, `${shown.length} ${shown.length === 1 ? "drawing" : "drawings"} on the board`);
  return [
    shown.length > 0 ? html("details", {}, summary, block("drawings", shown.map(markInWords).join("\n"))) : null,
    reasons.length > 0 ? block("drawings that are not shown", reasons.join("\n")) : null,
  ];
}

function eventElements(game, drawing, event, index) {
  const isOwn = game.isOwn(event);
  const player = event.k === "log" ? game.data.players[event.p]?.name : game.seats[event.s]?.player;
  const who = visible(player ?? "", 60);
  switch (event.k) {
    case "move":
      return [
        html("p", { class: "move" }, drawing.describe(event), " ", html("bdi", { class: "who" }, who)),
        isOwn ? took(event) : null,
        isOwn && "info" in event ? block("info", JSON.stringify(event.info, null, 1)) : null,
        ...(isOwn && event.marks ? marksElements(drawing, event, index) : []),
      ];
    case "chance": {
      const text = drawing.describe(event);
      return text ? [html("p", {}, text)] : [];
    }
    case "log":
      return isOwn ? [block(`log of ${who}`, event.text)] : [];
    case "fault": {
      const kind = visible(event.kind, 60);
      const end = event.fatal ? " and forfeits" : "";
      const parts = [html("p", { class: "fault" }, `${seatName(game, event.s)} fails (${kind})${end}. `, html("bdi", { class: "who" }, who))];
      if (isOwn) {
        parts.push(took(event), html("p", {}, visible(event.message, 2000)));
        if ("got" in event) parts.push(block("got", event.got));
      }
      return parts;
    }
    case "end":
      return [html("p", { class: "end" }, outcomeInWords(game, event.outcome)), scores(game, event.outcome)];
    default:
      return [];
  }
}

// The scores and places of all seats.
export function scores(game, outcome) {
  if (outcome.kind === "void") return null;
  const rows = game.seats.map(({ seat, player }, index) => html("tr", {},
    html("th", { scope: "row" }, seat), html("td", {}, html("bdi", {}, player)),
    html("td", {}, String(outcome.scores[index] ?? "")), html("td", {}, String(outcome.ranks[index] ?? ""))));
  const head = html("tr", {}, ...["seat", "player", "score", "place"].map((title) => html("th", { scope: "col" }, title)));
  return html("table", { class: "facts" }, html("caption", {}, "Result"), head, ...rows);
}

// The events of the current decision: what the bot said about it, logs, faults.
export function detailPanel(game, drawing) {
  const place = document.getElementById("events");
  return {
    draw(index) {
      const elements = game.events[index].flatMap((event) => eventElements(game, drawing, event, index));
      place.replaceChildren(...[...elements, judgementOf(game, index)].filter((element) => element));
      if (!place.hasChildNodes()) place.append(html("p", { class: "note" }, index === 0 ? "The start." : "Nothing."));
    },
  };
}

// The caption of a position: one line.
export function captionOf(game, drawing, index) {
  const { turn } = game.turns[index];
  const parts = [turn === 0 ? "Start." : `Turn ${turn}.`];
  for (const event of game.events[index]) {
    if (event.k === "move" || (event.k === "chance" && index > 0)) parts.push(visible(drawing.describe(event), 200));
    if (event.k === "fault") parts.push(`${seatName(game, event.s)} fails (${visible(event.kind, 60)})${event.fatal ? " and forfeits" : ""}.`);
    if (event.k === "end") parts.push(outcomeInWords(game, event.outcome));
  }
  if (game.data.unfinished && index === game.turns.length - 1) parts.push("The replay has no end.");
  return parts.filter((part) => part).join(" ");
}

// What is known of the whole game: rules, time control, standard error.
export function wholePanel(game) {
  const { data } = game;
  const place = document.getElementById("whole");
  const facts = [
    ["game", data.game], ["ID", data.game_id], ["seed", data.seed], ["sandbox", data.sandbox],
    ["referee", `${data.engine.name} ${data.engine.version}`],
    ["time", JSON.stringify(data.time_control)],
    ["imported from", data.imported ? `${data.imported.source}, game ${data.imported.game}` : null],
    ["copy for", data.view_of],
  ].filter(([, value]) => value !== null && value !== undefined);
  const rows = facts.map(([name, value]) => html("tr", {}, html("th", { scope: "row" }, name), html("td", {}, visible(value, 400))));
  for (const player of data.players) {
    const bot = player.bot ? `${player.bot.name}${player.bot.version ? ` ${player.bot.version}` : ""}` : "";
    const its = visible(`${player.name}${bot && bot !== player.name ? ` (${bot})` : ""}`, 120);
    const own = player.time ? `; time ${JSON.stringify(player.time)}` : "";
    rows.push(html("tr", {}, html("th", { scope: "row" }, visible(player.seats.join(", "), 200)), html("td", {}, html("bdi", {}, its), own)));
  }
  const table = html("table", { class: "facts" }, html("caption", {}, "The game"), ...rows);
  const rules = block("rules", JSON.stringify(data.rules, (key, value) => (key === "map" && value?.areas ? `${value.areas.length} areas` : value), 1));
  const parts = [html("summary", {}, "About the game"), table, rules];
  const elements = [html("details", {}, ...parts)];
  for (const [player, text] of data.stderr) {
    if (!game.texts.has(player)) continue;
    const name = visible(data.players[player]?.name ?? "", 60);
    elements.push(html("details", {}, html("summary", {}, `Standard error of ${name}`), block("standard error of the whole game", text)));
  }
  place.replaceChildren(...elements);
}

// Shows the caption; a screen reader reads it unless the game is playing.
export function showCaption(text, isPlaying) {
  const caption = document.getElementById("caption");
  set(caption, "aria-live", isPlaying ? "off" : "polite");
  say(caption, text);
}
