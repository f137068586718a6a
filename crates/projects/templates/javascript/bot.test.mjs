/** Asks the bot for a first move: `node --test`. */

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import test from "node:test";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));

test("the first move is legal", () => {
  const input = readFileSync(`${here}first_move.ndjson`, "utf8");
  const ran = spawnSync(process.execPath, ["bot.mjs"], { cwd: here, input, encoding: "utf8" });
  assert.equal(ran.status, 0, ran.stderr);
  const messages = (/** @type {string} */ text) => text.trim().split("\n").map((line) => JSON.parse(line));
  const turn = messages(input).find((message) => message.type === "turn");
  const move = messages(ran.stdout).find((message) => message.type === "move");
  const found = turn.legal.some((/** @type {unknown} */ action) => {
    try {
      assert.deepEqual(move.action, action);
      return true;
    } catch {
      return false;
    }
  });
  assert.ok(found, JSON.stringify(move));
});
