// A game that a person plays: positions and the state of the game come from the server as events, and
// what the person decides is sent to it. The server has the rules; the page offers the actions that it
// calls legal.
//
// The data of the page are `token`, which every command needs, and the addresses `do` (commands),
// `events` and `replay`. On the pages of a site, `form` says that commands are forms with the token, `gone` what
// is said when the games have ended, and `one_seat` that a person plays one seat. Events are
//
// * `game`: `game`, the number of what is shown, and `about`, the game without positions, or null if
//   nothing may be shown;
// * `positions`: further positions; the last one may come again, changed;
// * `state`: the state of the game, such as its phase, the seats, the decision that is due.
import { html, say, set, show, svg, visible } from "./dom.js";
import { extend, outcomeInWords, readRecord, seatName, seenFrom } from "./record.js";
import { drawingOf } from "./games.js";
import { captionOf, scores, showCaption } from "./panels.js";
import { zoomOf } from "./zoom.js";
import { canonical, inWords } from "./values.js";
import { estimateElements } from "./estimates.js";
import { reviewElements } from "./review.js";
import { levelIn, offerLevels } from "./levels.js";
import { choiceList } from "./choice_list.js";
import { decided, distantPicks, keyOf, nextPicks, pathsAfter, pathsOf, picksByKey } from "./choices.js";

const AGAIN_MS = 1000;
// A move is shown this long before the next one, and all moves that wait at most that long.
const STEP_MS = 450;
const LONGEST_MS = 6000;
const SHORTEST_MS = 40;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const byId = (id) => document.getElementById(id);
const zoom = zoomOf(byId("board"), byId("zoom"));
const choices = choiceList(byId("choices"));
const page = JSON.parse(byId("replay").textContent);

// The number of what is shown: another one stands for another game, or another perspective.
let number = null;
let record = null;
let game = null;
let drawing = null;
let state = null;
// The index of the position that is shown, when it was drawn, and the timer of the next one.
let shown = -1;
let drawnAt = 0;
let timer = null;
let picked = [];
// What bots said at decisions: lists of texts by the numbers of the decisions.
let remarks = new Map();
// Whether the person asked for the bots' estimates.
let isEstimating = false;
// Whether a decision was sent that the server has not answered by a new state.
let isSending = false;
let isGone = false;
let connection = "";
let refusal = "";
// The decision that was offered last.
let offered = 0;
// Where the focus was when what had it was removed: `board` or `choices`.
let lostFocus = null;

const last = () => (record ? record.turns.length - 1 : -1);
const isSettled = () => shown >= 0 && shown === last();
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const ownSeats = () => state.seats.filter(({ own }) => own).map(({ seat }) => seat);

// The decision that the person can make now.
function question() {
  const its = state?.question;
  if (!its || isSending || isGone || !isSettled() || state.game !== number) return null;
  return game.turns[shown].turn === its.turn - 1 ? its : null;
}

function paths(its) {
  return pathsOf(moment(), its.legal);
}

function moment() {
  return { name: game.data.game, setup: game.setup, view: game.views[shown], labels: drawing.labels?.() };
}

function notice() {
  const text = connection || refusal;
  byId("notice").hidden = text === "";
  say(byId("notice"), visible(text, 400));
}

// Sends a command. Returns why it was refused; nothing if it was carried out.
async function send(command) {
  try {
    const text = JSON.stringify({ game: number, ...command });
    const sent = page.form
      ? { body: new URLSearchParams({ token: page.token, command: text }) }
      : { headers: { "content-type": "application/json", "x-botyard-token": page.token }, body: text };
    const response = await fetch(page.do, { method: "POST", redirect: "manual", ...sent });
    if (response.ok) return "";
    if (response.type === "opaqueredirect") return "You are not signed in any more: sign in and load this page again.";
    const isText = response.headers.get("content-type")?.startsWith("text/plain");
    return (isText && (await response.text()).trim()) || `refused (${response.status})`;
  } catch {
    return "The server does not answer.";
  }
}

async function order(command) {
  refusal = await send(command);
  if (refusal) isSending = false;
  render();
}

function play(action) {
  const its = question();
  if (!its) return;
  isSending = true;
  picked = [];
  render();
  order({ do: "play", turn: its.turn, action });
}

