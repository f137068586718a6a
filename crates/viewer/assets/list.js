// A list of games that is kept up to date. The data of the page and of an event are
//
// * `games`: for each game `name`, `page` (its address), `game`, `seats` with `seat` and `player`, and
//   `outcome`, which is null while it is being played; `problem` if it cannot be read; `silent_since`,
//   in milliseconds since 1970, if it has no end and nothing was written to it for long;
// * `more`: the number of games that are not listed.
import { clock, html, say, visible } from "./dom.js";
import { outcomeInWords } from "./record.js";

const AGAIN_MS = 1000;
const byId = (id) => document.getElementById(id);

function stateOf({ seats, outcome, imported, problem, silent_since: since }) {
  if (problem) return visible(problem, 200);
  if (!outcome) return since ? `No end; no sign of life since ${clock(since)}.` : "No end yet.";
  const named = seats.map(({ seat }) => ({ seat: visible(seat, 60) }));
  return outcomeInWords({ seats: named, data: { imported } }, outcome);
}

function linkOf(its) {
  // A line may be broken after a directory.
  const parts = visible(its.name, 120).split("/");
  const name = parts.flatMap((part, at) => (at > 0 ? ["/", html("wbr"), part] : [part]));
  return html("a", { href: its.page }, ...name);
}

function playersOf(its) {
  return its.seats.flatMap(({ seat, player }, at) => [
    at > 0 ? ", " : "", `${visible(seat, 60)}: `, html("bdi", {}, visible(player, 60)),
  ]);
}

// The rows that are shown, by the address of their game. A row stays the same element while its game is
// listed: a new list neither loses a click that has begun on a link nor moves the focus.
const shown = new Map();

function row(its) {
  const data = JSON.stringify(its);
  const kept = shown.get(its.page);
  if (kept?.data === data) return kept;
  const link = html("td", {}, linkOf(its), ` ${visible(its.game, 60)}`);
  const players = html("td", {}, ...playersOf(its));
  const state = html("td", {}, stateOf(its));
  if (!kept) return { data, element: html("tr", {}, link, players, state) };
  const [keptLink, ...others] = kept.element.children;
  if (keptLink.textContent !== link.textContent) keptLink.replaceWith(link);
  for (const other of others) other.remove();
  kept.element.append(players, state);
  return { data, element: kept.element };
}

function list({ games, more }) {
  const rows = games.map(row);
  shown.clear();
  games.forEach((its, at) => shown.set(its.page, rows[at]));
  const place = byId("games");
  const elements = new Set(rows.map(({ element }) => element));
  for (const element of [...place.children]) if (!elements.has(element)) element.remove();
  const focused = document.activeElement;
  rows.forEach(({ element }, at) => {
    if (place.children[at] !== element) place.insertBefore(element, place.children[at] ?? null);
  });
  // Moving a row takes the focus from its link.
  if (place.contains(focused)) focused.focus({ preventScroll: true });
  if (games.length === 0) say(byId("note"), "There is no game yet.");
  else say(byId("note"), more > 0 ? `${more} older games are not listed.` : "");
}

function notice(text) {
  byId("notice").hidden = text === "";
  say(byId("notice"), text);
}

function follow(events) {
  const source = new EventSource(events);
  source.addEventListener("hello", () => notice(""));
  source.addEventListener("games", (event) => list(JSON.parse(event.data)));
  source.addEventListener("bye", () => {
    source.close();
    notice("The server has ended.");
  });
  source.addEventListener("error", () => {
    source.close();
    notice("The connection is lost; trying again.");
    setTimeout(() => follow(events), AGAIN_MS);
  });
}

const data = JSON.parse(byId("replay").textContent);
say(byId("where"), visible(data.where, 200));
list(data);
follow(data.events);
document.documentElement.dataset.ready = "true";
