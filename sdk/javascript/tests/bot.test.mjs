/** The protocol loop: what a bot sees, says and survives. */

import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import path from "node:path";
import test from "node:test";
import {
  Bot, Clock, Reading, Session, boolOption, enumOption, floatOption, intOption, textOption,
} from "../botyard/index.js";
import { HELLO, KIT, QUIT, ROOT, conversation, end, errorsOf, lines, messagesOf, run, start, turn } from "./kit.mjs";

/** @typedef {import("../botyard/index.js").Turn} Turn */

class First extends Bot {
  static options = {
    depth: intOption(3, { min: 1, max: 9, about: "plies" }),
    c: floatOption(1.4, { min: 0, max: 10 }),
    playouts: enumOption("random", { values: ["random", "greedy"] }),
    ponder: boolOption(false),
    book: textOption("", { name: "book-file" }),
  };

  version = "2";
  author = "A. Student";
  games = ["any", "other"];

  /** @override @param {Turn} turn @returns {any} */
  choose(turn) {
    return turn.legalActions()[0];
  }
}

/** @param {(turn: Turn) => any} choose */
function choosing(choose) {
  return class extends Bot {
    /** @override @param {Turn} turn */
    choose(turn) {
      return choose(turn);
    }
  };
}

test("hello", async () => {
  const [{ options, ...hello }, ...more] = await conversation(First, HELLO, QUIT, HELLO);
  assert.deepEqual(more, []);
  assert.deepEqual(hello, {
    type: "hello", protocol: 1, name: "first", version: "2", author: "A. Student", games: ["any", "other"],
  });
  assert.deepEqual(options.depth, { kind: "int", min: 1, max: 9, default: 3, about: "plies" });
  assert.deepEqual(options.c, { kind: "float", min: 0, max: 10, default: 1.4 });
  assert.deepEqual(options.playouts, { kind: "enum", values: ["random", "greedy"], default: "random" });
  assert.deepEqual(options.ponder, { kind: "bool", default: false });
  assert.deepEqual(options["book-file"], { kind: "text", default: "" });
  assert.equal(options.seed.max, 2 ** 53);
});

test("a referee that says the least", async () => {
  const messages = [{ type: "hello" }, { type: "start", game: "any" }, { type: "turn", turn: 1, legal: [1] }];
  const said = await conversation(new First(), ...messages);
  assert.deepEqual(said.map(({ type }) => type), ["hello", "ready", "move"]);
  const bare = await conversation(choosing(() => 1), { type: "start" }, { type: "turn" }, { type: "end" });
  assert.deepEqual(bare, [{ type: "ready" }, { type: "move", turn: 0, action: 1 }]);
});

test("unknown messages and fields are ignored", async () => {
  const weather = { type: "weather", turn: 3 };
  const said = await conversation(First, HELLO, weather, start("any", { mood: 1 }), { none: 1 }, turn(1, [5], { x: 1 }));
  assert.deepEqual(said.slice(1), [{ type: "ready" }, { type: "move", turn: 1, action: 5 }]);
});

test("lines come in any pieces, also with carriage returns", async () => {
  const text = Buffer.from(lines(HELLO, start("any", { you: ["ä€"] }), turn(1, ["ä€"])).replace(/\n/g, "\r\n"));
  let said = "";
  const { serve } = await import("../botyard/index.js");
  const bytes = (async function* () { for (const byte of text) { yield Uint8Array.of(byte); } })();
  await serve(First, bytes, (line) => { said += line; });
  assert.equal(messagesOf(said)[2].action, "ä€");
  assert.match(said, /^[\x20-\x7e\n]*$/);
});

test("options are set and reset", async () => {
  /** @type {any[]} */
  const seen = [];
  class Watching extends First {
    /** @override */
    start() {
      const { depth, c, playouts, ponder, book } = this.options;
      seen.push([depth, c, playouts, ponder, book]);
    }
  }
  const options = { depth: 9, c: 2, playouts: "greedy", ponder: true, "book-file": "x" };
  await conversation(new Watching(), start("any", { options }), start());
  assert.deepEqual(seen, [[9, 2, "greedy", true, "x"], [3, 1.4, "random", false, ""]]);
});

