/**
 * Returns whether the disc there (counted from 0) is in a line of four.
 *
 * @param {string[][]} columns
 * @param {number} column
 * @param {number} row
 */
export function winsAt(columns: string[][], column: number, row: number): boolean;
export const COLUMNS: 7;
export const ROWS: 6;
export const YELLOW: "x";
export const RED: "o";
export const EMPTY: ".";
/**
 * A disc in a column, from 1 (left) to 7 (right).
 *
 * @typedef {{ column: number }} Action
 */
/**
 * The board: columns from left to right, each from bottom to top. Yellow moves when `discs` is even.
 *
 * @typedef {{ columns: string[][], discs: number, end?: "four_in_line" | "full" }} View
 */
/** The game; it has no rules to change. */
export class ConnectFour extends Rulebook {
    /**
     * @param {any} [rules]
     * @param {any} [setup]
     */
    constructor(rules?: any, setup?: any);
    /**
     * Returns the legal actions, from left to right.
     *
     * @param {View} view
     * @returns {Action[]}
     */
    legal(view: View): Action[];
    /**
     * Returns the view after a disc of the side to move. `end` is `four_in_line` or `full` at the end.
     *
     * @param {View} view
     * @param {Action} action
     * @returns {View}
     */
    play(view: View, action: Action): View;
}
/**
 * A disc in a column, from 1 (left) to 7 (right).
 */
export type Action = {
    column: number;
};
/**
 * The board: columns from left to right, each from bottom to top. Yellow moves when `discs` is even.
 */
export type View = {
    columns: string[][];
    discs: number;
    end?: "four_in_line" | "full";
};
import { Rulebook } from "./rulebook.js";
