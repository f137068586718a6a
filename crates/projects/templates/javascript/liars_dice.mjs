/**
 * Plays Liar's Dice by the probability of each bid, given its own dice.
 *
 * It makes the bid that is most probably true, or calls the last bid a lie if that is more probable.
 */

import { Bot, main } from "./botyard/index.js";
import { LIAR, LiarsDice } from "./botyard/liars-dice.js";

/** @typedef {import("./botyard/liars-dice.js").Action} Action */
/** @typedef {import("./botyard/liars-dice.js").View} View */

/** @extends {Bot<View, Action>} */
export class Counter extends Bot {
  games = ["liars-dice"];
  rules = new LiarsDice();

  /** @override @param {import("./botyard/index.js").Game} game */
  start(game) {
    this.rules = new LiarsDice(game.rules);
  }

  /**
   * @override
   * @param {import("./botyard/index.js").Turn<View, Action>} turn
   * @returns {Action}
   */
  choose(turn) {
    const scored = turn.legalActions().map((action) => ({ action, chance: this.chance(turn.view, action) }));
    return scored.reduce((best, other) => (other.chance > best.chance ? other : best)).action;
  }

  /**
   * Returns the probability that an action is right.
   *
   * @param {View} view
   * @param {Action} action
   */
  chance(view, action) {
    if (action === LIAR) {
      return view.bid ? 1 - this.rules.truth(view, view.bid[0], view.bid[1]) : 0;
    }
    const { count, face } = /** @type {{ bid: { count: number, face: number } }} */ (action).bid;
    return this.rules.truth(view, count, face);
  }
}

main(Counter);