test("refused options", async () => {
  /** @type {[any, RegExp][]} */
  const cases = [
    [{ depht: 3 }, /there is no option depht; the options of this bot are: book-file, c, depth, playouts, ponder, seed/],
    [{ depth: 0 }, /option depth: expected an integer from 1 to 9, got 0/],
    [{ depth: 2.5 }, /got 2.5/],
    [{ depth: true }, /got true/],
    [{ c: "1" }, /a number from 0 to 10/],
    [{ playouts: "none" }, /one of random, greedy/],
    [{ ponder: 1 }, /true or false/],
    [{ "book-file": [] }, /a text/],
  ];
  for (const [options, reason] of cases) {
    await assert.rejects(conversation(First, start("any", { options })), { name: "OptionError", message: reason });
  }
  assert.throws(() => intOption(0, { min: 1, max: 2 }), { name: "OptionError" });
});

test("a class is a new bot for every game", async () => {
  class Counting extends Bot {
    asked = 0;

    /** @override */
    choose() {
      this.asked += 1;
      return this.asked;
    }
  }
  const game = [start(), turn(1), turn(3), end()];
  /** @type {[any, number[]][]} */
  const cases = [
    [Counting, [1, 2, 1, 2]],
    [() => new Counting(), [1, 2, 1, 2]],
    [new Counting(), [1, 2, 3, 4]],
  ];
  for (const [bot, expected] of cases) {
    const said = await conversation(bot, ...game, ...game);
    assert.deepEqual(said.filter(({ type }) => type === "move").map(({ action }) => action), expected);
  }
});

test("several seats", async () => {
  /** @type {any[]} */
  const seen = [];
  const both = choosing((turn) => seen.push([turn.seat, turn.game.setupOf(turn.seat)]));
  const begin = start("any", { you: ["a", "b"], setup: { x: 1 }, setups: { b: { x: 2 } } });
  await conversation(both, begin, turn(1), turn(2, undefined, { seat: "b" }));
  assert.deepEqual(seen, [["a", { x: 1 }], ["b", { x: 2 }]]);
});

test("the end", async () => {
  /** @type {any[]} */
  const seen = [];
  class Ending extends First {
    /** @override @param {any} outcome */
    end(outcome) {
      seen.push(outcome);
      throw new Error("after the game");
    }
  }
  const errors = await errorsOf(async () => {
    const said = await conversation(Ending, start(), end(), start(), turn(1, [2]));
    assert.equal(said[2].action, 2);
  });
  assert.match(errors, /end\(\) failed[^]*after the game/);
  const [outcome] = seen;
  assert.deepEqual(["a", "b", "c"].map((seat) => outcome.score(seat)), [1, 0, null]);
  assert.deepEqual([outcome.kind, outcome.reason, outcome.ranks], ["completed", "won", [1, 2]]);
});

test("a turn without a game, and a game that it does not play", async () => {
  await assert.rejects(conversation(First, turn(1, [1])), /no game is in progress/);
  await assert.rejects(conversation(First, start("chess")), /asked to play 'chess', but this bot plays any, other/);
});

test("errors of the referee are printed", async () => {
  const detail = { got: "{}", legal_sample: [1] };
  const errors = await errorsOf(() =>
    conversation(First, { type: "error", turn: 3, code: "illegal_action", message: "no", detail }),
  );
  assert.match(errors, /first: error from the referee: turn 3: illegal_action: no\n  your line: {}\n  legal.*: \[1\]/);
});

test("log and info", async () => {
  const talking = choosing((turn) => {
    turn.log("two\nlines \ud800 \\ud800 \u{1f3b2}");
    turn.info({ score: 0.5, depth: 3, pv: [1, 2], nodes: undefined });
    turn.info({ text: "got him", mine: new Map([["a", new Set([1, 2])]]) });
    turn.draw({ arrow: [11, 15], color: "red" });
    turn.draw({ point: "c3", text: 0.4 });
    return 7;
  });
  const said = await conversation(talking, start(), turn(4, [7]));
  assert.deepEqual(said[1], { type: "log", text: "two\nlines ? \\ud800 \u{1f3b2}" });
  const draw = [{ arrow: [11, 15], color: "red" }, { point: "c3", text: 0.4 }];
  const info = { score: 0.5, depth: 3, pv: [1, 2], text: "got him", mine: { a: [1, 2] }, draw };
  assert.deepEqual(said[2], { type: "move", turn: 4, action: 7, info });
});

