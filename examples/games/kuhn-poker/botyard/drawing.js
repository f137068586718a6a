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
export const COLOURS = {
  black: ["#2b2927", "#0d0c0b", "#f4efe4"],
  white: ["#f3eee2", "#857c6c", "#2b2927"],
  red: ["#b5322c", "#6b1512", "#fff4ee"],
  blue: ["#2b62a6", "#123763", "#f1f6ff"],
  green: ["#2f7a4c", "#144227", "#effff5"],
  yellow: ["#e3b53a", "#80600d", "#2b2207"],
  purple: ["#71479c", "#3c2059", "#f8f1ff"],
  orange: ["#cf7128", "#74390c", "#241103"],
};

/**
 * The colours of a surface: the grain is that of wood, the second squares of a checkered board, or the lines of squared
 * paper; `letters` are on the frame, and `ink` is for letters on the field.
 *
 * @typedef {{ frame: string, field: string, grain: string, line: string, letters: string, ink: string }} Material
 */

/** @type {Record<string, Material>} */
const MATERIALS = {
  wood: { frame: "#6d4526", field: "#dcb274", grain: "#c08f4e", line: "#5a3c1c", letters: "#f6e8cf", ink: "#2a2620" },
  checkered: {
    frame: "#5c3a20",
    field: "#ecd6ae",
    grain: "#a87646",
    line: "#5a3c1c",
    letters: "#f6e8cf",
    ink: "#2a2620",
  },
  paper: { frame: "#cfc5ad", field: "#faf6ea", grain: "#b9cbe0", line: "#3c4a66", letters: "#3a3423", ink: "#2a2620" },
  felt: { frame: "#5c3a20", field: "#1f6446", grain: "#195439", line: "#cfe3d6", letters: "#f6e8cf", ink: "#f6f1e2" },
};

/** The colour of what is active or was played last. */
export const GOLD = "#ffd54a";

const FONT = "system-ui, sans-serif";
const NOT_XML = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

/**
 * Returns a number as text, with at most two decimals.
 *
 * @param {number} value
 */
export function decimal(value) {
  const hundredths = Math.floor(value * 100 + 0.5);
  const [sign, size] = hundredths < 0 ? ["-", -hundredths] : ["", hundredths];
  const rest = size % 100;
  return `${sign}${(size - rest) / 100}${rest ? `.${String(rest).padStart(2, "0").replace(/0+$/, "")}` : ""}`;
}

/**
 * Returns a text as it stands in a document: with `&amp;` for `&`, and so on.
 *
 * @param {string} value
 */
export function escaped(value) {
  const clean = value.replace(NOT_XML, "\ufffd");
  return clean.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

/**
 * Returns an element. `content` is markup; attributes of `null` are left out.
 *
 * @param {string} name
 * @param {Attributes} attributes
 * @param {string} content
 */
export function element(name, attributes, content = "") {
  let written = "";
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) {
      written += ` ${key}="${typeof value === "string" ? escaped(value) : decimal(value)}"`;
    }
  }
  return content ? `<${name}${written}>${content}</${name}>` : `<${name}${written}/>`;
}

/**
 * Returns a line of text whose middle has the height `y`.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} value
 * @param {{ fill?: string, anchor?: string, bold?: boolean }} options
 */
export function text(x, y, size, value, { fill = "currentColor", anchor = "middle", bold = false } = {}) {
  const attributes = {
    x,
    y: y + size * 0.35,
    "font-size": size,
    "font-family": FONT,
    "font-weight": bold ? "bold" : null,
    "text-anchor": anchor,
    fill,
  };
  return element("text", attributes, escaped(value));
}

/**
 * Returns markup that stands for an action; the same markup without one.
 *
 * @param {string} markup
 * @param {Acting} options
 */
export function acting(markup, { action = null, label = null } = {}) {
  if (action === null) {
    return markup;
  }
  const asJson = JSON.stringify(action).replace(NOT_XML, (found) => `\\u${found.charCodeAt(0).toString(16)}`);
  return element("g", { "data-action": asJson, "data-label": label || asJson }, markup);
}

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
export function rect(x, y, width, height, fill, more = {}) {
  return element("rect", { x, y, width, height, fill, ...more });
}

/**
 * Returns a circle; `more` are attributes.
 *
 * @param {number} x
 * @param {number} y
 * @param {number} radius
 * @param {string} fill
 * @param {Attributes} more
 */
export function circle(x, y, radius, fill, more = {}) {
  return element("circle", { cx: x, cy: y, r: radius, fill, ...more });
}

/**
 * Returns a path; `more` are attributes.
 *
 * @param {string} d
 * @param {string} fill
 * @param {string | null} stroke
 * @param {number | null} width
 * @param {Attributes} more
 */
export function path(d, fill, stroke = null, width = null, more = {}) {
  return element("path", { d, fill, stroke, "stroke-width": width, ...more });
}

