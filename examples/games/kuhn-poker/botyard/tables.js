/**
 * Tables with cards, dice and chips, for `Game.picture`:
 *
 *     import { Table, back, card } from "./botyard/tables.js";
 *
 *     picture(state, seat) {
 *       const table = new Table({ title: "Poker" });
 *       for (const name of this.seats) {
 *         const isSeen = seat === null || seat === name;
 *         const hand = state.hands[name].map(([rank, suit]) => (isSeen ? card(rank, suit) : back()));
 *         table.row(name, hand, { note: `${state.chips[name]} chips`, active: state.toMove === name });
 *       }
 *       return table.svg();
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
  decimal,
  element,
  escaped,
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

/**
 * Something that lies on a table, drawn from its top left corner.
 *
 * @typedef {{ width: number, height: number, markup: string } & Acting} Item
 */

/** @type {Record<string, string>} */
const SUITS = {
  spades:
    "M0-10C4-4 10-1 10 4 10 9 4 10 1.4 6.4 1.6 8.6 2.4 9.6 3.6 10.4H-3.6C-2.4 9.6-1.6 8.6-1.4 6.4-4 10-10 9" +
    "-10 4-10-1-4-4 0-10Z",
  hearts: "M0 10C-3 5-10 1-10-4.4-10-10-2.4-11 0-5 2.4-11 10-10 10-4.4 10 1 3 5 0 10Z",
  diamonds: "M0-11C2-6.6 5-3 8 0 5 3 2 6.6 0 11-2 6.6-5 3-8 0-5-3-2-6.6 0-11Z",
  clubs:
    "M-1.4 3.2C-3.6 8-10.4 6.6-10.4 1.4-10.4-3-6.4-4.4-3.8-3.2-6.4-6.6-3.6-10.6 0-10.6 3.6-10.6 6.4-6.6 3.8-3.2" +
    " 6.4-4.4 10.4-3 10.4 1.4 10.4 6.6 3.6 8 1.4 3.2 1.6 7 2.4 9.4 3.6 10.4H-3.6C-2.4 9.4-1.6 7-1.4 3.2Z",
};
const SERIF = "Georgia, serif";
/** @type {Record<string, string>} */
const RANKS = { ace: "A", jack: "J", queen: "Q", king: "K" };
/**
 * Where the signs of a card with a number are: columns from -1 to 1, rows from -1 to 1.
 *
 * @type {Record<string, Point[]>}
 */