test("info never costs a game", async () => {
  const careless = choosing((turn) => {
    /** @type {any} */
    let deep = [];
    for (let n = 0; n < 100; n++) {
      deep = [deep];
    }
    const thing = { 1: "a", $serde: 2, "\ud800": 3, "\ud801": 4 };
    turn.info({ score: NaN, nodes: 2 ** 60, big: 2n ** 60n, deep, thing, date: new Date(0), floats: new Float64Array(2) });
    turn.log("x".repeat(100_000));
    return 1;
  });
  const said = await conversation(careless, HELLO, start(), turn(1, [1]));
  const { score, nodes, big, deep, thing, date, floats } = said[3].info;
  assert.deepEqual([score, nodes, big], [null, String(2 ** 60), String(2n ** 60n)]);
  assert.deepEqual([thing, date, floats], [{ 1: "a", "?": 4 }, "1970-01-01T00:00:00.000Z", [0, 0]]);
  assert.ok(JSON.stringify(deep).length < 2000);
  assert.ok(said[2].text.length < 65536);

  /** @type {any} */
  const round = {};
  round.self = round;
  for (const strange of [() => 1, Symbol("s"), round]) {
    const bot = choosing((turn) => { turn.info({ strange }); return 1; });
    const [, move] = await conversation(bot, start(), turn(1, [1]));
    assert.ok(move.info.text.includes("strange"), move.info.text);
  }

  const long = choosing((turn) => { turn.info({ text: "x".repeat(70_000) }); return 1; });
  const errors = await errorsOf(async () => {
    assert.equal((await conversation(long, start(), turn(1, [1])))[1].info, undefined);
  });
  assert.match(errors, /info left out/);
});

test("actions become plain JSON", async () => {
  const numeric = choosing(() => ({ attack: Int8Array.of(1, 2), to: 5n, set: new Set([1]), none: undefined }));
  const said = await conversation(numeric, start(), turn(1, [1]));
  assert.deepEqual(said[1].action, { attack: [1, 2], to: 5, set: [1] });
});

test("an asynchronous bot", async () => {
  class Slow extends Bot {
    ready = false;

    /** @override */
    async start() {
      await new Promise((done) => setTimeout(done, 20));
      this.ready = true;
    }

    /** @override */
    async choose() {
      await new Promise((done) => setTimeout(done, 20));
      return this.ready;
    }
  }
  const said = await conversation(Slow, start(), turn(1), turn(2), end());
  assert.deepEqual(said.map(({ action }) => action), [undefined, true, true]);
});

test("random numbers follow from game and decision", async () => {
  const drawing = choosing((turn) => turn.random.int(1e9));
  /** @type {(number: number, fields?: any) => Promise<number>} */
  const draw = async (number, fields) => (await conversation(drawing, start("any", fields), turn(number)))[1].action;
  assert.equal(await draw(1), await draw(1));
  const others = [await draw(2), await draw(1, { game_id: "8-1" }), await draw(1, { you: ["b"] })];
  assert.equal(new Set([await draw(1), await draw(1, { options: { seed: 4 } }), ...others]).size, 5);

  const counts = [0, 0, 0];
  const sums = choosing(({ random }) => {
    for (let n = 0; n < 9000; n++) {
      counts[random.choice([0, 1, 2])] += 1;
    }
    assert.deepEqual(random.shuffled([1, 2, 3, 4]).sort(), [1, 2, 3, 4]);
    assert.throws(() => random.choice([]), RangeError);
    return 1;
  });
  await conversation(sums, start(), turn(1));
  assert.ok(counts.every((count) => Math.abs(count - 3000) < 200), String(counts));
});

test("without legal actions", async () => {
  await assert.rejects(conversation(First, start(), turn(1)), { name: "NoLegalActions", message: /--no-legal/ });
  const last = choosing((turn) => {
    assert.equal(turn.legal, null);
    return turn.legalActions()[6];
  });
  const view = { columns: new Array(7).fill(new Array(6).fill(".")), discs: 0 };
  const said = await conversation(last, start("connect-four"), turn(1, undefined, { view }));
  assert.deepEqual(said[1].action, { column: 7 });
});