// Sends an action that the person has typed.
function type(text) {
  const its = question();
  if (!its) return;
  isSending = true;
  render();
  order({ do: "type", turn: its.turn, text });
}

function choose(key) {
  picked = [...picked, key];
  settle();
}

// Plays the action if the picks decide it.
function settle() {
  const its = question();
  if (!its) return;
  const done = decided(paths(its), picked);
  if (done.length === 1) play(done[0].action);
  else render();
}

function startAgain(picks = []) {
  picked = picks;
  render();
}

function undo() {
  if (!byId("undo").disabled && state.offers.undo) order({ do: "undo" });
}

function hint() {
  const its = question();
  if (its && state.offers.hints && !byId("hint").disabled) order({ do: "hint", turn: its.turn });
}

// Shows or hides the bots' estimates, where there are any.
function estimate() {
  if (!state.estimates) return;
  isEstimating = !isEstimating;
  render();
}

function renderEstimates() {
  const { estimates } = state;
  show(byId("estimate"), Boolean(estimates));
  const isShown = Boolean(estimates) && isEstimating && shown >= 0;
  set(byId("estimate"), "aria-pressed", isShown);
  byId("estimates").hidden = !isShown;
  byId("estimates").replaceChildren(...(isShown ? estimateElements(state.seats, estimates, game.turns[shown].turn) : []));
}

function skip() {
  clearTimeout(timer);
  timer = null;
  shown = last();
  if (drawing) draw(false);
  render();
}

// Shows the next position that waits, one after the other.
function schedule() {
  const waiting = last() - shown;
  if (timer !== null || waiting <= 0) return;
  const each = Math.min(Math.max(LONGEST_MS / waiting, SHORTEST_MS), STEP_MS);
  const since = performance.now() - drawnAt;
  timer = setTimeout(() => {
    timer = null;
    shown = Math.min(shown + 1, last());
    draw(true);
    schedule();
    render();
  }, Math.max(each - since, SHORTEST_MS));
}

function draw(isStep) {
  drawing.element.classList.toggle("animated", isStep);
  drawing.draw(shown);
  zoom.centre(drawing.about?.(shown));
  drawnAt = performance.now();
  showCaption(wordsAt(shown), false);
  const log = byId("log");
  // The last entry may have changed since.
  for (let index = Math.max(log.children.length - 1, 0); index <= shown; index++) {
    const entry = entryAt(index);
    if (log.children[index]) log.children[index].replaceWith(entry);
    else log.append(entry);
  }
  log.scrollTop = log.scrollHeight;
}

// The entry of the log for a position: what happened, and what the bot said.
function entryAt(index) {
  const isOwn = game.events[index].some(({ k, s }) => k === "move" && game.data.own.includes(game.seats[s]?.seat));
  const said = (remarks.get(game.turns[index].turn) ?? []).map((text) => html("bdi", { class: "remark" }, visible(text, 500)));
  return html("li", { class: isOwn ? "own" : null }, wordsAt(index), ...said);
}

// Takes the remarks of a state. A state has the last ones only.
function remember({ remarks: its }) {
  const said = new Map();
  for (const [turn, text] of its) said.set(turn, [...(said.get(turn) ?? []), text]);
  const entries = game?.turns ?? [];
  // Of the first of them, a part may be missing.
  for (const [turn, texts] of said) {
    const before = remarks.get(turn) ?? [];
    if (texts.length <= before.length) continue;
    remarks.set(turn, texts);
    const index = entries.findIndex((entry) => entry.turn === turn);
    byId("log").children[index]?.replaceWith(entryAt(index));
  }
}

// What happened at a position. To the referee, a person who resigns is a bot that closes its output.
function wordsAt(index) {
  const isResignation = ({ k, s, kind }) => k === "fault" && kind === "closed" && game.data.own.includes(game.seats[s]?.seat);
  const resigned = game.events[index].find(isResignation);
  return resigned ? `Turn ${game.turns[index].turn}. ${seatName(game, resigned.s)} resigns.` : captionOf(game, drawing, index);
}

