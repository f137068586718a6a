/** Games as programs: what a class becomes, what the kit checks, and the value-stable random numbers. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { CHANCE, Game, GameError, OPENING, Outcome, Program, Random, Refused } from "../botyard/rules.js";
import { ROOT } from "./kit.mjs";

/** @typedef {Record<string, any>} Json */

const BITS = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

class Nim extends Game {
  name = "nim";
  seats = ["first", "second"];
  /** @type {Json} */
  rules = { heaps: [3, 4, 5] };
  presets = {
    standard: { about: "three heaps", rules: {} },
    short: { about: "two heaps", rules: { heaps: [1, 2] } },
  };

  /** @override */
  checkRules() {
    if (this.rules.heaps.length < 1) {
      throw new Refused("expected 1 to 9 heaps, got 0", "heaps");
    }
  }

  /** @override @returns {any} */
  start() {
    return { heaps: [...this.rules.heaps], turn: "first" };
  }

  /** @override @param {any} state @returns {string} */
  turn(state) {
    return state.turn;
  }

  /** @override @param {any} state @returns {any} */
  legal(state) {
    return state.heaps.flatMap((/** @type {number} */ left, /** @type {number} */ heap) =>
      Array.from({ length: left }, (_, n) => [heap, n + 1]),
    );
  }

  /** @override @param {any} state @param {any} action @returns {any} */
  apply(state, [heap, take]) {
    state.heaps[heap] -= take;
    state.turn = this.other(state);
    return state;
  }

  /** @override @param {any} state @returns {any} */
  outcome(state) {
    const isOver = state.heaps.every((/** @type {number} */ left) => left === 0);
    return isOver ? this.win([this.other(state)], "last_taken") : null;
  }

  /** @param {any} state */
  other(state) {
    return state.turn === "first" ? "second" : "first";
  }
}

/** Two to five players roll a die in turn; the first one at 10 wins. A player may roll or wait. */
class Race extends Game {
  name = "race";
  /** @type {any[]} */
  seats = [2, 5];
  rules = { players: 3 };
  seatsRule = "players";

  /** @override @returns {any} */
  start() {
    return { at: this.seats.map(() => 0), turn: 0, rolls: false };
  }

  /** @override @param {any} state */
  turn(state) {
    return state.rolls ? CHANCE : this.seats[state.turn];
  }

  /** @override @returns {any} */
  legal() {
    return ["wait", "roll"];
  }

  /** @override @param {any} state @param {any} action */
  apply(state, action) {
    return action === "wait" ? this.next(state) : { ...state, rolls: true };
  }

  /** @override @returns {any} */
  chances() {
    return [1, 2, 3, 4, 5, 6].map((eyes) => [1, eyes]);
  }

  /** @override @param {any} state @param {any} outcome */
  applyChance(state, outcome) {
    state.at[state.turn] += outcome;
    return this.next({ ...state, rolls: false });
  }

  /** @param {any} state */
  next(state) {
    return { ...state, turn: (state.turn + 1) % this.seats.length };
  }

  /** @override @param {any} state @returns {any} */
  outcome(state) {
    const best = Math.max(...state.at);
    return best >= 10 ? this.win([this.seats[state.at.indexOf(best)]]) : null;
  }
}

/** Nim in which a seat does not see what the other takes. */
class Hidden extends Nim {
  name = "hidden";
  hidden = true;

  /** @override @param {Random} random @returns {any} */
  opening(random) {
    return { first: random.below(6) };
  }

  /** @override @param {any} opening @returns {any} */
  start(opening = {}) {
    if (opening.first === undefined) {
      throw new TypeError("no dice");
    }
    return { ...super.start(), dice: opening.first };
  }

  /** @override @param {any} state @param {string} seat */
  view(state, seat) {
    return seat === "first" ? { dice: state.dice } : {};
  }

  /** @override @param {any} _state @param {string} seat @param {string} actor @param {any} event */
  seen(_state, seat, actor, event) {
    if (actor === OPENING) {
      return seat === "first" ? event : {};
    }
    return actor === seat ? event : null;
  }
}

/**
 * Returns the answers to these requests, which are lines on their way.
 *
 * @param {new () => Game} game
 * @param {...Json} requests
 * @returns {Json[]}
 */
function asks(game, ...requests) {
  const program = new Program(game);
  const lines = requests.map((request) => program.line(JSON.stringify(request)));
  return lines.filter((line) => line !== null).map((line) => JSON.parse(String(line)));
}

const play = (/** @type {string} */ seat, /** @type {any} */ action) => ({ type: "play", seat, action });
const NEW = { type: "new", rules: {} };
const OPEN = { type: "open", random: BITS };
const STATE = { type: "state" };