test("answerOnError", async () => {
  class Failing extends First {
    answerOnError = true;

    /** @override */
    start() {
      throw new Error("tables");
    }

    /** @override @param {Turn} turn */
    choose({ number }) {
      if (number === 1) {
        throw new Error("nothing");
      }
      return [undefined, { y: 1, to: 9 }, { y: 1, to: 1 }][number - 2];
    }
  }
  const legal = [{ to: 1, y: 1 }];
  const errors = await errorsOf(async () => {
    const said = await conversation(Failing, start(), ...[1, 2, 3, 4].map((number) => turn(number, legal)));
    assert.deepEqual(said.slice(1).map(({ action }) => action), [legal[0], legal[0], legal[0], legal[0]]);
  });
  for (const part of ["Error: tables", "Error: nothing", "returned null or undefined", '{"y":1,"to":9}, which is not']) {
    assert.ok(errors.includes(part), part);
  }
  assert.ok(!errors.includes("turn 4"));
  await assert.rejects(conversation(choosing(() => null), start(), turn(1, [1])), /returned null/);
});

// The time at which the tests of clocks look: nothing passes while they run.
const NOW = new Reading(1e6, 5e5);

/** @param {() => any} action */
async function stopped(action) {
  const { now } = Reading;
  Reading.now = () => NOW;
  try {
    await action();
  } finally {
    Reading.now = now;
  }
}

/** @param {string} kind @param {any} move @param {any} bank @param {number} increment @param {number} ago */
function clock(kind, move, bank, increment = 0, ago = 0) {
  const began = new Reading(NOW.wall - ago, NOW.cpu - (kind === "cpu" ? ago : 0));
  return new Clock({ kind, move_ms: move, bank_ms: bank, increment_ms: increment }, began);
}

/** @param {number} found @param {number} expected */
function near(found, expected) {
  assert.ok(Math.abs(found - expected) <= 1e-6, `${found} is not ${expected}`);
}

test("shares of the clock", () => {
  // Most for a move, bank, increment, decisions, expected: milliseconds, as in the Rust kit.
  for (const [move, bank, increment, decisions, expected] of [
    [1000, null, 0, 1, 950],
    [1000, null, 500, 30, 950],
    [120, null, 0, 1, 100],
    [4, null, 0, 1, 2],
    [null, 60_000, 0, 30, 1950],
    [null, 60_000, 1000, 30, 2950],
    [null, 90, 1000, 30, 75],
    [null, 60_000, 0, 0, 59_950],
    [1500, 60_000, 0, 30, 1450],
    [1500, 900, 0, 30, 20],
    [1500, 0, 0, 30, 0],
  ]) {
    near(clock("wall", move, bank, increment ?? 0).share(decisions ?? 1), expected ?? 0);
  }
  near(clock("cpu", 120, null).share(), 110);
  near(clock("cpu", null, 60_000).share(30), 1975);
  assert.equal(clock("wall", null, null).share(30), Infinity);
});

test("time left", () => stopped(() => {
  near(clock("wall", 1000, 5000, 0, 250).left(), 750);
  near(clock("wall", 1000, 5000, 0, 250).elapsed(), 250);
  near(clock("wall", 5000, 1000, 0, 2000).left(), -1000);
  near(clock("later", 1000, null, 0, 500).left(), 500);
  assert.equal(clock("wall", null, null).left(), Infinity);
  assert.equal(clock("cpu", null, null).left(), Infinity);
}));

test("a clock of CPU time", () => stopped(() => {
  const left = (/** @type {number} */ wall, /** @type {number} */ cpu) =>
    new Clock({ kind: "cpu", move_ms: 100 }, new Reading(NOW.wall - wall, NOW.cpu - cpu)).left();
  near(left(300, 10), 90);
  // The wall-clock limit: five times the CPU time, and 250 ms.
  near(left(700, 10), 50);
  near(clock("cpu", 100, null, 0, 20).elapsed(), 20);
}));

test("sleep is not CPU time", () => {
  const before = Reading.now();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
  const after = Reading.now();
  assert.ok(after.wall - before.wall >= 299 && after.cpu - before.cpu < 200);
});

test("the clock runs from the turn line", () => stopped(async () => {
  /** @type {number[]} */
  const left = [];
  const session = new Session(choosing((turn) => left.push(turn.timeLeft(), turn.timeShare())), () => {});
  await session.handle('{"type":"start","game":"any"}');
  await session.handle(JSON.stringify(turn(1, [1])), new Reading(NOW.wall - 500, NOW.cpu));
  near(left[0], 500);
  near(left[1], 450);
  // Another try: the clock has been running since the first.
  await errorsOf(() => session.handle('{"type":"error","turn":1}'));
  await session.handle(JSON.stringify(turn(1, [1])), NOW);
  near(left[2], 500);
  await session.handle(JSON.stringify(turn(2, [1])), NOW);
  near(left[4], 1000);
  await session.handle(JSON.stringify(start()));
  await session.handle(JSON.stringify(turn(2, [1])), NOW);
  near(left[6], 1000);
}));