// Begins another game, or another perspective of it; without one, nothing is shown.
function begin({ game: its, about }) {
  clearTimeout(timer);
  timer = null;
  [number, shown, drawnAt, picked, offered] = [its, -1, 0, [], 0];
  [game, drawing] = [null, null];
  remarks = new Map();
  if (state?.game === number) remember(state);
  record = about ? readRecord(JSON.stringify(about)) : null;
  rememberFocus();
  for (const id of ["board", "side", "log"]) byId(id).replaceChildren();
  say(byId("caption"), "");
}

function add(positions) {
  if (!record) return;
  extend(record, positions);
  game = seenFrom(record, record.data.perspectives[0]);
  rememberFocus();
  drawing = drawingOf(game);
  // It has controls in it, which an image has not.
  if (drawing.target) drawing.element.setAttribute("role", "group");
  byId("board").replaceChildren(drawing.element);
  byId("side").replaceChildren(...drawing.side);
  zoom.begin(drawing);
  if (shown < 0 || isStill()) shown = last();
  const wasDrawnAt = drawnAt;
  draw(false);
  if (wasDrawnAt > 0) drawnAt = wasDrawnAt;
  schedule();
  render();
}

function rememberFocus() {
  const focused = document.activeElement;
  if (focused?.closest(".targets, .pick")) lostFocus = "board";
  else if (focused?.closest("#choices, #advice")) lostFocus = "choices";
}

function phase() {
  // A position of the new game may come before its state.
  if (state?.phase === "choose") return "choose";
  if (!state || state.game !== number) return "wait";
  if (state.phase === "playing") {
    if (state.curtain) return "curtain";
    return question() ? "move" : "wait";
  }
  return state.phase === "over" && !isSettled() ? "wait" : state.phase;
}

function statusInWords(its) {
  if (isGone && its !== "over" && its !== "problem") return "The game is left unfinished.";
  if (connection && its === "wait") return "Waiting for the server.";
  const own = ownSeats();
  switch (its) {
    case "move": return `Your turn${own.length > 1 ? ` as ${question().seat}` : `: you are ${question().seat}`}.`;
    case "over": return "The game is over.";
    case "problem": return `The game cannot be played: ${visible(state.problem, 1000)}`;
    case "starting": return "The bots start.";
    case "curtain": return "";
    default: return shown < last() ? "The bots have moved." : "The bots think.";
  }
}

function resultElements() {
  const { outcome } = game?.events.flat().find(({ k }) => k === "end") ?? {};
  if (!outcome) return [html("p", {}, "The game has no end.")];
  const own = state.seats.flatMap((its, index) => (its.own ? [index] : []));
  const place = Math.min(...own.map((index) => outcome.ranks[index] ?? Infinity));
  const isDraw = outcome.ranks.every((rank) => rank === 1);
  const words = [];
  if (outcome.kind !== "void" && own.length < state.seats.length) {
    const more = state.seats.length > 2 && Number.isFinite(place) ? ` Place ${place} of ${state.seats.length}.` : "";
    words.push(isDraw ? "A draw." : place === 1 ? "You win." : `You lose.${more}`);
  }
  words.push(state.has_resigned ? "You have resigned." : outcomeInWords(game, outcome));
  const saved = state.saved ? html("span", {}, " saved as ", html("code", {}, visible(state.saved, 300))) : null;
  const link = state.has_replay && html("p", {}, html("a", { id: "replay-link", href: page.replay, target: "_blank", rel: "noopener" }, "Replay of the game"), saved);
  return [html("p", {}, words.join(" ")), scores(game, outcome), link].filter((element) => element);
}

function adviceElements(its) {
  const advice = state.hint;
  if (!its || !advice || advice.turn !== its.turn) return [];
  if (advice.thinking) return [html("p", {}, "A strong bot thinks.")];
  if (!("action" in advice)) return [html("p", {}, "No built-in bot has a hint for this game.")];
  const seat = game.seats.findIndex(({ seat }) => seat === its.seat);
  const words = visible(drawing.describe({ k: "move", s: seat, value: advice.action }), 200);
  const score = Number.isFinite(advice.score) ? ` Its score: ${advice.score.toFixed(2)}.` : "";
  const button = html("button", { type: "button", id: "play-hint", "data-pick": "hint" }, "Play it");
  button.addEventListener("click", () => play(advice.action));
  return [html("p", {}, html("bdi", {}, visible(advice.bot, 60)), ` would play: ${words}${score}`), button];
}

