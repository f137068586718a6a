export const LIAR: "liar";
export const FACES: 6;
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
    /**
     * @param {{ players?: number, dice?: number }} [rules]
     * @param {any} [setup]
     */
    constructor(rules?: {
        players?: number;
        dice?: number;
    }, setup?: any);
    players: number;
    dice: number;
    /**
     * Returns the legal actions: `"liar"` after a bid, and the higher bids.
     *
     * @param {View} view
     * @returns {Action[]}
     */
    legal(view: View): Action[];
    /**
     * Returns the probability that at least `count` of all dice show `face`, given the cups in the view.
     *
     * The hidden dice are taken as fair: nothing is concluded from the bids.
     *
     * @param {View} view
     * @param {number} count
     * @param {number} face
     */
    truth(view: View, count: number, face: number): number;
}
/**
 * A bid that at least `count` of all dice show `face`, or `"liar"`.
 */
export type Action = {
    bid: {
        count: number;
        face: number;
    };
} | "liar";
/**
 * For each seat how many of its dice show 1 to 6 (`null` where that is hidden), the last bid as count and face, how many
 * bids there were, and who lost (as the number of the seat from 0, and why).
 */
export type View = {
    cups: (number[] | null)[];
    bid: [number, number] | null;
    bids: number;
    lost: [number, string] | null;
};
import { Rulebook } from "./rulebook.js";
