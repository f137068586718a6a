/**
 * Returns a card: its rank, a number or a word such as `king`, and its suit, `spades`, `hearts`, `diamonds` or `clubs`;
 * without a suit the rank alone.
 *
 * @param {number | string} rank
 * @param {string | null} suit
 * @param {Acting} options
 */
export function card(rank: number | string, suit?: string | null, options?: Acting): Item;
/**
 * Returns a card of which one sees the back.
 *
 * @param {{ colour?: string } & Acting} options
 */
export function back({ colour, ...options }?: {
    colour?: string;
} & Acting): Item;
/**
 * Returns an empty place for a card, with a word in it.
 *
 * @param {string} value
 * @param {Acting} options
 */
export function slot(value?: string, options?: Acting): Item;
/**
 * Returns a die with one to six eyes up.
 *
 * @param {number} eyes
 * @param {{ colour?: string } & Acting} options
 */
export function die(eyes: number, { colour, ...options }?: {
    colour?: string;
} & Acting): Item;
/**
 * Returns a chip with its worth, or any other short text.
 *
 * @param {string} value
 * @param {{ colour?: string } & Acting} options
 */
export function chip(value: string, { colour, ...options }?: {
    colour?: string;
} & Acting): Item;
/**
 * Returns a plate with a word: for actions that are no card, such as `fold`.
 *
 * @param {string} value
 * @param {{ colour?: string } & Acting} options
 */
export function tile(value: string, { colour, action, label }?: {
    colour?: string;
} & Acting): Item;
/**
 * Returns a bar that is full at `most`.
 *
 * @param {number} value
 * @param {number} most
 * @param {{ colour?: string, width?: number }} options
 */
export function meter(value: number, most: number, { colour, width }?: {
    colour?: string;
    width?: number;
}): Item;
/** A table with a row for each seat, or for what else lies there: a name, a note, and items such as cards. */
export class Table extends Drawing {
    /** @param {{ title?: string, style?: string, width?: number }} options */
    constructor({ title, style, width }?: {
        title?: string;
        style?: string;
        width?: number;
    });
    /** @private */
    private _style;
    /** @private */
    private _ink;
    /**
     * Adds a row below the others. `active` marks the seat whose turn it is. Items that are too many for the width
     * overlap.
     *
     * @param {string} name
     * @param {readonly Item[]} items
     * @param {{ note?: string, active?: boolean }} options
     */
    row(name: string, items?: readonly Item[], { note, active }?: {
        note?: string;
        active?: boolean;
    }): void;
}
export type Point = import("./drawing.js").Point;
export type Acting = import("./drawing.js").Acting;
/**
 * Something that lies on a table, drawn from its top left corner.
 */
export type Item = {
    width: number;
    height: number;
    markup: string;
} & Acting;
import { Drawing } from "./drawing.js";
