/**
 * Liar's Dice: the types of its views and actions, legal actions, and the probability of a bid.
 *
 * The rules and the JSON are described in `docs/games/liars-dice.md`.
 */

import { Rulebook } from "./rulebook.js";

export const LIAR = "liar";
export const FACES = 6;

/**
 * A bid that at least `count` of all dice show `face`, or `"liar"`.
 *
 * @typedef {{ bid: { count: number, face: number } } | "liar"} Action
 */

/**
 * For each seat how many of its dice show 1 to 6 (`null` where that is hidden), the last bid as count and face, how many
 * bids there were, and who lost (as the number of the seat from 0, and why).
 *
 * @typedef {object} View
 * @property {(number[] | null)[]} cups
 * @property {[number, number] | null} bid
 * @property {number} bids
 * @property {[number, string] | null} lost
 */

/** The game under one set of rules. */
export class LiarsDice extends Rulebook {
  static NAME = "liars-dice";

  /**
   * @param {{ players?: number, dice?: number }} [rules]
   * @param {any} [setup]
   */
  constructor(rules = {}, setup) {
    super();
    this.players = rules.players ?? 2;
    this.dice = rules.dice ?? 5;
  }

  /**
   * Returns the legal actions: `"liar"` after a bid, and the higher bids.
   *
   * @param {View} view
   * @returns {Action[]}
   */
  legal(view) {
    if (view.lost !== null) {
      return [];
    }
    const [lastCount, lastFace] = view.bid ?? [0, 0];
    /** @type {Action[]} */
    const actions = view.bid ? [LIAR] : [];
    for (let count = 1; count <= this.players * this.dice; count++) {
      for (let face = 1; face <= FACES; face++) {
        if (count > lastCount || (count === lastCount && face > lastFace)) {
          actions.push({ bid: { count, face } });
        }
      }
    }
    return actions;
  }

  /**
   * Returns the probability that at least `count` of all dice show `face`, given the cups in the view.
   *
   * The hidden dice are taken as fair: nothing is concluded from the bids.
   *
   * @param {View} view
   * @param {number} count
   * @param {number} face
   */
  truth(view, count, face) {
    let needed = count;
    let hidden = 0;
    for (const cup of view.cups) {
      needed -= cup ? cup[face - 1] : 0;
      hidden += cup ? 0 : this.dice;
    }
    if (needed <= 0) {
      return 1;
    }
    // The probability of exactly `hits` hits, for 0, 1, ...
    let exactly = (5 / 6) ** hidden;
    let sum = 0;
    for (let hits = 0; hits <= hidden; hits++) {
      sum += hits >= needed ? exactly : 0;
      exactly *= (hidden - hits) / (hits + 1) / 5;
    }
    return sum;
  }
}