test("hello describes the game", () => {
  const [hello] = asks(Nim, { type: "hello" }, { type: "quit" });
  assert.deepEqual(hello.presets[1], { name: "short", about: "two heaps", rules: { heaps: [1, 2] } });
  assert.deepEqual([hello.seats, hello.rules_protocol], [["first", "second"], 1]);
  assert.deepEqual(hello.abilities, ["check", "load", "playout"]);
  const [slow] = asks(class extends Nim { playouts = false; }, { type: "hello" });
  assert.deepEqual(slow.abilities, ["check", "load"]);
  const [race] = asks(Race, { type: "hello" });
  assert.deepEqual([race.seats, race.chance, race.hidden, race.seats_rule], [[2, 5], true, false, "players"]);
  assert.deepEqual(race.abilities, ["check", "load", "playout", "determinize", "forfeit"]);
});

test("a game from its rules to its end", () => {
  const rules = { type: "new", rules: { heaps: [1, 2] } };
  const answers = asks(Nim, rules, OPEN, play("first", [1, 2]), STATE, play("second", [0, 1]));
  const view = { heaps: [1, 2], turn: "first" };
  assert.deepEqual(answers[0], { type: "rules", rules: { heaps: [1, 2] } });
  assert.deepEqual(answers[1], { type: "position", to_move: "first", legal: [[0, 1], [1, 1], [1, 2]], view });
  assert.deepEqual(answers[3].state, { heaps: [1, 0], turn: "second" });
  assert.deepEqual(answers[4], {
    type: "position", to_move: "over", outcome: { scores: [0, 1], reason: "last_taken" },
  });
});

test("playouts are random games to their end", () => {
  const playout = { type: "playout", random: BITS, count: 40 };
  const given = { ...playout, state: { heaps: [1, 0], turn: "second" } };
  const answers = asks(Nim, NEW, OPEN, playout, STATE, given);
  assert.deepEqual(answers[3].state, { heaps: [3, 4, 5], turn: "first" });
  // Those of the kit for Python.
  const first = answers[2].playouts.map((/** @type {number[]} */ scores) => scores[0]);
  assert.deepEqual([first.length, first.slice(0, 10)], [40, [0, 0, 0, 1, 1, 0, 1, 0, 1, 0]]);
  assert.deepEqual(answers[4].playouts, Array(40).fill([0, 1]));
  const [, refused] = asks(Nim, NEW, { ...playout, count: 0 });
  assert.equal(refused.message, "expected 1 to 1000 playouts, got 0");
  // With chance, and with seats that have forfeited.
  const [{ playouts }] = asks(Race, NEW, OPEN, { type: "forfeit", seat: "player-1" }, playout).slice(-1);
  assert.ok(playouts.every((/** @type {number[]} */ scores) => scores[0] === 0), JSON.stringify(playouts));
  assert.ok(new Set(playouts.map(String)).size > 1);
});

test("rules, actions and openings are checked", () => {
  for (const [heaps, message] of [[[], "expected 1 to 9 heaps, got 0"], [3, "expected an array, got 3"]]) {
    assert.deepEqual(asks(Nim, { type: "new", rules: { heaps } }), [{ type: "refused", rule: "heaps", message }]);
  }
  const answers = asks(Nim, NEW, OPEN, play("first", [0, 4]), play("second", [0, 1]), STATE, { type: "weather" });
  assert.match(answers[2].message, /expected one of 12 legal actions: \[0,1\], /);
  assert.equal(answers[3].type, "refused");
  assert.deepEqual(answers[4].state, { heaps: [3, 4, 5], turn: "first" });
  assert.equal(answers[5].type, "unknown");
  assert.equal(asks(Hidden, NEW, { type: "open", opening: {} })[1].type, "refused");
});

test("a state that is loaded is played on", () => {
  const state = { heaps: [0, 0, 1], turn: "second" };
  const [, , position, over] = asks(Nim, NEW, OPEN, { type: "load", state }, play("second", [2, 1]));
  assert.deepEqual(position.legal, [[2, 1]]);
  assert.deepEqual(over.outcome.scores, [0, 1]);
});

test("copies are those of the seats that do not see all", () => {
  const [, position, after] = asks(Hidden, NEW, OPEN, play("first", [0, 1]));
  const opening = { first: new Random(BITS).below(6) };
  assert.deepEqual([position.opening, position.seen, position.view], [opening, { second: {} }, { dice: opening.first }]);
  assert.deepEqual([after.seen, after.view], [{ second: null }, {}]);
});

