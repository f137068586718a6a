/**
 * Plays Connect Four, looking one disc ahead.
 *
 * It completes a line of four, prevents the other side's, and otherwise prefers columns near the middle.
 */

import { Bot, main } from "./botyard/index.js";
import { COLUMNS, ConnectFour } from "./botyard/connect-four.js";

/** @typedef {import("./botyard/connect-four.js").Action} Action */
/** @typedef {import("./botyard/connect-four.js").View} View */

/** @extends {Bot<View, Action>} */
export class Dropper extends Bot {
  games = ["connect-four"];
  rules = new ConnectFour();

  /**
   * @override
   * @param {import("./botyard/index.js").Turn<View, Action>} turn
   * @returns {Action}
   */
  choose(turn) {
    const scored = turn.legalActions().map((action) => ({ action, score: this.score(turn.view, action) }));
    return scored.reduce((best, other) => (other.score > best.score ? other : best)).action;
  }

  /**
   * Returns how good a column is: the higher, the better.
   *
   * @param {View} view
   * @param {Action} action
   */
  score(view, action) {
    // The same column for the other side, which moves when `discs` is odd.
    const theirs = { ...view, discs: view.discs + 1 };
    if (this.rules.play(view, action).end === "four_in_line") {
      return 20;
    }
    if (this.rules.play(theirs, action).end === "four_in_line") {
      return 10;
    }
    return -Math.abs(action.column - (COLUMNS + 1) / 2);
  }
}

main(Dropper);
