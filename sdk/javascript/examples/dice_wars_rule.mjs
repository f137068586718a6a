/**
 * Plays Dice Wars by one rule, that of the bot `dw-stei`.
 *
 * It makes the attack that it most probably wins and whose area it then keeps until its next turn, if that is likely
 * enough. Attacks from its largest region count more, because that region brings the new dice.
 */

import { Bot, boolOption, floatOption, main } from "../botyard/index.js";
import { DiceWars, END_TURN, MAX_DICE, player, winProbability } from "../botyard/dice-wars.js";

/** @typedef {import("../botyard/dice-wars.js").Action} Action */
/** @typedef {import("../botyard/dice-wars.js").View} View */

/** @extends {Bot<View, Action>} */
export class Rule extends Bot {
  static options = {
    least: floatOption(0.4, { min: 0, max: 1, about: "the least probability to win and hold, with three players or more" }),
    transfers: boolOption(true, { about: "bring dice to the border before attacks" }),
  };

  games = ["dice-wars"];
  rules = new DiceWars();

  /** @override @param {import("../botyard/index.js").Game} game */
  start(game) {
    this.rules = new DiceWars(game.rules);
  }

  /**
   * @override
   * @param {import("../botyard/index.js").Turn<View, Action>} turn
   * @returns {Action}
   */
  choose(turn) {
    const { view } = turn;
    const me = player(turn.seat);
    const transfer = this.options.transfers ? this.toTheBorder(view, me) : null;
    if (transfer) {
      return { transfer };
    }
    const [least, weight] = turn.game.seats.length === 2 ? [0.2, 3] : [this.options.least, 2];
    const region = this.rules.largestRegion(view, me);
    let best = -1;
    /** @type {Action} */
    let action = END_TURN;
    for (const [from, to] of this.rules.attacks(view)) {
      const dice = view.dice[from - 1];
      let chance = winProbability(dice, view.dice[to - 1]) * this.rules.holdProbability(view, to, dice - 1, me);
      if (chance < least && dice < MAX_DICE) {
        continue;
      }
      chance *= region.includes(from) ? weight : 1;
      if (chance >= best) {
        [best, action] = [chance, { attack: [from, to] }];
      }
    }
    if (action !== END_TURN) {
      turn.info({ score: best });
    }
    return action;
  }

  /**
   * Returns the transfer that brings most dice to the border, at least two.
   *
   * @param {View} view
   * @param {number} me
   */
  toTheBorder(view, me) {
    const { owners, dice, adjacent } = view;
    const isBorder = (/** @type {number} */ area) => adjacent[area - 1].some((to) => owners[to - 1] !== me);
    let most = 2;
    let best = null;
    for (const [from, to] of this.rules.transfers(view)) {
      const moved = Math.min(MAX_DICE - dice[to - 1], dice[from - 1] - 1);
      if (!isBorder(from) && isBorder(to) && moved >= most) {
        [most, best] = [moved, [from, to]];
      }
    }
    return /** @type {[number, number] | null} */ (best);
  }
}

main(Rule);