/**
 * Returns the data of a path along these points.
 *
 * @param {readonly Point[]} points
 * @param {boolean} isClosed
 */
export function joined(points, isClosed = false) {
  return `M${points.map(([x, y]) => `${decimal(x)} ${decimal(y)}`).join("L")}${isClosed ? "Z" : ""}`;
}

/**
 * Returns the size of letters, at most `size`, with which a text is about as wide as `width` or less.
 *
 * @param {string} value
 * @param {number} size
 * @param {number} width
 */
export function fitting(value, size, width) {
  return Math.min(size, width / (0.62 * Math.max([...value].length, 1)));
}

/**
 * Returns the colours of a piece: its surface, its edge, and letters on it.
 *
 * @param {string} colour
 * @returns {[string, string, string]}
 */
export function colours(colour) {
  return Object.hasOwn(COLOURS, colour) ? COLOURS[colour] : [colour, "#26221c", "#ffffff"];
}

/**
 * Returns the colours of `wood`, `checkered`, `paper` or `felt`.
 *
 * @param {string} style
 */
export function material(style) {
  if (!Object.hasOwn(MATERIALS, style)) {
    throw new RangeError(`expected a style of ${Object.keys(MATERIALS).join(", ")}, got ${JSON.stringify(style)}`);
  }
  return MATERIALS[style];
}

/**
 * Returns a board or a table of some material, from the top left corner.
 *
 * @param {string} style
 * @param {number} width
 * @param {number} height
 * @param {number} frame
 */
export function surface(style, width, height, frame) {
  const { frame: border, field, grain } = material(style);
  const inner = { width: width - 2 * frame, height: height - 2 * frame };
  const bevel = { rx: 8.5, stroke: "#ffffff", "stroke-opacity": 0.22, "stroke-width": 1.5 };
  const parts = [
    rect(0, 0, width, height, border, { rx: 10 }),
    rect(1.5, 1.5, width - 3, height - 3, "none", bevel),
    rect(frame, frame, inner.width, inner.height, field, { rx: 3 }),
  ];
  if (style === "wood") {
    // Lines along the grain, bent by turns.
    const steps = Math.max(4, Math.floor(inner.height / 16));
    const [x, wide] = [frame, inner.width];
    let data = "";
    for (let step = 0; step < steps; step += 1) {
      const y = frame + (inner.height * (step + 0.5)) / steps;
      const bend = (((step * 7) % 5) - 2) * 2.2;
      /** @type {Point[]} */
      const ends = [
        [x, y],
        [x + wide * 0.3, y - bend],
        [x + wide * 0.7, y + bend],
        [x + wide, y + bend / 2],
      ];
      const at = ends.map(([one, other]) => `${decimal(one)} ${decimal(other)}`);
      data += `M${at[0]}C${at[1]} ${at[2]} ${at[3]}`;
    }
    parts.push(path(data, "none", grain, 1.6, { "stroke-opacity": 0.5 }));
  }
  if (style === "felt") {
    // The cushion throws a shadow on the cloth.
    for (const [inset, opacity] of [
      [3, 0.28],
      [7, 0.14],
      [12, 0.07],
    ]) {
      const [corner, wide, tall] = [frame + inset / 2, inner.width - inset, inner.height - inset];
      const line = { rx: 3, stroke: "#000000", "stroke-opacity": opacity, "stroke-width": inset };
      parts.push(rect(corner, corner, wide, tall, "none", line));
    }
  }
  return parts.join("");
}

/** A document of this size, to which markup is added. Its unit is about a pixel on a phone. */
export class Drawing {
  /**
   * @param {number} width
   * @param {number} height
   * @param {{ title?: string }} options
   */
  constructor(width, height, { title = "" } = {}) {
    this.width = width;
    this.height = height;
    /** @protected */
    this._title = title;
    /**
     * @protected
     * @type {string[]}
     */
    this._parts = [];
    /**
     * @protected
     * @type {string[]}
     */
    this._caption = [];
  }

  /**
   * Adds markup on top of all that is there.
   *
   * @param {string} markup
   * @param {Acting} options
   */
  add(markup, options = {}) {
    this._parts.push(acting(markup, options));
  }

  /**
   * Adds a line of text below the drawing, in the colour of the page's text.
   *
   * @param {string} value
   */
  caption(value) {
    this._caption.push(value);
  }

  /** Returns the document. */
  svg() {
    const lines = this._caption.map((value, number) => {
      const size = fitting(value, 16, this.width - 8);
      return text(this.width / 2, this.height + 18 + 24 * number, size, value);
    });
    const height = this.height + (lines.length > 0 ? 24 * lines.length + 8 : 0);
    const title = this._title ? element("title", {}, escaped(this._title)) : "";
    const viewBox = `0 0 ${decimal(this.width)} ${decimal(height)}`;
    const content = title + this._body().join("") + lines.join("");
    return element("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox }, content);
  }

  /**
   * @protected
   * @returns {string[]}
   */
  _body() {
    return this._parts;
  }
}