/** @param {string} body */
const program = (body) => `class Mine extends Bot { async choose(turn) { ${body}; return 1; } }\nmain(Mine);`;

/** @param {string} body @param {any[]} more */
const play = (body, ...more) => run(program(body), HELLO, start(), turn(1, [1]), ...more);

test("stray output goes to standard error", () => {
  for (const body of [
    "console.log('stray'); console.info('again')",
    "process.stdout.write('stray\\n')",
    "const { Worker } = await import('node:worker_threads');" +
      "await new Promise((done) => new Worker('console.log(\"stray\")', { eval: true }).on('exit', done))",
    "const { execSync } = await import('node:child_process'); console.log(String(execSync('echo stray')))",
  ]) {
    const done = play(body, QUIT);
    assert.equal(done.status, 0, done.stderr);
    assert.deepEqual(messagesOf(done.stdout).map(({ type }) => type), ["hello", "ready", "move"], body);
    assert.match(done.stderr, /stray\n/);
    assert.equal(done.stderr.split("standard output belongs to the protocol").length, 2, done.stderr);
  }
});

test("what is printed before the loop", () => {
  const done = run(`console.log('loading');\n${program("")}`, HELLO, QUIT);
  assert.equal(messagesOf(done.stdout).length, 1);
  assert.match(done.stderr, /loading\n/);
  // Other programs that import the kit print as usual, also if they end early.
  assert.equal(run("console.log(typeof main)").stdout, "function\n");
  assert.equal(run("console.log(1); setTimeout(() => console.log(2), 20)").stdout, "1\n2\n");
  assert.equal(run("console.log(1); process.exit(3)").stdout, "1\n");
});

test("an exception ends the program with its stack", () => {
  const done = play("throw new RangeError('lost')");
  assert.equal(done.status, 1);
  assert.match(done.stderr, /RangeError: lost\n    at .*choose/);
});

test("the end of the input is quit, also while timers and workers run", () => {
  assert.equal(play("").status, 0);
  assert.equal(play("setInterval(() => {}, 1000)").status, 0);
});

test("a wrong option is a message without a stack", () => {
  const done = run(program(""), HELLO, start("any", { options: { depth: 1 } }));
  assert.equal(done.status, 1);
  assert.equal(done.stderr, "botyard: there is no option depth; the options of this bot are: seed\n");
});

test("answers are written one by one", async () => {
  const source = `import { Bot, main } from ${JSON.stringify(KIT)};\n${program("")}`;
  const bot = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["pipe", "pipe", "inherit"] });
  for (const message of [HELLO, start(), turn(1, [1])]) {
    bot.stdin.write(lines(message));
    const [line] = await Promise.race([
      new Promise((done) => bot.stdout.once("data", (chunk) => done([chunk]))),
      new Promise((_, fail) => setTimeout(() => fail(new Error("no answer")), 30_000).unref()),
    ]);
    assert.ok(JSON.parse(line));
  }
  bot.stdin.end();
  assert.equal(await new Promise((done) => bot.once("exit", done)), 0);
});

test("a referee that has gone", async () => {
  const source = `import { Bot, main } from ${JSON.stringify(KIT)};\n${program("")}`;
  const bot = spawn(process.execPath, ["--input-type=module", "-e", source], { stdio: ["pipe", "pipe", "pipe"] });
  bot.stdout.destroy();
  bot.stdin.on("error", () => {}); // The bot may be gone before it has read everything.
  bot.stdin.write(lines(HELLO, start(), turn(1, [1])));
  assert.equal(await new Promise((done) => bot.once("exit", done)), 0);
});

test("long lines", () => {
  const legal = new Array(3000).fill("ä".repeat(20));
  const done = run(program("return turn.legal"), HELLO, start(), turn(1, legal));
  assert.equal(messagesOf(done.stdout)[2].action.length, 3000);
});

test("the directory of the kit runs a bot", () => {
  const command = [path.join(ROOT, "botyard"), path.join(ROOT, "examples", "legal.mjs"), "--depth", "3"];
  const done = spawnSync(process.execPath, command, { input: lines(HELLO, start(), turn(1, [3])), encoding: "utf8" });
  assert.equal(messagesOf(done.stdout)[2].action, 3, done.stderr);
});