// The picks of the hint that are places.
function hinted(its, all) {
  if (!its || state.hint?.turn !== its.turn || !state.hint.action) return new Set();
  const wanted = JSON.stringify(state.hint.action);
  const path = all.find(({ action }) => JSON.stringify(action) === wanted);
  return new Set((path?.picks ?? []).filter(({ place }) => place !== undefined).map(keyOf));
}

// The places that can be picked, over the drawing.
function targetLayer(its, all, next) {
  const places = new Map();
  if (picked.length > 0) {
    for (const [key, pick] of nextPicks(all, [])) {
      if (pick.place === undefined) continue;
      places.set(pick.place, { key, name: pick.name, kind: "other", act: () => startAgain([key]) });
    }
    for (const [key, { pick, path }] of distantPicks(all, picked)) {
      places.set(pick.place, { key, name: `${pick.name}, the end of the move`, kind: "far", act: () => play(path.action) });
    }
    const path = pathsAfter(all, picked)[0];
    for (const pick of path.picks.slice(0, picked.length)) {
      if (pick.place === undefined) continue;
      places.set(pick.place, { key: keyOf(pick), name: `${pick.name}, picked; start again`, kind: "picked", act: () => startAgain() });
    }
  }
  for (const [key, pick] of next) {
    if (pick.place !== undefined) places.set(pick.place, { key, name: pick.name, kind: "next", act: () => choose(key) });
  }
  const marks = hinted(its, all);
  const layer = svg("g", { class: "targets" });
  for (const [place, { key, name, kind, act }] of places) {
    const element = svg("g", {
      class: `target ${kind}${marks.has(key) ? " hinted" : ""}`, role: "button", tabindex: "0", "aria-label": name, "data-pick": key, "data-place": place,
    }, svg("title", {}, name), drawing.target(place));
    element.addEventListener("click", act);
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      act();
    });
    layer.append(element);
  }
  return layer;
}

// What a person looks for on the board: what can be picked, or else what has happened.
function sought() {
  return drawing?.element.querySelector(".targets .next, .pick") ?? drawing?.about?.(shown);
}

// Offers what can be picked, on the board and as buttons.
function offer() {
  const focused = document.activeElement?.dataset?.pick;
  rememberFocus();
  drawing?.element.querySelector(":scope > .targets")?.remove();
  const its = question();
  byId("advice").replaceChildren(...adviceElements(its));
  if (!its) {
    choices.clear();
    drawing?.offer?.(new Map());
    return;
  }
  if (its.typed) offerField(its);
  else offerActions(its);
  if (offered !== its.turn) zoom.centre(sought());
  offered = its.turn;
  restoreFocus(focused);
}

// Offers a field for an action, as the game does not list them. What the drawing marks may be one.
function offerField(its) {
  choices.ask(its.turn, its.typed === "text", type);
  drawing.offer?.((action) => ({ name: inWords(action), act: () => play(action) }));
}

function offerActions(its) {
  const all = paths(its);
  if (pathsAfter(all, picked).length === 0) picked = [];
  const next = nextPicks(all, picked);
  const entries = [...next].map(([key, pick]) => ({ key, name: pick.name, act: () => choose(key) }));
  if (next.size === 0) {
    for (const { action } of pathsAfter(all, picked)) {
      const name = JSON.stringify(action);
      entries.push({ key: name, name, act: () => play(action) });
    }
  }
  const names = pathsAfter(all, picked)[0].picks.slice(0, picked.length).map(({ name }) => name);
  const before = picked.length > 0 ? `Picked: ${names.join(", ")}.` : "";
  choices.offer(entries, before, { key: "start again", name: "Start again", act: () => startAgain() });
  if (drawing.target) drawing.element.append(targetLayer(its, all, next));
  drawing.offer?.(new Map(all.map(({ action, picks }) => [canonical(action), { name: picks[0].name, act: () => play(action) }])));
}

// Puts the focus where it was, as far as that is there.
function restoreFocus(key) {
  const has = document.activeElement;
  if (has && has !== document.body) lostFocus = null;
  if (!lostFocus) return;
  const place = lostFocus === "board" && (drawing.target || drawing.offer) ? drawing.element : byId("choices");
  lostFocus = null;
  const all = [...place.querySelectorAll("[data-pick]")];
  const same = all.find((element) => element.dataset.pick === key && !element.matches(".picked"));
  const first = all.find((element) => element.matches(".next, .pick, button:not([data-pick='start again'])"));
  (same ?? first ?? all[0])?.focus({ preventScroll: true });
}

