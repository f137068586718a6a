// The controls: which decision is shown, from which perspective, and how fast.
import { html, say, show, visible } from "./dom.js";
import { extend, readRecord, seenFrom } from "./record.js";
import { drawingOf } from "./games.js";
import { analysisPanel, isMistake, judgedFrom } from "./analysis.js";
import { captionOf, detailPanel, movesPanel, showCaption, timesPanel, wholePanel } from "./panels.js";
import { hasMarks, marksOver } from "./marks.js";
import { zoomOf } from "./zoom.js";

const SPEEDS = [0.5, 1, 2, 4, 8, 16, 30];
const byId = (id) => document.getElementById(id);
const zoom = zoomOf(byId("board"), byId("zoom"));

const record = readRecord(byId("replay").textContent);
const { data, turns } = record;
let last = turns.length - 1;

let game = null;
let drawing = null;
let marks = null;
let hasDrawn = false;
let drawsMarks = true;
let panels = [];
let index = 0;
let drawn = -1;
let playing = false;
let speed = 2;
let analysis = 0;
// Whether more positions may come, and those that came and are not shown yet.
let isLive = Boolean(data.live);
let came = [];
let timer = null;
let cost = 0;

// The decision that the address names, as the index of its position.
function indexInAddress() {
  const found = /[#&]n=(\d{1,9})\b/.exec(location.hash);
  if (!found) return null;
  const turn = Number(found[1]);
  const after = turns.findIndex((its) => its.turn > turn);
  return after === -1 ? last : Math.max(after - 1, 0);
}

function draw(isStep) {
  const element = drawing.element;
  element.classList.toggle("animated", isStep && speed <= 8);
  drawing.draw(index);
  marks.draw(index, drawsMarks);
  zoom.centre(drawing.about?.(index));
  showCaption(captionOf(game, drawing, index), playing);
  for (const panel of panels) panel.draw(index, true);
  byId("scrub").value = String(index);
  byId("scrub").setAttribute("aria-valuetext", `Decision ${turns[index].turn} of ${turns[last].turn}`);
  say(byId("count"), `${turns[index].turn} of ${turns[last].turn}`);
  byId("first").disabled = byId("back").disabled = index === 0;
  byId("last").disabled = byId("forward").disabled = index === last;
  drawn = index;
}

let isDue = false;
let isAddressDue = false;

// Shows a position; several calls between two frames of the screen draw once.
function go(to, isStep = false) {
  index = Math.min(Math.max(to, 0), last);
  isAddressDue = true;
  if (isDue) return;
  isDue = true;
  requestAnimationFrame(() => {
    isDue = false;
    draw(isStep && Math.abs(index - drawn) === 1);
  });
}

// Browsers limit how often an address may change.
setInterval(() => {
  if (!isAddressDue) return;
  isAddressDue = false;
  // A frame in another page has no address of its own.
  if (location.protocol === "about:") return;
  // The end of a running game moves on.
  const address = isLive && index === last ? "#live" : `#n=${turns[index].turn}`;
  if (location.hash !== address) history.replaceState(null, "", address);
}, 250);

function play(on) {
  playing = on && (index < last || on === "again");
  if (playing && index === last) index = 0;
  byId("play").textContent = playing ? "\u275a\u275a" : "\u25b6";
  byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
  if (!playing) {
    showCaption(captionOf(game, drawing, index), false);
    return;
  }
  let before = performance.now();
  let passed = 0;
  const tick = (now) => {
    if (!playing) return;
    passed += Math.min(now - before, 500);
    before = now;
    const steps = Math.floor((passed * speed) / 1000);
    if (steps > 0) {
      passed -= (steps * 1000) / speed;
      index = Math.min(index + steps, last);
      isAddressDue = true;
      draw(steps === 1);
    }
    if (index === last) play(false);
    else requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function toggle() {
  play(playing ? false : "again");
}

function step(by) {
  play(false);
  go(index + by, Math.abs(by) === 1);
}

// Goes to the next decision for which something holds, and after the last one to the first.
function next(holds) {
  for (let away = 1; away <= last + 1; away++) {
    const at = (index + away) % (last + 1);
    if (holds(at)) {
      play(false);
      go(at);
      return;
    }
  }
}

const hasFault = (at) => game.events[at].some((event) => event.k === "fault");
const hasMistake = (at) => isMistake(game, at);
const hasReveal = (at) => drawing.isReveal?.(at) ?? false;

function setSpeed(by) {
  const at = Math.min(Math.max(SPEEDS.indexOf(speed) + by, 0), SPEEDS.length - 1);
  speed = SPEEDS[at];
  byId("speed").value = String(speed);
}

function see(key, hasGrown = false) {
  const perspective = data.perspectives.find((its) => its.key === key) ?? data.perspectives[0];
  game = seenFrom(record, perspective);
  game.judged = judgedFrom(game, analysis);
  drawing = drawingOf(game);
  marks = marksOver(game, drawing);
  hasDrawn = hasMarks(game);
  show(byId("marks"), hasDrawn);
  byId("board").replaceChildren(drawing.element);
  byId("side").replaceChildren(...drawing.side);
  zoom.begin(drawing);
  const times = timesPanel(game, (to) => { play(false); go(to); });
  const estimates = analysisPanel(game, (to) => { play(false); go(to); }, (which) => {
    analysis = which;
    see(game.perspective.key);
    // The menu was made again.
    byId("times").querySelector("select")?.focus();
  });
  byId("times").replaceChildren(...[estimates.element, times.element].filter((element) => element));
  const moves = movesPanel(game, drawing, (to) => { play(false); go(to); });
  panels = [estimates, times, moves, detailPanel(game, drawing)];
  if (!hasGrown) wholePanel(game);
  byId("next-fault").disabled = !turns.some((_, at) => hasFault(at));
  byId("next-reveal").disabled = !turns.some((_, at) => hasReveal(at));
  byId("next-mistake").disabled = !turns.some((_, at) => hasMistake(at));
  byId("perspective").value = perspective.key;
  draw(false);
}

// What the server of a running game said of it; nothing for a recorded one.
export function live() {
  return data.live;
}

export function positionsSoFar() {
  return came.length > 0 ? came.at(-1).n + 1 : turns.length;
}

// Says how the page is connected to a running game.
export function connection(text, isOn) {
  isLive = isOn;
  isAddressDue = last >= 0;
  byId("notice").hidden = text === "";
  say(byId("notice"), visible(text, 400));
  if (text === "") document.documentElement.dataset.over = "true";
}

// Adds positions of a running game. If the last position is shown, the new last one is shown.
export function add(positions) {
  if (last < 0) {
    location.reload();
    return;
  }
  came.push(...positions);
  timer ??= setTimeout(grow, Math.min(Math.max(4 * cost, 30), 2000));
}

function grow() {
  timer = null;
  const begun = performance.now();
  const wasLast = index === last && !playing;
  const hadFocus = byId("list").contains(document.activeElement);
  extend(record, came);
  came = [];
  const grown = turns.length - 1 - last;
  last = turns.length - 1;
  byId("scrub").max = String(last);
  see(game.perspective.key, true);
  if (wasLast && grown > 0) go(last, grown === 1);
  if (hadFocus) byId("list").querySelector("[aria-current]")?.focus();
  cost = performance.now() - begun;
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function nameTheme() {
  say(byId("theme"), isDark() ? "Light" : "Dark");
}

function changeTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
  nameTheme();
}

// Shows the board in another size.
function changeZoom() {
  zoom.toggle();
  zoom.centre(drawing.about?.(index));
}

// Shows or hides what bots draw.
function toggleMarks() {
  if (!hasDrawn) return;
  drawsMarks = !drawsMarks;
  byId("marks").setAttribute("aria-pressed", String(drawsMarks));
  marks.draw(index, drawsMarks);
}

function nextPerspective() {
  const all = data.perspectives;
  const at = all.findIndex((its) => its.key === game.perspective.key);
  see(all[(at + 1) % all.length].key);
}

const KEYS = {
  " ": toggle,
  ArrowLeft: () => step(-1),
  ArrowUp: () => step(-1),
  ArrowRight: () => step(1),
  ArrowDown: () => step(1),
  PageUp: () => step(-10),
  PageDown: () => step(10),
  Home: () => { play(false); go(0); },
  End: () => { play(false); go(last); },
  "+": () => setSpeed(1),
  "-": () => setSpeed(-1),
  f: () => next(hasFault),
  r: () => next(hasReveal),
  m: () => next(hasMistake),
  p: nextPerspective,
  z: changeZoom,
  b: toggleMarks,
  d: changeTheme,
  "?": () => byId("keys").showModal(),
};

function pressed(event) {
  if (last < 0) return;
  const { target, key } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || byId("keys").open) return;
  const isOpen = target.matches("select, summary, a");
  if (isOpen && (key === " " || key === "Enter" || target.matches("select"))) return;
  // A button is pressed by the space bar, a slider and a text that scrolls are moved by the arrows.
  if (key === " " && target.matches("button")) return;
  if (/^(Arrow|Page|Home|End)/.test(key)) {
    if (target.matches("input")) return;
    const scrolls = target.matches("pre, .zoomed") && (target.scrollHeight > target.clientHeight || target.scrollWidth > target.clientWidth);
    if (scrolls) return;
  }
  if (/^[0-9]$/.test(key)) {
    play(false);
    go(Math.round((last * Number(key)) / 10));
  } else if (event.shiftKey && (key === "ArrowLeft" || key === "ArrowRight")) {
    step(key === "ArrowLeft" ? -10 : 10);
  } else if (Object.hasOwn(KEYS, key)) {
    KEYS[key]();
  } else {
    return;
  }
  event.preventDefault();
}

function begin() {
  say(byId("title"), visible(data.game, 60));
  const names = record.seats.flatMap(({ seat, player }, at) => [at > 0 ? ", " : "", `${seat}: `, html("bdi", {}, player)]);
  byId("players").replaceChildren(...names);
  const notices = [];
  if (data.view_of) notices.push(`This is a copy of the game: only what ${visible(data.view_of, 60)} saw.`);
  if (data.unfinished) notices.push("The replay has no end: the game was interrupted, or is still being played.");
  byId("notice").hidden = notices.length === 0;
  say(byId("notice"), notices.join(" "));
  const options = data.perspectives.map(({ key, label }) => html("option", { value: key }, visible(label, 80)));
  byId("perspective").replaceChildren(...options);
  show(byId("perspective-label"), options.length > 1);
  byId("speed").replaceChildren(...SPEEDS.map((its) => html("option", { value: its }, `${its} a second`)));
  byId("speed").value = String(speed);
  byId("scrub").max = String(last);

  byId("perspective").addEventListener("change", (event) => see(event.target.value));
  byId("speed").addEventListener("change", (event) => { speed = Number(event.target.value); });
  byId("scrub").addEventListener("input", (event) => { play(false); go(Number(event.target.value)); });
  byId("theme").addEventListener("click", changeTheme);
  byId("zoom").addEventListener("click", changeZoom);
  byId("marks").addEventListener("click", toggleMarks);
  byId("help").addEventListener("click", KEYS["?"]);
  byId("play").addEventListener("click", toggle);
  byId("first").addEventListener("click", KEYS.Home);
  byId("last").addEventListener("click", KEYS.End);
  byId("back").addEventListener("click", () => step(-1));
  byId("forward").addEventListener("click", () => step(1));
  byId("next-fault").addEventListener("click", KEYS.f);
  byId("next-reveal").addEventListener("click", KEYS.r);
  byId("next-mistake").addEventListener("click", KEYS.m);
  show(byId("next-mistake"), data.analyses.length > 0);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", nameTheme);
  addEventListener("keydown", pressed);
  addEventListener("hashchange", () => {
    const to = indexInAddress();
    if (to !== null && to !== index) { play(false); go(to); }
  });
  nameTheme();
  document.documentElement.dataset.ready = "true";
  if (last < 0) {
    connection("The game has not begun.", true);
    return;
  }
  index = indexInAddress() ?? (isLive ? last : 0);
  isAddressDue = true;
  // What is hidden stays hidden until it is asked for: the first perspective shows the least.
  see(data.perspectives[0].key);
}

begin();
