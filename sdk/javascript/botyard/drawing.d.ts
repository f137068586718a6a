/**
 * Returns a number as text, with at most two decimals.
 *
 * @param {number} value
 */
export function decimal(value: number): string;
/**
 * Returns a text as it stands in a document: with `&amp;` for `&`, and so on.
 *
 * @param {string} value
 */
export function escaped(value: string): string;
/**
 * Returns an element. `content` is markup; attributes of `null` are left out.
 *
 * @param {string} name
 * @param {Attributes} attributes
 * @param {string} content
 */
export function element(name: string, attributes: Attributes, content?: string): string;
/**
 * Returns a line of text whose middle has the height `y`.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} value
 * @param {{ fill?: string, anchor?: string, bold?: boolean }} options
 */
export function text(x: number, y: number, size: number, value: string, { fill, anchor, bold }?: {
    fill?: string;
    anchor?: string;
    bold?: boolean;
}): string;
/**
 * Returns markup that stands for an action; the same markup without one.
 *
 * @param {string} markup
 * @param {Acting} options
 */
export function acting(markup: string, { action, label }?: Acting): string;
/**
 * Returns a rectangle; `more` are attributes.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} width
 * @param {number} height
 * @param {string} fill
 * @param {Attributes} more
 */
export function rect(x: number, y: number, width: number, height: number, fill: string, more?: Attributes): string;
/**
 * Returns a circle; `more` are attributes.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} fill
 * @param {Attributes} more
 */
export function circle(x: number, y: number, radius: number, fill: string, more?: Attributes): string;
/**
 * Returns a path; `more` are attributes.
 *
 * @param {string} d
 * @param {string} fill
 * @param {string | null} stroke
 * @param {number | null} width
 * @param {Attributes} more
 */
export function path(d: string, fill: string, stroke?: string | null, width?: number | null, more?: Attributes): string;
/**
 * Returns the data of a path along these points.
 *
 * @param {readonly Point[]} points
 * @param {boolean} isClosed
 */
export function joined(points: readonly Point[], isClosed?: boolean): string;
/**
 * Returns the size of letters, at most `size`, with which a text is about as wide as `width` or less.
 *
 * @param {string} value
 * @param {number} size
 * @param {number} width
 */
export function fitting(value: string, size: number, width: number): number;
/**
 * Returns the colours of a piece: its surface, its edge, and letters on it.
 *
 * @param {string} colour
 * @returns {[string, string, string]}
 */
export function colours(colour: string): [string, string, string];
/**
 * Returns the colours of `wood`, `checkered`, `paper` or `felt`.
 *
 * @param {string} style
 */
export function material(style: string): Material;
/**
 * Returns a board or a table of some material, from the top left corner.
 *
 * @param {string} style
 * @param {number} width
 * @param {number} height
 * @param {number} frame
 */
export function surface(style: string, width: number, height: number, frame: number): string;
/**
 * The text of drawings: SVG within the subset that `docs/rules-protocol.md` describes, for `Game.picture`.
 *
 * `boards.js` has boards of squares and hexagons, `tables.js` cards, dice and chips, and `graphs.js` nodes and edges.
 * This module is what they are made of, and for what they lack: `Drawing` is a document, and the functions return its
 * elements.
 *
 * What is drawn may stand for a legal action, by the option `action`: a page makes it a button while that action is
 * legal. `label` says the action in words, for people who do not see the drawing; by default it is the action as JSON.
 *
 * Drawings paint the surface they lie on, so they look alike on light and dark pages. The kit for Python draws the
 * same, byte for byte. This module needs nothing else of the kit.
 */
/** @typedef {[number, number]} Point */
/** @typedef {Record<string, string | number | null | undefined>} Attributes */
/** @typedef {{ action?: any, label?: string | null }} Acting */
/**
 * The colours of pieces by name: the surface, its edge, and letters on it. Any other colour of SVG is possible too.
 *
 * @type {Record<string, [string, string, string]>}
 */
export const COLOURS: Record<string, [string, string, string]>;
/** The colour of what is active or was played last. */
export const GOLD: "#ffd54a";
/** A document of this size, to which markup is added. Its unit is about a pixel on a phone. */
export class Drawing {
    /**
     * @param {number} width
     * @param {number} height
     * @param {{ title?: string }} options
     */
    constructor(width: number, height: number, { title }?: {
        title?: string;
    });
    width: number;
    height: number;
    /** @protected */
    protected _title: string;
    /**
     * @protected
     * @type {string[]}
     */
    protected _parts: string[];
    /**
     * @protected
     * @type {string[]}
     */
    protected _caption: string[];
    /**
     * Adds markup on top of all that is there.
     *
     * @param {string} markup
     * @param {Acting} options
     */
    add(markup: string, options?: Acting): void;
    /**
     * Adds a line of text below the drawing, in the colour of the page's text.
     *
     * @param {string} value
     */
    caption(value: string): void;
    /** Returns the document. */
    svg(): string;
    /**
     * @protected
     * @returns {string[]}
     */
    protected _body(): string[];
}
export type Point = [number, number];
export type Attributes = Record<string, string | number | null | undefined>;
export type Acting = {
    action?: any;
    label?: string | null;
};
/**
 * The colours of a surface: the grain is that of wood, the second squares of a checkered board, or the lines of squared
 * paper; `letters` are on the frame, and `ink` is for letters on the field.
 */
export type Material = {
    frame: string;
    field: string;
    grain: string;
    line: string;
    letters: string;
    ink: string;
};