function render() {
  if (!state) return;
  const its = phase();
  const { dataset } = document.documentElement;
  dataset.phase = its;
  dataset.ready = "true";
  const isHidden = its === "curtain" || its === "choose";
  for (const id of ["stage", "aside", "zoom"]) byId(id).hidden = isHidden;
  byId("curtain").hidden = its !== "curtain";
  byId("choose").hidden = its !== "choose";
  say(byId("title"), visible(state.name, 60));
  const names = state.seats.flatMap(({ seat, player }, at) => [at > 0 ? ", " : "", `${visible(seat, 60)}: `, html("bdi", {}, visible(player, 60))]);
  byId("players").replaceChildren(...(its === "choose" ? [] : names));
  document.title = its === "move" ? `Your turn: ${visible(state.name, 60)}` : visible(state.name, 60);
  notice();
  if (its === "choose") {
    chooseSeat();
    return;
  }
  if (its === "curtain") {
    const seat = visible(state.curtain, 60);
    say(byId("curtain-title"), `Hand over to ${seat}`);
    say(byId("look"), `I am ${seat}: show the position`);
    byId("look").disabled = isGone;
  }
  say(byId("status"), statusInWords(its));
  const isDone = its === "over" || its === "problem";
  byId("result").replaceChildren(...(its === "over" ? resultElements() : []));
  byId("reviewed").replaceChildren(...(its === "over" ? reviewElements(state.review) : []));
  show(byId("skip"), shown < last());
  show(byId("undo"), state.offers.undo && !isDone);
  show(byId("hint"), state.offers.hints && !isDone);
  byId("undo").disabled = !state.can_undo || isGone;
  byId("hint").disabled = its !== "move" || Boolean(state.hint?.thinking);
  show(byId("resign"), !isDone);
  byId("resign").disabled = its !== "move";
  show(byId("review"), its === "over" && Boolean(state.can_review) && (!state.review || Boolean(state.review.problem)));
  byId("review").disabled = isGone;
  show(byId("again"), isDone);
  const own = ownSeats();
  show(byId("swap"), isDone && own.length === 1 && state.seats.length > 1);
  say(byId("swap"), state.seats.length === 2 ? "Swap sides" : `Play ${visible(nextSeat(), 60)}`);
  for (const id of ["again", "swap", "new"]) byId(id).disabled = isGone;
  renderEstimates();
  byId("faults").hidden = state.faults.length === 0;
  byId("fault-list").replaceChildren(...state.faults.map((fault) => html("li", {}, visible(fault, 1500))));
  offer();
}

function chooseSeat() {
  const box = byId("choose-seats");
  for (const button of box.children) button.disabled = isGone;
  if (box.hasChildNodes()) return;
  offerLevels(byId("choose-level"), state.levels);
  for (const { seat } of state.seats) {
    const button = html("button", { type: "button", "data-seat": seat }, `Play ${visible(seat, 60)}`);
    button.addEventListener("click", () => order({ do: "new", seats: [seat], ...levelIn(byId("choose-level")) }));
    box.append(button);
  }
}

function newGame() {
  const own = new Set(ownSeats());
  const boxes = state.seats.map(({ seat }) => {
    const box = html("input", { type: page.one_seat ? "radio" : "checkbox", name: "seat", value: seat });
    box.checked = own.has(seat);
    return html("label", {}, box, ` ${visible(seat, 60)}`);
  });
  byId("seat-boxes").replaceChildren(...boxes);
  offerLevels(byId("new-level"), state.levels);
  const isRunning = state.phase === "playing" || state.phase === "starting";
  say(byId("seats-note"), isRunning ? "The current game is left unfinished." : "");
  say(byId("seats-error"), "");
  byId("seats").showModal();
}

async function beginNew(event) {
  event.preventDefault();
  const seats = [...byId("seat-boxes").querySelectorAll("input:checked")].map(({ value }) => value);
  const error = seats.length === 0 ? "Choose at least one seat." : await send({ do: "new", seats, ...levelIn(byId("new-level")) });
  say(byId("seats-error"), visible(error, 400));
  if (!error) byId("seats").close();
}

