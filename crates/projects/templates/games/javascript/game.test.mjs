/** Plays games without a referee: `node --test`. */

import assert from "node:assert/strict";
import test from "node:test";
import { Program } from "./botyard/rules.js";
import { Nim } from "./nim.mjs";

/** Returns whether the seat to move wins under perfect play. */
function wins(program, { to_move: seat, legal }) {
  const { heaps } = program.answer({ type: "state" }).state;
  const before = [...heaps];
  return legal.some((action) => {
    program.answer({ type: "load", state: { heaps: [...before], to_move: seat } });
    const after = program.answer({ type: "play", seat, action });
    return after.to_move === "over" || !wins(program, after);
  });
}

/** The player to move loses exactly if the exclusive or of the heaps is 0 (C. L. Bouton, 1901). */
test("the winner is that of the theorem of Bouton", () => {
  for (const heaps of [[1, 1], [1, 2], [2, 2], [1, 2, 3], [1, 3, 1], [2, 1, 2]]) {
    const program = new Program(Nim);
    program.answer({ type: "new", rules: { heaps } });
    const position = program.answer({ type: "open", random: "0".repeat(64) });
    assert.equal(wins(program, position), heaps.reduce((sum, heap) => sum ^ heap, 0) !== 0, String(heaps));
  }
});
