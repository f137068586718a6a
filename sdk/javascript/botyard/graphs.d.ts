/** @typedef {import("./drawing.js").Point} Point */
/** @typedef {import("./drawing.js").Acting} Acting */
/** Nodes and edges. */
export class Graph extends Drawing {
    /**
     * @param {Record<string, readonly number[]>} nodes where each node is, in any unit
     * @param {readonly (readonly [string, string])[]} edges pairs of nodes, drawn plainly
     * @param {{ style?: string, radius?: number, title?: string, width?: number }} options
     */
    constructor(nodes: Record<string, readonly number[]>, edges?: readonly (readonly [string, string])[], { style, radius, title, width }?: {
        style?: string;
        radius?: number;
        title?: string;
        width?: number;
    });
    /** @private */
    private _style;
    /** @private */
    private _radius;
    /**
     * @private
     * @type {Map<string, Point>}
     */
    private _at;
    /**
     * @private
     * @type {string[]}
     */
    private _edges;
    /**
     * @private
     * @type {Map<string, string>}
     */
    private _nodes;
    /**
     * Draws a node again: in this colour, with this text (by default its name), and with a ring if `active`.
     *
     * @param {string} name
     * @param {{ colour?: string, value?: string | null, active?: boolean } & Acting} options
     */
    node(name: string, { colour, value, active, ...options }?: {
        colour?: string;
        value?: string | null;
        active?: boolean;
    } & Acting): void;
    /**
     * Draws an edge, with a text in its middle, and an arrow to `other` if `directed`.
     *
     * @param {string} one
     * @param {string} other
     * @param {{ colour?: string | null, value?: string, width?: number, directed?: boolean } & Acting} options
     */
    edge(one: string, other: string, { colour, value, width, directed, ...options }?: {
        colour?: string | null;
        value?: string;
        width?: number;
        directed?: boolean;
    } & Acting): void;
    /**
     * @private
     * @param {string} name
     */
    private _point;
}
export type Point = import("./drawing.js").Point;
export type Acting = import("./drawing.js").Acting;
import { Drawing } from "./drawing.js";
