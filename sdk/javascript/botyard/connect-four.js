/**
 * Connect Four: the types of its views and actions, legal actions, and dropping a disc.
 *
 * The rules and the JSON are described in `docs/games/connect-four.md`.
 */

import { Rulebook } from "./rulebook.js";

export const COLUMNS = 7;
export const ROWS = 6;
export const YELLOW = "x";
export const RED = "o";
export const EMPTY = ".";

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
  static NAME = "connect-four";

  /**
   * @param {any} [rules]
   * @param {any} [setup]
   */
  constructor(rules, setup) {
    super();
  }

  /**
   * Returns the legal actions, from left to right.
   *
   * @param {View} view
   * @returns {Action[]}
   */
  legal(view) {
    if (view.end) {
      return [];
    }
    return view.columns.flatMap((cells, n) => (cells[ROWS - 1] === EMPTY ? [{ column: n + 1 }] : []));
  }

  /**
   * Returns the view after a disc of the side to move. `end` is `four_in_line` or `full` at the end.
   *
   * @param {View} view
   * @param {Action} action
   * @returns {View}
   */
  play(view, action) {
    const columns = view.columns.map((cells) => [...cells]);
    const column = action.column - 1;
    const row = columns[column].indexOf(EMPTY);
    columns[column][row] = view.discs % 2 === 0 ? YELLOW : RED;
    /** @type {View} */
    const after = { columns, discs: view.discs + 1 };
    if (winsAt(columns, column, row)) {
      after.end = "four_in_line";
    } else if (after.discs === COLUMNS * ROWS) {
      after.end = "full";
    }
    return after;
  }
}

/**
 * Returns whether the disc there (counted from 0) is in a line of four.
 *
 * @param {string[][]} columns
 * @param {number} column
 * @param {number} row
 */
export function winsAt(columns, column, row) {
  const disc = columns[column][row];
  const run = (/** @type {number} */ across, /** @type {number} */ up) => {
    let length = 0;
    while (columns[column + across * (length + 1)]?.[row + up * (length + 1)] === disc) {
      length += 1;
    }
    return length;
  };
  return [[1, 0], [0, 1], [1, 1], [1, -1]].some(([dx, dy]) => run(dx, dy) + run(-dx, -dy) >= 3);
}
