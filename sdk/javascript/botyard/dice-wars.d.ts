/**
 * Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact.
 *
 * @param {number} attacker
 * @param {number} defender
 */
export function winProbability(attacker: number, defender: number): number;
/**
 * Returns the number of the player in a seat: 2 for `player-2`.
 *
 * @param {string} seat
 */
export function player(seat: string): number;
/** The most dice on an area. */
export const MAX_DICE: 8;
/** The most new dice after a turn. */
export const MAX_NEW_DICE: 64;
export const END_TURN: "end_turn";
/** `WIN[a][d]`: the probability that `a` dice win against `d`, 1 to 8 each. */
export const WIN: number[][];
/** The game under one set of rules. */
export class DiceWars extends Rulebook {
    /**
     * @param {Record<string, any>} [rules]
     * @param {Setup} [setup]
     */
    constructor(rules?: Record<string, any>, setup?: Setup);
    rules: Record<string, any>;
    /** @private */
    private _wear;
    /** @private */
    private _maxBattles;
    /** @private */
    private _transfersBreakQuiet;
    /**
     * Returns the legal actions of the player to move: attacks, transfers, and the end of the turn.
     *
     * @param {View} view
     * @returns {Action[]}
     */
    legal(view: View): Action[];
    /**
     * Returns the attacks that a player (the one to move by default) has, from and to, ascending.
     *
     * @param {View} view
     * @param {number} player
     */
    attacks(view: View, player?: number): Pair[];
    /**
     * Returns the transfers of the player to move, from and to, ascending.
     *
     * @param {View} view
     */
    transfers(view: View): Pair[];
    /**
     * Returns the connected regions of a player, the one with the lowest area first, each ascending.
     *
     * @param {View} view
     * @param {number} player
     */
    regions(view: View, player: number): number[][];
    /**
     * Returns the largest connected region of a player; of several, that with the area of the lowest number.
     *
     * @param {View} view
     * @param {number} player
     */
    largestRegion(view: View, player: number): number[];
    /**
     * Returns how many dice a player would get if its turn ended now, those of its reserve included.
     *
     * @param {View} view
     * @param {number} player
     */
    newDice(view: View, player: number): number;
    /**
     * Returns the view after an attack that was won or lost.
     *
     * @param {View} view
     * @param {number} from
     * @param {number} to
     * @param {boolean} won
     */
    afterAttack(view: View, from: number, to: number, won: boolean): View;
    /**
     * Returns the view after a transfer.
     *
     * @param {View} view
     * @param {number} from
     * @param {number} to
     */
    afterTransfer(view: View, from: number, to: number): View;
    /**
     * Returns the view after an attack whose end is drawn with its exact chances.
     *
     * @param {View} view
     * @param {number} from
     * @param {number} to
     * @param {import("./random.js").Random} random
     */
    attackAtRandom(view: View, from: number, to: number, random: import("./random.js").Random): View;
    /**
     * Returns the probability that an area of a player with these dice withstands one attack by each neighbour that is
     * another player's and has more than one die.
     *
     * @param {View} view
     * @param {number} area
     * @param {number} dice
     * @param {number} player
     */
    holdProbability(view: View, area: number, dice: number, player: number): number;
}
/**
 * Two areas, from and to.
 */
export type Pair = [number, number];
export type Action = {
    attack: Pair;
} | {
    transfer: Pair;
} | "end_turn";
/**
 * All of a state; all seats see the same. Area n is at `[n - 1]`, and so is player n.
 */
export type View = {
    to_move: number;
    owners: number[];
    dice: number[];
    adjacent: number[][];
    reserves: number[];
    regions: number[];
    places: (number | null)[];
    transfers_left: number;
    turns: number;
    battles: number;
    quiet_turns: number;
    battle?: Pair | undefined;
    reinforcement?: boolean | undefined;
    over?: string | undefined;
};
export type Area = {
    id: number;
    adjacent: number[];
    cells: Pair[];
};
/**
 * What never changes in a game: the map, and the first owners and dice.
 */
export type Setup = {
    map: {
        areas: Area[];
    };
    owners: number[];
    dice: number[];
};
import { Rulebook } from "./rulebook.js";
