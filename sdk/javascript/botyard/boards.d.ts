/**
 * A board of squares, or of points where lines cross (`points: true`, as in Go).
 *
 * `style` is `wood`, `checkered`, `paper` or `felt`. `coordinates` letters the columns from a and numbers the rows:
 * from the `top`, or from the `bottom`. Places are counted from the top left.
 */
export class Board extends Cells {
    /**
     * @param {number} rows
     * @param {{
     *   columns?: number,
     *   style?: string,
     *   points?: boolean,
     *   coordinates?: string | null,
     *   title?: string,
     * }} options
     */
    constructor(rows: number, { columns, style, points, coordinates, title }?: {
        columns?: number;
        style?: string;
        points?: boolean;
        coordinates?: string | null;
        title?: string;
    });
    /** @private */
    private _frame;
    /**
     * @private
     * @param {string} style
     * @param {boolean} points
     * @param {number} rows
     * @param {number} columns
     */
    private _grid;
    /**
     * Returns the dots of a board for Go.
     *
     * @private
     * @param {string} fill
     * @param {number} size
     */
    private _stars;
    /**
     * @private
     * @param {string} fill
     * @param {string} from
     * @param {number} rows
     * @param {number} columns
     */
    private _coordinates;
}
/**
 * A board of hexagons: a rhombus of `rows` and `columns`, or with `shape: "hexagon"` a hexagon with `rows` cells at
 * each side.
 *
 * `edges` are the colours of the rhombus: of its top and bottom, and of its left and right. `coordinates` letters the
 * columns and numbers the rows. A row of the rhombus begins half a cell to the right of the row above it.
 */
export class HexBoard extends Cells {
    /**
     * @param {number} rows
     * @param {{
     *   columns?: number,
     *   shape?: string,
     *   edges?: readonly string[] | null,
     *   coordinates?: boolean,
     *   style?: string,
     *   title?: string,
     * }} options
     */
    constructor(rows: number, { columns, shape, edges, coordinates, style, title }?: {
        columns?: number;
        shape?: string;
        edges?: readonly string[] | null;
        coordinates?: boolean;
        style?: string;
        title?: string;
    });
    /** @private */
    private _offsets;
    /** @private */
    private _radius;
    /** @private */
    private _near;
    /**
     * Returns the corners of a cell, clockwise from the top.
     *
     * @private
     * @param {number} row
     * @param {number} column
     * @returns {Point[]}
     */
    private _corners;
    /**
     * @private
     * @param {readonly string[]} edges
     */
    private _edges;
    /**
     * @private
     * @param {string} fill
     * @param {readonly number[]} lengths
     * @param {string | null} line
     */
    private _hexagons;
    /**
     * @private
     * @param {string} fill
     * @param {readonly number[]} lengths
     */
    private _coordinates;
}
export type Point = import("./drawing.js").Point;
export type Acting = import("./drawing.js").Acting;
/**
 * A place on a board: its number from 0, row by row, or its row and column from 0.
 */
export type Place = number | readonly number[];
/** What boards with any form of cells have in common. */
declare class Cells extends Drawing {
    /**
     * @param {number} width
     * @param {number} height
     * @param {string} title
     * @param {readonly number[]} lengths
     */
    constructor(width: number, height: number, title: string, lengths: readonly number[]);
    /** @protected */
    protected _lengths: readonly number[];
    /**
     * Half the width of a cell.
     * @protected
     */
    protected _half: number;
    /**
     * @protected
     * @type {string[]}
     */
    protected _ground: string[];
    /** @protected */
    protected _lines: string;
    /**
     * @protected
     * @type {string[]}
     */
    protected _under: string[];
    /**
     * In the order of drawing: where, the markup, the action and its label.
     * @private
     * @type {{ at: [number, number], markup: string, options: Acting }[]}
     */
    private _pieces;
    /**
     * @private
     * @type {[number, number][]}
     */
    private _marked;
    /**
     * Returns where the middle of a cell is in the drawing.
     *
     * @param {Place} at
     * @returns {Point}
     */
    centre(at: Place): Point;
    /**
     * Draws a stone: a round piece without letters.
     *
     * @param {Place} at
     * @param {string} colour
     * @param {Acting} options
     */
    stone(at: Place, colour: string, options?: Acting): void;
    /**
     * Draws a round piece with letters or a number.
     *
     * @param {Place} at
     * @param {string} value
     * @param {string} colour
     * @param {Acting} options
     */
    piece(at: Place, value: string, colour: string, options?: Acting): void;
    /**
     * Draws a cross (`x`), a nought (`o`), or any other text, as with a pen.
     *
     * @param {Place} at
     * @param {string} sign
     * @param {{ colour?: string | null } & Acting} options
     */
    mark(at: Place, sign: string, { colour, ...options }?: {
        colour?: string | null;
    } & Acting): void;
    /**
     * Makes a cell stand for an action, with what was drawn there before; `dot` shows where a piece can go.
     *
     * @param {Place} at
     * @param {{ dot?: boolean } & Acting} options
     */
    target(at: Place, { dot, ...options }: {
        dot?: boolean;
    } & Acting): void;
    /**
     * Names a cell, such as `c3`, so that bots can draw on it.
     *
     * @param {Place} at
     * @param {string} name
     */
    place(at: Place, name: string): void;
    /**
     * Colours a cell, below its piece: part of the last move, or of a line that has won.
     *
     * @param {Place} at
     * @param {string} colour
     */
    highlight(at: Place, colour?: string): void;
    /**
     * Marks the piece of the last move by a dot, above it.
     *
     * @param {Place} at
     */
    last(at: Place): void;
    /**
     * @private
     * @param {Place} at
     * @param {string} markup
     * @param {Acting} options
     */
    private _put;
    /**
     * @private
     * @param {Place} at
     * @param {string} colour
     */
    private _disc;
    /**
     * @protected
     * @param {Place} at
     * @returns {Point}
     */
    protected _rowAndColumn(at: Place): Point;
    /**
     * @protected
     * @param {number} _row
     * @param {number} _column
     * @returns {Point}
     */
    protected _middle(_row: number, _column: number): Point;
    /**
     * @protected
     * @param {Place} _at
     * @param {string} _fill
     * @param {number} _opacity
     * @returns {string}
     */
    protected _cell(_at: Place, _fill: string, _opacity: number): string;
    /**
     * @private
     * @param {[number, number]} at
     */
    private _dot;
}
import { Drawing } from "./drawing.js";
export {};