// prettier-ignore
const PIPS = {
  1: [[0, 0]],
  2: [[0, -1], [0, 1]],
  3: [[0, -1], [0, 0], [0, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  7: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [-1, 1], [1, 1]],
  8: [[-1, -1], [1, -1], [0, -0.5], [-1, 0], [1, 0], [0, 0.5], [-1, 1], [1, 1]],
  9: [[-1, -1], [1, -1], [-1, -0.34], [1, -0.34], [0, 0], [-1, 0.34], [1, 0.34], [-1, 1], [1, 1]],
  10: [[-1, -1], [1, -1], [0, -0.67], [-1, -0.34], [1, -0.34], [-1, 0.34], [1, 0.34], [0, 0.67], [-1, 1], [1, 1]],
};

/**
 * Returns an item.
 *
 * @param {number} width
 * @param {number} height
 * @param {string} markup
 * @param {Acting} options
 * @returns {Item}
 */
function item(width, height, markup, { action = null, label = null }) {
  return { width, height, markup, action, label };
}

/** Returns an empty card with its shadow. */
function sheet() {
  const shadow = rect(2, 3, 80, 112, "#000000", { "fill-opacity": 0.28, rx: 7 });
  return shadow + rect(0, 0, 80, 112, "#fdfaf2", { rx: 7, stroke: "#8d8574", "stroke-width": 1.2 });
}

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 * @param {string} fill
 */
function sign(suit, x, y, scale, fill) {
  const transform = `translate(${decimal(x)} ${decimal(y)}) scale(${decimal(scale)})`;
  return path(SUITS[suit], fill, null, null, { transform });
}

/**
 * Returns a card: its rank, a number or a word such as `king`, and its suit, `spades`, `hearts`, `diamonds` or `clubs`;
 * without a suit the rank alone.
 *
 * @param {number | string} rank
 * @param {string | null} suit
 * @param {Acting} options
 */
export function card(rank, suit = null, options = {}) {
  if (suit !== null && !Object.hasOwn(SUITS, suit)) {
    throw new RangeError(`expected a suit of ${Object.keys(SUITS).join(", ")}, got ${JSON.stringify(suit)}`);
  }
  const word = String(rank).toLowerCase();
  const short = Object.hasOwn(RANKS, word) ? RANKS[word] : String(rank);
  const ink = suit === "hearts" || suit === "diamonds" ? "#b3231f" : "#211f1d";
  const letters = { "font-family": SERIF, "font-weight": "bold", "text-anchor": "middle", fill: ink };
  const corner = { x: 12, y: 18, "font-size": fitting(short, 17, 19), ...letters };
  const parts = [sheet(), element("text", corner, escaped(short))];
  if (suit === null) {
    const middle = { ...corner, x: 40, y: 70, "font-size": fitting(short, 40, 60) };
    parts.push(element("text", middle, escaped(short)));
  } else {
    parts.push(sign(suit, 12, 28, 0.5, ink), sign(suit, 68, 84, -0.5, ink));
    const below = { ...corner, x: -68, y: -94, transform: "scale(-1 -1)" };
    parts.push(element("text", below, escaped(short)));
    const number = short === "A" ? "1" : short === "1" ? "" : short;
    if (Object.hasOwn(PIPS, number)) {
      const scale = short === "A" ? 1.9 : 0.62;
      parts.push(...PIPS[number].map(([x, y]) => sign(suit, 40 + 12 * x, 56 + 38 * y, y > 0 ? -scale : scale, ink)));
    } else {
      parts.push(rect(24, 17, 32, 78, "#f3e6c4", { rx: 3, stroke: ink, "stroke-width": 1 }));
      const big = { ...corner, x: 40, y: 55, "font-size": fitting(short, 32, 28) };
      parts.push(element("text", big, escaped(short)), sign(suit, 40, 75, 1, ink));
    }
  }
  return item(80, 112, parts.join(""), options);
}

/**
 * Returns a card of which one sees the back.
 *
 * @param {{ colour?: string } & Acting} options
 */
export function back({ colour = "red", ...options } = {}) {
  const [fill, edge, letters] = colours(colour);
  let data = "";
  /**
   * Adds parallel lines.
   *
   * @param {number} first
   * @param {number} end
   * @param {(step: number) => Point[]} line
   */
  const rule = (first, end, line) => {
    for (let step = first; step < end; step += 10) {
      data += joined(line(step));
    }
  };
  // prettier-ignore
  {
    rule(10, 61, (step) => [[10, 10 + step], [10 + step, 10]]);
    rule(70, 93, (step) => [[10, 10 + step], [70, step - 50]]);
    rule(8, 60, (step) => [[10 + step, 102], [70, 42 + step]]);
    rule(10, 61, (step) => [[70 - step, 10], [70, 10 + step]]);
    rule(70, 93, (step) => [[10, step - 50], [70, 10 + step]]);
    rule(8, 60, (step) => [[10, 42 + step], [70 - step, 102]]);
  }
  const inner = rect(7, 7, 66, 98, fill, { rx: 4, stroke: edge, "stroke-width": 1 });
  const lattice = path(data, "none", letters, 1, { "stroke-opacity": 0.4 });
  const middle = circle(40, 56, 13, fill, { stroke: letters, "stroke-opacity": 0.7, "stroke-width": 1.5 });
  return item(80, 112, sheet() + inner + lattice + middle, options);
}

/**
 * Returns an empty place for a card, with a word in it.
 *
 * @param {string} value
 * @param {Acting} options
 */
export function slot(value = "", options = {}) {
  const line = { stroke: "#e8f1ea", "stroke-width": 1.4, "stroke-opacity": 0.6, "stroke-dasharray": "5 4" };
  const outline = rect(1, 1, 78, 110, "#000000", { "fill-opacity": 0.3, rx: 7, ...line });
  const word = value ? text(40, 56, fitting(value, 15, 68), value, { fill: "#f4efe0" }) : "";
  return item(80, 112, outline + word, options);
}

/**
 * Returns a die with one to six eyes up.
 *
 * @param {number} eyes
 * @param {{ colour?: string } & Acting} options
 */
export function die(eyes, { colour = "white", ...options } = {}) {
  if (!Number.isInteger(eyes) || eyes < 1 || eyes > 6) {
    throw new RangeError(`expected 1 to 6 eyes, got ${JSON.stringify(eyes)}`);
  }
  const [fill, edge, letters] = colours(colour);
  const parts = [
    rect(2, 4, 56, 56, "#000000", { "fill-opacity": 0.3, rx: 11 }),
    rect(0, 0, 56, 56, fill, { rx: 11, stroke: edge, "stroke-width": 1.4 }),
    rect(4, 4, 48, 48, "#ffffff", { "fill-opacity": 0.22, rx: 16 }),
    ...PIPS[eyes].map(([x, y]) => circle(28 + 15 * x, 28 + 15 * y, 5.2, letters)),
  ];
  return item(58, 62, parts.join(""), options);
}

/**
 * Returns a chip with its worth, or any other short text.
 *
 * @param {string} value
 * @param {{ colour?: string } & Acting} options
 */
export function chip(value, { colour = "red", ...options } = {}) {
  const [fill, edge, letters] = colours(colour);
  const notches = { stroke: letters, "stroke-width": 5, "stroke-dasharray": "9 11.94", "stroke-opacity": 0.85 };
  const parts = [
    circle(26, 28, 24, "#000000", { "fill-opacity": 0.3 }),
    circle(24, 24, 23.4, fill, { stroke: edge, "stroke-width": 1.2 }),
    circle(24, 24, 20, "none", notches),
    circle(24, 24, 14.5, fill, { stroke: letters, "stroke-width": 1, "stroke-opacity": 0.6 }),
    text(24, 24, fitting(value, 16, 25), value, { fill: letters, bold: true }),
  ];
  return item(50, 52, parts.join(""), options);
}

/**
 * Returns a plate with a word: for actions that are no card, such as `fold`.
 *
 * @param {string} value
 * @param {{ colour?: string } & Acting} options
 */
export function tile(value, { colour = "white", action = null, label = null } = {}) {
  const [fill, edge, letters] = colours(colour);
  const width = Math.min(Math.max(64, 24 + 10.4 * [...value].length), 320);
  const parts = [
    rect(1.5, 3, width, 42, "#000000", { "fill-opacity": 0.3, rx: 8 }),
    rect(0, 0, width, 42, fill, { rx: 8, stroke: edge, "stroke-width": 1.4 }),
    rect(2, 2, width - 4, 18, "#ffffff", { "fill-opacity": 0.14, rx: 6 }),
    text(width / 2, 21, fitting(value, 17, width - 10), value, { fill: letters, bold: true }),
  ];
  return item(width + 2, 46, parts.join(""), { action, label: label || value });
}

/**
 * Returns a bar that is full at `most`.
 *
 * @param {number} value
 * @param {number} most
 * @param {{ colour?: string, width?: number }} options
 */
export function meter(value, most, { colour = "yellow", width = 260 } = {}) {
  const share = most > 0 ? Math.min(Math.max(value / most, 0), 1) : 0;
  const parts = [rect(0, 0, width, 16, "#000000", { "fill-opacity": 0.34, rx: 8 })];
  if (share > 0) {
    parts.push(rect(0, 0, Math.max(16, width * share), 16, colours(colour)[0], { rx: 8 }));
    parts.push(rect(4, 2.5, Math.max(8, width * share - 8), 4, "#ffffff", { rx: 2, "fill-opacity": 0.25 }));
  }
  const line = { rx: 8, stroke: "#ffffff", "stroke-opacity": 0.45, "stroke-width": 1 };
  parts.push(rect(0, 0, width, 16, "none", line));
  return item(width, 16, parts.join(""), {});
}

const FRAME = 12;
const PAD = 16;

/** A table with a row for each seat, or for what else lies there: a name, a note, and items such as cards. */
export class Table extends Drawing {
  /** @param {{ title?: string, style?: string, width?: number }} options */
  constructor({ title = "", style = "felt", width = 400 } = {}) {
    super(width, 2 * FRAME + PAD, { title });
    /** @private */
    this._style = style;
    /** @private */
    this._ink = material(style).ink;
  }

  /**
   * Adds a row below the others. `active` marks the seat whose turn it is. Items that are too many for the width
   * overlap.
   *
   * @param {string} name
   * @param {readonly Item[]} items
   * @param {{ note?: string, active?: boolean }} options
   */
  row(name, items = [], { note = "", active = false } = {}) {
    const [left, right] = [FRAME + PAD, this.width - FRAME - PAD];
    let top = this.height - FRAME;
    const fill = this._ink;
    if (name || note) {
      if (active) {
        // prettier-ignore
        const arrow = joined([[left, top], [left + 10, top + 7], [left, top + 14]], true);
        this._parts.push(path(arrow, GOLD, fill, 1));
      }
      const size = fitting(name, 17, (right - left) * (note ? 0.55 : 1));
      this._parts.push(text(left + (active ? 16 : 0), top + 7, size, name, { fill, anchor: "start", bold: true }));
      if (note) {
        this._parts.push(text(right, top + 7, fitting(note, 15, (right - left) * 0.44), note, { fill, anchor: "end" }));
      }
      top += 26;
    }
    let wide = items.reduce((sum, one) => sum + one.width, 0) + 10 * Math.max(items.length - 1, 0);
    let squeeze = 1;
    if (wide > right - left && items.length > 1) {
      const last = items[items.length - 1].width;
      squeeze = (right - left - last) / (wide - last);
      wide = right - left;
    }
    let x = (left + right - wide) / 2;
    const tall = Math.max(0, ...items.map((one) => one.height));
    for (const { width, height, markup, action, label } of items) {
      const transform = `translate(${decimal(x)} ${decimal(top + (tall - height) / 2)})`;
      this._parts.push(acting(element("g", { transform }, markup), { action, label }));
      x += (width + 10) * squeeze;
    }
    this.height = top + tall + (items.length > 0 ? PAD : 4) + FRAME;
  }

  /**
   * @protected
   * @override
   */
  _body() {
    return [surface(this._style, this.width, this.height, FRAME), ...this._parts];
  }
}