test("outcomes of chance are drawn from the bits and taken back", () => {
  const [, , turn, drawn] = asks(Race, NEW, OPEN, play("player-1", "roll"), { type: "chance", random: BITS });
  assert.equal(turn.to_move, "chance");
  assert.equal(drawn.chance, new Random(BITS).below(6) + 1);
  const again = asks(Race, NEW, OPEN, play("player-1", "roll"), { type: "chance", chance: drawn.chance });
  assert.deepEqual(again[3], drawn);
  const other = asks(Race, NEW, OPEN, play("player-1", "roll"), { type: "chance", chance: 7 });
  assert.match(other[3].message, /expected one of 6 outcomes: 1, 2, 3, 4, 5, 6; got 7/);
});

test("seats that forfeited pass and are the last", () => {
  const out = (/** @type {string} */ seat) => ({ type: "forfeit", seat });
  const state = { forfeited: ["player-1"], state: { at: [10, 5, 4], turn: 1, rolls: false } };
  const [, , position, over] = asks(Race, NEW, OPEN, out("player-1"), { type: "load", state });
  assert.deepEqual([position.to_move, position.pass], ["player-1", "wait"]);
  assert.deepEqual(over.outcome, { scores: [0, 0.5, 0.5], reason: "won", ranks: [3, 1, 1] });
  const [, , , last] = asks(Race, NEW, OPEN, out("player-2"), out("player-1"));
  assert.deepEqual(last.outcome, { scores: [0, 0, 1], reason: "forfeit", ranks: [2, 3, 1] });
});

test("mistakes are named", () => {
  /** @type {[RegExp, (game: any) => void][]} */
  const mistakes = [
    [/turn\(\): expected one of "first", "second", got "white"/, (game) => (game.turn = () => "white")],
    [/the game is not over/, (game) => (game.legal = () => [])],
    [/needs check\(\)/, (game) => (game.legal = () => null)],
    [/start\(\) and apply\(\) must return the state/, (game) => (game.start = () => undefined)],
    [/expected 2 scores/, (game) => (game.outcome = () => [1])],
    [/got "third"/, (game) => (game.outcome = () => ({ third: 1 }))],
    [/expected a reason/, (game) => (game.outcome = () => new Outcome([1, 0], "A reason"))],
    [/or null while the game is played/, (game) => (game.outcome = () => undefined)],
    [/view.x is a Set/, (game) => (game.view = () => ({ x: new Set() }))],
    [/view.x is NaN/, (game) => (game.view = () => ({ x: NaN }))],
    [/needs a name/, (game) => (game.name = "")],
    [/needs the methods view\(\) and seen\(\)/, (game) => (game.hidden = true)],
    [/needs the method applyChance\(\)/, (game) => (game.chances = () => [])],
  ];
  for (const [expected, change] of mistakes) {
    class Mine extends Nim {
      constructor() {
        super();
        change(this);
      }
    }
    assert.throws(() => asks(Mine, NEW, OPEN), (error) => error instanceof GameError && expected.test(error.message));
  }
});

test("random numbers are those of the vectors", () => {
  const file = path.join(ROOT, "../vectors/rules/random.json");
  for (const { bits, checks } of JSON.parse(fs.readFileSync(file, "utf8"))) {
    for (const { call, arguments: values, times, expect } of checks) {
      const random = /** @type {any} */ (new Random(bits));
      assert.deepEqual(Array.from({ length: times }, () => random[call](...values)), expect, call);
    }
  }
});

test("a program prints to standard error, and a mistake ends it with its message", () => {
  const source = (/** @type {string} */ legal) => `
    import { Game, serve } from ${JSON.stringify(path.join(ROOT, "botyard/rules.js"))};
    class Printing extends Game {
      name = "printing";
      seats = ["only"];
      start() { console.log("thinking"); return {}; }
      turn() { return "only"; }
      legal() { return ${legal}; }
      apply(state) { return state; }
      outcome() { return null; }
    }
    serve(Printing);`;
  const input = [NEW, OPEN, { type: "quit" }].map((line) => `${JSON.stringify(line)}\n`).join("");
  const run = (/** @type {string} */ legal) =>
    spawnSync(process.execPath, ["--input-type=module", "-e", source(legal)], { input, encoding: "utf8" });
  const right = run("[1]");
  assert.deepEqual(right.stdout.trim().split("\n").map((line) => JSON.parse(line).type), ["rules", "position"]);
  assert.match(right.stderr, /thinking/);
  assert.equal(right.status, 0);
  const wrong = run("[]");
  assert.match(wrong.stderr, /botyard: Printing: legal\(\): expected an array with an action/);
  assert.equal(wrong.status, 1);
});
