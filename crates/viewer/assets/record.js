// The game as the page has it: a track of views for each perspective, and the events that all share.
import { visible } from "./dom.js";

// Applies a patch: see `page/patch.rs`. What does not change is shared with the old value.
export function patched(old, patch) {
  if (patch === null || patch === undefined) return old;
  if ("v" in patch) return patch.v;
  if ("o" in patch) {
    const changed = { ...old };
    for (const key of patch.d ?? []) delete changed[key];
    for (const [key, change] of Object.entries(patch.o)) changed[key] = patched(changed[key], change);
    return changed;
  }
  if ("e" in patch) return edited(old, patch.e);
  const changed = old.slice(0, patch.l);
  changed.length = patch.l;
  for (const [index, change] of Object.entries(patch.i)) changed[index] = patched(changed[index], change);
  return changed;
}

function edited(old, edits) {
  const changed = [];
  let at = 0;
  for (const edit of edits) {
    if (Array.isArray(edit)) changed.push(...edit);
    else if (typeof edit === "object") changed.push(patched(old[at++], edit));
    else if (edit < 0) at -= edit;
    else for (const end = at + edit; at < end; at++) changed.push(old[at]);
  }
  return changed;
}

// All views and drawings of a track.
function unfolded({ setup, frames }) {
  const views = [];
  const happened = [];
  const drawings = [];
  for (const [patch, events, drawing] of frames) {
    views.push(patched(views.at(-1) ?? null, patch));
    happened.push(events ?? []);
    drawings.push(patched(drawings.at(-1) ?? null, drawing));
  }
  return { setup, views, happened, drawings };
}

// Reads the data of the page.
export function readRecord(text) {
  const data = JSON.parse(text);
  const tracks = data.tracks.map(unfolded);
  const seats = data.seats.map(({ seat, player }) => ({
    seat: visible(seat, 60),
    player: visible(player, 60),
    index: data.players.findIndex((its) => its.name === player),
  }));
  const turns = data.turns.map(([turn, events]) => ({ turn, events }));
  const record = { data, tracks, seats, turns };
  extend(record, data.positions ?? []);
  return record;
}

// Adds positions of a running game, each after those before it. The last one may come again, changed.
export function extend({ tracks, turns }, positions) {
  for (const { n, turn: [turn, events], frames } of positions) {
    if (n > turns.length) return;
    turns[n] = { turn, events };
    frames.forEach(([patch, happened, drawing], index) => {
      const track = tracks[index];
      track.views[n] = patched(track.views[n - 1] ?? null, patch);
      track.happened[n] = happened ?? [];
      track.drawings[n] = patched(track.drawings[n - 1] ?? null, drawing);
    });
  }
}

// What one perspective sees of a record: what a drawing is made from.
export function seenFrom(record, perspective) {
  const { setup, views, happened, drawings } = record.tracks[perspective.track];
  // The events of each decision, with the actions and outcomes that belong to them.
  const events = record.turns.map((turn, index) => {
    let next = 0;
    return turn.events.map((event) => {
      const isPlayed = event.k === "move" || event.k === "chance";
      return isPlayed ? { ...event, value: happened[index][next++] } : event;
    });
  });
  const texts = new Set(perspective.texts);
  const isOwn = (event) => texts.has(event.k === "log" ? event.p : record.seats[event.s]?.index);
  return { ...record, rules: record.data.rules, setup, views, drawings, events, isOwn, texts, perspective };
}

// How a seat is called.
export function seatName(game, seat) {
  return game.seats[seat]?.seat ?? "a seat";
}

// A remark on who chose an action, if it was not the seat's bot.
export function chosenBy(event) {
  return { referee: " (by the referee)", record: " (from an earlier game)" }[event.by] ?? "";
}

// Whether the name of a seat is a plural, such as `detectives`.
const isPlural = (seat) => seat.endsWith("s") && !/(ss|us|is)$/.test(seat);

// The outcome as a sentence.
export function outcomeInWords(game, outcome) {
  const reason = visible(outcome.reason, 60);
  if (outcome.kind === "void") return `The game is void (${reason}).`;
  const first = game.seats.filter((_, index) => outcome.ranks[index] === 1).map(({ seat }) => seat);
  const adjudicated = reason.startsWith("adjudicated_");
  const by = adjudicated ? `Adjudicated (${reason.replace("adjudicated_", "")}):` : `Over (${reason}):`;
  const over = game.data.imported && outcome.reason === "recorded" ? "As recorded:" : by;
  if (first.length === game.seats.length) {
    // Failing last is not a win, so the places are those of a draw.
    return outcome.kind === "bot_fault" ? `${over} every bot has failed; there is no winner.` : `${over} a draw.`;
  }
  return `${over} ${first.join(", ")} ${first.length === 1 && !isPlural(first[0]) ? "wins" : "win"}.`;
}
