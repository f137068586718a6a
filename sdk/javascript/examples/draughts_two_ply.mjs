/** Plays English draughts by a search of two plies: its own moves and every answer, and captures beyond them. */

import { Bot, intOption, main } from "../botyard/index.js";
import { Draughts, position } from "../botyard/draughts.js";

/** @typedef {import("../botyard/draughts.js").Action} Action */
/** @typedef {import("../botyard/draughts.js").Position} Position */
/** @typedef {import("../botyard/draughts.js").View} View */

/**
 * What pieces are worth: small letters are men, capital letters kings.
 *
 * @type {Record<string, number>}
 */
const WORTH = { b: 100, B: 160, w: -100, W: -160, ".": 0 };

const WON = 10_000;

/** @extends {Bot<View, Action>} */
export class TwoPly extends Bot {
  static options = { depth: intOption(2, { min: 1, max: 8, about: "plies to search" }) };

  name = "two-ply";
  games = ["draughts"];
  rules = new Draughts();
  nodes = 0;

  /** @override @param {import("../botyard/index.js").Game} game */
  start(game) {
    this.rules = new Draughts(game.rules);
  }

  /** @override @param {import("../botyard/index.js").Turn<View, Action>} turn */
  choose(turn) {
    const now = position(turn.view);
    const { depth } = this.options;
    // Equal moves are played in random order.
    const actions = turn.random.shuffled(turn.legalActions());
    if (actions.length === 1) {
      return actions[0];
    }
    this.nodes = 0;
    const values = actions.map((action) => -this.search(this.rules.play(now, action), depth - 1, -WON, WON));
    const best = Math.max(...values);
    turn.info({ score: best, depth, nodes: this.nodes });
    return actions[values.indexOf(best)];
  }

  /**
   * Returns the value of a position for the side to move, by alpha-beta.
   *
   * @param {Position} now
   * @param {number} depth
   * @param {number} alpha
   * @param {number} beta
   * @returns {number}
   */
  search(now, depth, alpha, beta) {
    this.nodes += 1;
    // A position in the middle of an exchange is not judged: captures are searched to their end.
    const moves = depth > 0 ? this.rules.moves(now) : this.rules.captures(now);
    if (moves.length === 0) {
      return depth > 0 ? -WON : this.evaluate(now);
    }
    for (const move of moves) {
      alpha = Math.max(alpha, -this.search(this.rules.play(now, move), depth - 1, -beta, -alpha));
      if (alpha >= beta) {
        break;
      }
    }
    return alpha;
  }

  /**
   * Returns the material and how far men have come, for the side to move.
   *
   * @param {Position} now
   */
  evaluate({ board, toMove }) {
    let value = 0;
    for (let index = 0; index < 32; index++) {
      const piece = board[index];
      const row = index >> 2;
      value += WORTH[piece] + (piece === "b" ? row : piece === "w" ? row - 7 : 0);
    }
    return toMove === "black" ? value : -value;
  }
}

main(TwoPly);