function askToResign() {
  const several = ownSeats().length > 1;
  say(byId("confirm-title"), several ? "Resign with all your seats?" : "Resign the game?");
  say(byId("yes"), "Resign");
  byId("confirm").showModal();
}

// The seat after the person's own: the other one of two.
function nextSeat() {
  const own = state.seats.findIndex(({ own }) => own);
  return state.seats[(own + 1) % state.seats.length].seat;
}

function swapSides() {
  order({ do: "new", seats: [nextSeat()] });
}

// Focuses the nearest lit place in a direction.
function moveFocus(from, [dx, dy]) {
  const others = from.matches(".pick") ? drawing.element.querySelectorAll(".pick[tabindex]") : from.parentElement.children;
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2, top + height / 2];
  };
  const [x, y] = middle(from);
  let best = null;
  let least = Infinity;
  for (const element of others) {
    const [ex, ey] = middle(element);
    const along = (ex - x) * dx + (ey - y) * dy;
    const cost = along + 2 * (Math.abs((ex - x) * dy) + Math.abs((ey - y) * dx));
    if (along > 1 && cost < least) [best, least] = [element, cost];
  }
  best?.focus();
}

const KEYS = { u: undo, h: hint, e: estimate, "?": () => byId("keys").showModal() };

function pressed(event) {
  const { key, target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  if (target.matches("input, ol, pre, summary") || !state) return;
  const its = question();
  if (key === "Escape") {
    if (shown < last()) skip();
    else if (picked.length > 0) startAgain();
    return;
  }
  const picks = its && !its.typed ? picksByKey(moment(), paths(its), picked, key) : null;
  if (picks !== null) {
    if (picks.length > 0) {
      picked = picks;
      settle();
    }
  } else if (ARROWS[key] && target.closest(".target, .pick")) {
    moveFocus(target.closest(".target, .pick"), ARROWS[key]);
  } else if (Object.hasOwn(KEYS, key)) {
    KEYS[key]();
  } else {
    return;
  }
  event.preventDefault();
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function nameTheme() {
  say(byId("theme"), isDark() ? "Light" : "Dark");
}

function connect(text) {
  connection = text;
  notice();
  render();
}

function follow() {
  const source = new EventSource(page.events);
  source.addEventListener("open", () => connect(""));
  source.addEventListener("game", (event) => begin(JSON.parse(event.data)));
  source.addEventListener("positions", (event) => add(JSON.parse(event.data)));
  source.addEventListener("state", (event) => {
    const before = state;
    state = JSON.parse(event.data);
    isSending = false;
    if (state.game === number) remember(state);
    if (before?.question?.turn !== state.question?.turn || before?.game !== state.game) [picked, refusal] = [[], ""];
    render();
  });
  source.addEventListener("bye", () => {
    source.close();
    isGone = true;
    connect(page.gone ?? "The server has ended: start botyard play again for another game.");
  });
  source.addEventListener("error", () => {
    source.close();
    connect("The connection is lost; trying again.");
    setTimeout(follow, AGAIN_MS);
  });
}

byId("undo").addEventListener("click", undo);
byId("hint").addEventListener("click", hint);
byId("estimate").addEventListener("click", estimate);
byId("skip").addEventListener("click", skip);
byId("resign").addEventListener("click", askToResign);
byId("yes").addEventListener("click", () => {
  byId("confirm").close();
  order({ do: "resign" });
});
byId("no").addEventListener("click", () => byId("confirm").close());
byId("review").addEventListener("click", () => order({ do: "review" }));
byId("again").addEventListener("click", () => order({ do: "new", seats: ownSeats() }));
byId("swap").addEventListener("click", swapSides);
byId("new").addEventListener("click", newGame);
byId("seats-form").addEventListener("submit", beginNew);
byId("cancel").addEventListener("click", () => byId("seats").close());
byId("look").addEventListener("click", () => order({ do: "look", seat: state.curtain }));
byId("help").addEventListener("click", KEYS["?"]);
byId("zoom").addEventListener("click", () => {
  zoom.toggle();
  zoom.centre(sought());
});
byId("theme").addEventListener("click", () => {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
addEventListener("keydown", pressed);
nameTheme();
follow();
