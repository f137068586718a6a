/** The replay debugger: a bot on recorded lines. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import test from "node:test";
import { gzipSync } from "node:zlib";
import { HELLO, KIT, QUIT, end, lines, start, turn } from "./kit.mjs";

const SENT = [HELLO, start("any", { options: { seed: 3 } }), turn(1, [1, 2], { view: { n: 1 } }), turn(3, [1, 2]), end(), QUIT];
const RECORD = [
  { type: "header", game_id: "7-1" },
  { type: "chance", turn: 0, outcome: {} },
  { type: "move", turn: 1, seat: "a", action: 1 },
  { type: "move", turn: 2, seat: "b", action: 5 },
  { type: "move", turn: 3, seat: "a", action: 2 },
];

const BOT = `
import { Bot, intOption, main } from ${JSON.stringify(KIT)};
class Mine extends Bot {
  static options = { fails_at: intOption(0, { min: 0, max: 9 }) };
  choose(turn) {
    console.log("thinking about", turn.number, JSON.stringify(turn.view), this.options.seed);
    turn.log("hm");
    if (turn.number === this.options.fails_at) {
      throw new Error("lost");
    }
    turn.info({ score: 0.5 });
    return 1;
  }
}
main(Mine);
`;

const directory = fs.mkdtempSync(path.join(os.tmpdir(), "botyard-"));
process.on("exit", () => fs.rmSync(directory, { recursive: true }));
const file = (/** @type {string} */ name) => path.join(directory, name);
fs.writeFileSync(file("bot.mjs"), BOT);
fs.writeFileSync(file("lines.ndjson"), lines(...SENT));
fs.writeFileSync(file("game.ndjson"), lines(...RECORD));
fs.writeFileSync(file("game.ndjson.gz"), gzipSync(lines(...RECORD)));
// A stand-in for the program, which knows what a bot was sent.
fs.writeFileSync(file("botyard"), `#!/bin/sh\n[ "$1 $2 $4 $5" = 'replay stdin --seat a' ] && cat '${file("lines.ndjson")}'\n`);
fs.chmodSync(file("botyard"), 0o755);

/** @param {string[]} args */
function replay(...args) {
  const env = { ...process.env, BOTYARD: file("botyard") };
  return spawnSync(process.execPath, ["bot.mjs", ...args], { cwd: directory, env, encoding: "utf8", timeout: 60_000 });
}

test("a replay", () => {
  for (const name of ["game.ndjson", "game.ndjson.gz"]) {
    const done = replay("--replay", name, "--seat", "a");
    assert.equal(done.status, 0, done.stderr);
    assert.match(done.stdout, /thinking about 1 {"n":1} 3\n/);
    assert.match(done.stdout, / {2}log: hm\n/);
    assert.match(done.stdout, /turn 1: 1  as recorded  \(\d\.\d+ s\)/);
    assert.match(done.stdout, /turn 3: 1  recorded: 2/);
    assert.match(done.stdout, / {2}info: {"score":0.5}/);
    assert.match(done.stdout, /2 decisions, 1 differ from the record\n$/);
  }
});

test("one decision of recorded lines", () => {
  const done = replay("--replay=lines.ndjson", "--turn", "3", "--option", "seed=8", "--mine");
  assert.match(done.stdout, /thinking about 3 {} 8/);
  assert.doesNotMatch(done.stdout, /thinking about 1/);
  assert.match(done.stdout, /1 decisions\n/);
  const none = replay("--replay", "lines.ndjson", "--turn", "2");
  assert.equal(none.status, 1);
  assert.match(none.stderr, /there is no decision 2 of this seat: its first is \d+, its last \d+/);
});

test("a failing decision", () => {
  const done = replay("--replay", "lines.ndjson", "--option", "fails_at=3");
  assert.equal(done.status, 1);
  assert.match(done.stderr, /Error: lost\n    at Mine.choose/);
});

test("no program, and wrong arguments", () => {
  const done = replay("--replay", "game.ndjson", "--seat", "a", "--botyard", "/nowhere/botyard");
  assert.equal(done.status, 1);
  assert.match(done.stderr, /^cannot start the program .*--botyard PATH/);
  assert.match(replay("--replay", "game.ndjson", "--turn", "x").stderr, /--turn needs a number/);
});
