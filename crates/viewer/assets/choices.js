// What a person can pick: every legal action as the picks that lead to it, one after the other. A
// pick is a place of the board (`place`), or one of several choices (without a place); `name` says it
// in words.
import { percent, visible } from "./dom.js";
import { canonical, inWords } from "./values.js";

const TICKETS = { taxi: "taxi", bus: "bus", underground: "underground", black: "black ticket" };

// The directions of keys on a grid, as columns and rows.
const DIRECTIONS = {
  ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0],
  w: [0, -1], s: [0, 1], a: [-1, 0], d: [1, 0],
  q: [-1, -1], e: [1, -1], y: [-1, 1], z: [-1, 1], c: [1, 1], x: [0, 0],
};

function ofDraughts(now, legal, action) {
  return String(action).split(/[-x]/).map((square, index) => ({
    place: Number(square),
    name: index === 0 ? `piece on ${square}` : `to ${square}`,
  }));
}

function stationOf(view, action) {
  return action.detective ? view.detectives[action.detective - 1]?.station : view.mr_x.station;
}

function ofScotlandYard({ view }, legal, action) {
  const picks = [];
  const hasSeveral = legal.some(({ detective }) => detective !== legal[0].detective);
  if (action.detective && hasSeveral) {
    const station = stationOf(view, action);
    picks.push({ place: station, name: `detective ${action.detective}, at ${station}` });
  }
  const from = stationOf(view, action);
  const who = action.detective && !hasSeveral ? `detective ${action.detective} ` : "";
  picks.push({ place: action.to, name: `${who}${action.to === from ? "stay at" : "to"} ${action.to}` });
  const ticket = TICKETS[action.ticket] ?? String(action.ticket);
  picks.push({ name: action.double ? `${ticket}, first step of a double move` : ticket });
  return picks;
}

function ofDiceWars({ view, setup }, legal, action) {
  const [from, to] = action?.attack ?? action?.transfer ?? [];
  if (!from) return [{ name: "end the turn" }];
  const dice = view.dice[from - 1];
  const first = { place: from, name: `area ${from}, ${dice} dice` };
  if (action.transfer) return [first, { place: to, name: `move dice to area ${to}` }];
  const against = view.dice[to - 1];
  const odds = setup.odds?.[dice - 1]?.[against - 1];
  const words = odds === undefined ? "" : `, won with ${percent(odds)}`;
  return [first, { place: to, name: `attack area ${to}: ${dice} against ${against}${words}` }];
}

function ofLiarsDice(now, legal, action) {
  const bid = action?.bid;
  return [{ name: bid ? `bid ${bid.count} ${bid.count === 1 ? "die" : "dice"}, face ${bid.face}` : "call the last bid a lie" }];
}

// The step in a direction on a grid, of the detective that was picked or else of the first one that has
// not moved.
function stepOfScotlandYard({ setup, view }, left, [columns, rows]) {
  if (!setup.width) return null;
  const column = (station) => (station - 1) % setup.width;
  const row = (station) => Math.floor((station - 1) / setup.width);
  const fits = ({ action }) => {
    const from = stationOf(view, action);
    return column(action.to) - column(from) === columns && row(action.to) - row(from) === rows;
  };
  const detective = left.reduce((least, { action }) => Math.min(least, action.detective ?? 0), Infinity);
  const found = left.find((path) => (path.action.detective ?? 0) === detective && fits(path));
  return found ? found.picks.filter(({ place }) => place !== undefined).map(keyOf) : [];
}

// What a person can pick in a game, by its name:
//
// * `picks(now, legal, action)`: the picks of an action. `now` has the game's name, its setup, and the view
//   of the seat to move.
// * perhaps `step(now, paths, direction)`: the picks that a key for a direction stands for. `null`: the key
//   is not a direction here.
const CHOICES = {
  draughts: { picks: ofDraughts },
  "scotland-yard": { picks: ofScotlandYard, step: stepOfScotlandYard },
  "dice-wars": { picks: ofDiceWars },
  "connect-four": { picks: (now, legal, { column }) => [{ place: column, name: `column ${column}` }] },
  "liars-dice": { picks: ofLiarsDice },
};

// Every other game: a list of its actions, by the names that its drawing gives them.
const ANY_GAME = { picks: (now, legal, action) => [{ name: now.labels?.get(canonical(action)) ?? visible(inWords(action), 100) }] };

function choicesOf(name) {
  return Object.hasOwn(CHOICES, name) ? CHOICES[name] : ANY_GAME;
}

// The key of a pick: different picks have different keys.
export function keyOf(pick) {
  return pick.place === undefined ? pick.name : `@${pick.place}`;
}

// All legal actions with their picks.
export function pathsOf(now, legal) {
  return legal.map((action) => ({ action, picks: choicesOf(now.name).picks(now, legal, action) }));
}

// The paths that begin with what was picked.
export function pathsAfter(paths, picked) {
  return paths.filter(({ picks }) => picked.every((key, index) => picks[index] && keyOf(picks[index]) === key));
}

// The different picks that can follow.
export function nextPicks(paths, picked) {
  const next = new Map();
  for (const { picks } of pathsAfter(paths, picked)) {
    const pick = picks[picked.length];
    if (pick && !next.has(keyOf(pick))) next.set(keyOf(pick), pick);
  }
  return next;
}

// Further places at which exactly one of the remaining actions ends: the last square of a jump.
export function distantPicks(paths, picked) {
  const found = new Map();
  if (picked.length === 0) return found;
  const next = nextPicks(paths, picked);
  for (const path of pathsAfter(paths, picked)) {
    const last = path.picks.at(-1);
    const key = keyOf(last);
    if (last.place === undefined || next.has(key)) continue;
    found.set(key, found.has(key) ? null : { pick: last, path });
  }
  for (const [key, its] of found) if (its === null) found.delete(key);
  return found;
}

// The actions that are decided after these picks, without a further one: one action if no other
// begins so and no place is left to pick; several if their picks are the same.
export function decided(paths, picked) {
  const left = pathsAfter(paths, picked);
  if (picked.length === 0 || left.length === 0) return [];
  if (left.length === 1 && left[0].picks.slice(picked.length).every(({ place }) => place === undefined)) return left;
  return left.every(({ picks }) => picks.length === picked.length) ? left : [];
}

// The picks that a key stands for: see `step` of a game. `null`: the key is not a direction here.
export function picksByKey(now, paths, picked, key) {
  const direction = DIRECTIONS[key.length === 1 ? key.toLowerCase() : key];
  const { step } = choicesOf(now.name);
  return direction && step ? step(now, pathsAfter(paths, picked), direction) : null;
}
