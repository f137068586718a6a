/** Runs all vectors of `sdk/vectors`: the engine computed them, the kit must agree. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import { winsAt } from "../botyard/connect-four.js";
import { winProbability } from "../botyard/dice-wars.js";
import { Draughts, START, fen, history, position, positionOfFen } from "../botyard/draughts.js";
import { rulebook } from "../botyard/index.js";
import { LiarsDice } from "../botyard/liars-dice.js";
import { VECTORS } from "./kit.mjs";

/** @param {any} view */
const withoutMap = ({ adjacent, ...view }) => view;

/** @type {Record<string, (book: any, view: any, check: any) => any>} */
const CALLS = {
  "scotland-yard candidates": (book, view) => book.candidates(view),
  "scotland-yard candidates_after": (book, view, { possible }) =>
    [...book.candidatesAfter(possible, view.log.at(-1))].sort((a, b) => a - b),
  "scotland-yard distance": (book, view, { from, to, tickets }) => book.distance(from, to, tickets),
  "scotland-yard neighbours": (book, view, { station, ticket }) => book.neighbours(station, ticket),
  "draughts captures": (book, view) => book.captures(position(view)),
  "draughts play": (book, view, { move }) => fen(book.play(position(view), move)),
  "draughts history": (book, view) => history(view).map(fen),
  "draughts repetitions_after": (book, view, { move }) => book.repetitionsAfter(view, move),
  "draughts draw_after": (book, view, { move }) => book.drawAfter(view, move),
  "draughts plies_left": (book, view) => book.pliesLeft(view),
  "dice-wars win": (book, view, { attacker, defender }) => winProbability(attacker, defender),
  "dice-wars regions": (book, view, { player }) => book.regions(view, player),
  "dice-wars new_dice": (book, view, { player }) => book.newDice(view, player),
  "dice-wars hold_probability": (book, view, { area, dice, player }) => book.holdProbability(view, area, dice, player),
  "dice-wars attack": (book, view, { from, to, won }) => withoutMap(book.afterAttack(view, from, to, won)),
  "dice-wars transfer": (book, view, { from, to }) => withoutMap(book.afterTransfer(view, from, to)),
  "liars-dice truth": (book, view, { count, face }) => book.truth(view, count, face),
  "connect-four play": (book, view, { action }) => book.play(view, action),
};

for (const game of ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"]) {
  test(`vectors of ${game}`, () => {
    const books = new Map();
    let checks = 0;
    for (const line of fs.readFileSync(path.join(VECTORS, `${game}.jsonl`), "utf8").split("\n").filter(Boolean)) {
      const message = JSON.parse(line);
      if (!message.checks) {
        books.set(message.game, rulebook(game, message.rules, message.setup));
        continue;
      }
      const { view } = message;
      const before = JSON.stringify(view);
      for (const check of message.checks) {
        const book = books.get(message.game);
        const { call, expect } = check;
        const found = call === "legal" ? book.legal(view) : CALLS[`${game} ${call}`](book, view, check);
        const about = `${message.case}: ${JSON.stringify(check)}`;
        checks += 1;
        if (["win", "hold_probability", "truth"].includes(call)) {
          assert.ok(Math.abs(found - expect) <= 1e-12, about);
        } else if (game === "draughts" && ["legal", "captures"].includes(call)) {
          assert.deepEqual(found.sort(), expect.sort(), about);
        } else {
          assert.deepEqual(found, expect, about);
        }
        assert.equal(JSON.stringify(view), before, `${about}: the view was changed`);
      }
    }
    assert.ok(checks > 30);
  });
}

test("perft of draughts", () => {
  const english = new Draughts();
  /** @type {(now: import("../botyard/draughts.js").Position, depth: number) => number} */
  const perft = (now, depth) => {
    const moves = english.moves(now);
    return depth === 1 ? moves.length : moves.reduce((sum, move) => sum + perft(english.play(now, move), depth - 1), 0);
  };
  assert.deepEqual([1, 2, 3, 4, 5].map((depth) => perft(START, depth)), [7, 49, 302, 1469, 7361]);
});

test("FEN", () => {
  assert.equal(fen(positionOfFen("B:W18,K10:BK5,1-4.")), "B:WK10,18:B1,2,3,4,K5");
  assert.equal(fen(positionOfFen("W:W:BK1-3")), "W:W:BK1,K2,K3");
});

test("truth of a bid", () => {
  const book = new LiarsDice({ players: 2, dice: 1 });
  /** @type {import("../botyard/liars-dice.js").View} */
  const view = { cups: [[0, 1, 0, 0, 0, 0], null], bid: null, bids: 0, lost: null };
  const expected = [[1, 2, 1], [2, 2, 1 / 6], [1, 3, 1 / 6], [2, 3, 0]];
  for (const [count, face, probability] of expected) {
    assert.ok(Math.abs(book.truth(view, count, face) - probability) < 1e-12);
  }
  const five = new LiarsDice();
  assert.ok(Math.abs(five.truth({ ...view, cups: [null, null] }, 1, 1) - (1 - (5 / 6) ** 10)) < 1e-12);
});

test("a game that the kit does not know", () => {
  assert.equal(rulebook("bot", {}, {}), null);
  assert.equal(rulebook("chess", {}, {}), null);
});

test("three in a line", () => {
  const columns = [["x", "x", "x", ".", ".", "."], ...Array.from({ length: 6 }, () => new Array(6).fill("."))];
  assert.equal(winsAt(columns, 0, 2), false);
});
