/** The example bots decide legally in many views of the vectors, with and without the list of legal actions. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { HELLO, ROOT, VECTORS, lines, messagesOf, start, turn } from "./kit.mjs";

/**
 * @param {string} example
 * @param {string} game
 * @param {number} most
 */
function ask(example, game, most = 60) {
  const games = new Map();
  /** @type {any[]} */
  const messages = [HELLO];
  /** @type {any[]} */
  const expected = [];
  let seen = 0;
  for (const line of fs.readFileSync(path.join(VECTORS, `${game}.jsonl`), "utf8").split("\n").filter(Boolean)) {
    const message = JSON.parse(line);
    if (!message.checks) {
      games.set(message.game, message);
      continue;
    }
    const { view, checks } = message;
    seen += view === null ? 0 : 1;
    // Every third view, so that all rules have their share.
    if (view === null || seen % 3 > 0 || expected.length >= 2 * most) {
      continue;
    }
    const { rules, setup } = games.get(message.game);
    const legal = checks.find((/** @type {any} */ { call }) => call === "legal").expect;
    const seat = game === "dice-wars" ? `player-${view.to_move}` : view.to_move ?? "a";
    messages.push(start(game, { rules, setup, you: [seat], seats: ["a", "b", "c"] }));
    for (const listed of [legal, undefined]) {
      messages.push(turn(1, listed, { view, seat }));
      expected.push([message.case, legal]);
    }
  }
  const program = path.join(ROOT, "examples", `${example}.mjs`);
  const done = spawnSync(process.execPath, [program], { input: lines(...messages), encoding: "utf8", maxBuffer: 1e9 });
  assert.equal(done.status, 0, done.stderr);
  const moves = messagesOf(done.stdout).filter(({ type }) => type === "move");
  assert.equal(moves.length, expected.length);
  assert.ok(moves.length > 20);
  moves.forEach(({ action }, n) => {
    const [name, legal] = expected[n];
    assert.ok(legal.some((/** @type {any} */ one) => JSON.stringify(one) === JSON.stringify(action)), `${name}: ${JSON.stringify(action)}`);
  });
}

test("legal", () => {
  for (const game of ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"]) {
    ask("legal", game);
  }
});

test("detective", () => ask("detective", "scotland-yard", 200));

test("draughts_two_ply", () => ask("draughts_two_ply", "draughts"));

test("dice_wars_rule", () => ask("dice_wars_rule", "dice-wars", 200));
