/**
 * Graphs of nodes and edges, for `Game.picture`:
 *
 *     import { Graph } from "./botyard/graphs.js";
 *
 *     picture(state, seat) {
 *       const graph = new Graph({ a: [0, 0], b: [2, 1], c: [4, 0] }, [["a", "b"], ["b", "c"]]);
 *       graph.node(state.at, { colour: "blue", active: true });
 *       return graph.svg();
 *     }
 *
 * `action` is the legal action for which something stands, and `label` says it in words: see `drawing.js`, the only
 * module of the kit that this one needs.
 */

import {
  Drawing,
  GOLD,
  acting,
  circle,
  colours,
  element,
  fitting,
  joined,
  material,
  path,
  rect,
  surface,
  text,
} from "./drawing.js";

/** @typedef {import("./drawing.js").Point} Point */
/** @typedef {import("./drawing.js").Acting} Acting */

/** Nodes and edges. */
export class Graph extends Drawing {
  /**
   * @param {Record<string, readonly number[]>} nodes where each node is, in any unit
   * @param {readonly (readonly [string, string])[]} edges pairs of nodes, drawn plainly
   * @param {{ style?: string, radius?: number, title?: string, width?: number }} options
   */
  constructor(nodes, edges = [], { style = "paper", radius = 18, title = "", width = 480 } = {}) {
    const places = Object.entries(nodes);
    const [xs, ys] = [places.map(([, at]) => at[0]), places.map(([, at]) => at[1])];
    const [left, top] = places.length > 0 ? [Math.min(...xs), Math.min(...ys)] : [0, 0];
    const [wide, tall] = places.length > 0 ? [Math.max(...xs) - left, Math.max(...ys) - top] : [0, 0];
    const edge = 14 + radius + 14;
    const room = width - 2 * edge;
    const most = Math.min(wide > 0 ? room / wide : Infinity, tall > 0 ? (1.5 * room) / tall : Infinity);
    const scale = most === Infinity ? 1 : most;
    super(Math.max(wide * scale, 120) + 2 * edge, tall * scale + 2 * edge, { title });
    const shift = (this.width - wide * scale) / 2;
    /** @private */
    this._style = style;
    /** @private */
    this._radius = radius;
    /**
     * @private
     * @type {Map<string, Point>}
     */
    this._at = new Map(places.map(([name, [x, y]]) => [name, [shift + (x - left) * scale, edge + (y - top) * scale]]));
    /**
     * @private
     * @type {string[]}
     */
    this._edges = [];
    /**
     * @private
     * @type {Map<string, string>}
     */
    this._nodes = new Map();
    for (const [name] of places) {
      this.node(name);
    }
    for (const [one, other] of edges) {
      this.edge(one, other);
    }
  }

  /**
   * Draws a node again: in this colour, with this text (by default its name), and with a ring if `active`.
   *
   * @param {string} name
   * @param {{ colour?: string, value?: string | null, active?: boolean } & Acting} options
   */
  node(name, { colour = "white", value = null, active = false, ...options } = {}) {
    const [x, y] = this._point(name);
    const [fill, edge, letters] = colours(colour);
    const [shown, radius] = [value ?? name, this._radius];
    const parts = active ? [circle(x, y, radius + 5, GOLD, { stroke: "#6b5200", "stroke-width": 1 })] : [];
    parts.push(circle(x, y, radius, fill, { stroke: edge, "stroke-width": 2 }));
    if (shown) {
      const size = fitting(shown, radius * 0.9, radius * 1.6);
      parts.push(text(x, y, size, shown, { fill: letters, bold: true }));
    }
    this._nodes.set(name, acting(parts.join(""), options));
  }

  /**
   * Draws an edge, with a text in its middle, and an arrow to `other` if `directed`.
   *
   * @param {string} one
   * @param {string} other
   * @param {{ colour?: string | null, value?: string, width?: number, directed?: boolean } & Acting} options
   */
  edge(one, other, { colour = null, value = "", width = 3, directed = false, ...options } = {}) {
    const [x1, y1] = this._point(one);
    const [x2, y2] = this._point(other);
    const own = material(this._style);
    const ink = colour ? colours(colour)[0] : own.line;
    const ends = { x1, y1, x2, y2 };
    const parts = [element("line", { ...ends, stroke: ink, "stroke-width": width, "stroke-linecap": "round" })];
    if (options.action !== undefined && options.action !== null) {
      // A finger is wider than the line.
      parts.push(element("line", { ...ends, stroke: "#ffffff", "stroke-opacity": 0, "stroke-width": 22 }));
    }
    const length = Math.sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1));
    if (directed && length > 0) {
      const [right, down] = [(x2 - x1) / length, (y2 - y1) / length];
      const tip = [x2 - right * (this._radius + 3), y2 - down * (this._radius + 3)];
      const foot = [tip[0] - right * (9 + width), tip[1] - down * (9 + width)];
      const half = 4 + width;
      /** @type {Point[]} */
      const corners = [
        [tip[0], tip[1]],
        [foot[0] - down * half, foot[1] + right * half],
        [foot[0] + down * half, foot[1] - right * half],
      ];
      parts.push(path(joined(corners, true), ink));
    }
    if (value) {
      const [x, y, wide] = [(x1 + x2) / 2, (y1 + y2) / 2, 10 + 8.4 * [...value].length];
      parts.push(rect(x - wide / 2, y - 11, wide, 22, own.field, { rx: 6, stroke: ink, "stroke-width": 1 }));
      parts.push(text(x, y, 14, value, { fill: own.ink }));
    }
    this._edges.push(acting(parts.join(""), options));
  }

  /**
   * @private
   * @param {string} name
   */
  _point(name) {
    const at = this._at.get(name);
    if (at === undefined) {
      throw new RangeError(`expected one of ${this._at.size} nodes, got ${JSON.stringify(name)}`);
    }
    return at;
  }

  /**
   * @protected
   * @override
   */
  _body() {
    const ground = surface(this._style, this.width, this.height, 8);
    return [ground, ...this._edges, ...this._nodes.values(), ...this._parts];
  }
}
