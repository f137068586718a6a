/**
 * Boards of squares, of points where lines cross, and of hexagons, for `Game.picture`:
 *
 *     import { Board } from "./botyard/boards.js";
 *
 *     picture(state, seat) {
 *       const board = new Board(3, { style: "paper", title: "Tic-tac-toe" });
 *       state.cells.forEach((mark, cell) => {
 *         if (mark) {
 *           board.mark(cell, mark);
 *         } else {
 *           board.target(cell, { action: cell, label: `cell ${cell}` });
 *         }
 *       });
 *       return board.svg();
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
 * A place on a board: its number from 0, row by row, or its row and column from 0.
 *
 * @typedef {number | readonly number[]} Place
 */

const ROOT3 = 1.7320508075688772;

/**
 * Returns the letters of a column: a to z, then aa.
 *
 * @param {number} number
 * @returns {string}
 */
function lettersOf(number) {
  const last = number % 26;
  return (number < 26 ? "" : lettersOf((number - last) / 26 - 1)) + String.fromCharCode(97 + last);
}

/**
 * Returns the numbers from `first` (included) to `end` (excluded).
 *
 * @param {number} first
 * @param {number} end
 */
function range(first, end) {
  return Array.from({ length: Math.max(end - first, 0) }, (_, place) => first + place);
}

/** What boards with any form of cells have in common. */
class Cells extends Drawing {
  /**
   * @param {number} width
   * @param {number} height
   * @param {string} title
   * @param {readonly number[]} lengths
   */
  constructor(width, height, title, lengths) {
    super(width, height, { title });
    /** @protected */
    this._lengths = lengths;
    /**
     * Half the width of a cell.
     * @protected
     */
    this._half = 25;
    /**
     * @protected
     * @type {string[]}
     */
    this._ground = [];
    /** @protected */
    this._lines = "";
    /**
     * @protected
     * @type {string[]}
     */
    this._under = [];
    /**
     * In the order of drawing: where, the markup, the action and its label.
     * @private
     * @type {{ at: [number, number], markup: string, options: Acting }[]}
     */
    this._pieces = [];
    /**
     * @private
     * @type {[number, number][]}
     */
    this._marked = [];
  }

  /**
   * Returns where the middle of a cell is in the drawing.
   *
   * @param {Place} at
   * @returns {Point}
   */
  centre(at) {
    return this._middle(...this._rowAndColumn(at));
  }

  /**
   * Draws a stone: a round piece without letters.
   *
   * @param {Place} at
   * @param {string} colour
   * @param {Acting} options
   */
  stone(at, colour, options = {}) {
    this._put(at, this._disc(at, colour), options);
  }

  /**
   * Draws a round piece with letters or a number.
   *
   * @param {Place} at
   * @param {string} value
   * @param {string} colour
   * @param {Acting} options
   */
  piece(at, value, colour, options = {}) {
    const [x, y] = this.centre(at);
    const letters = colours(colour)[2];
    const line = { stroke: letters, "stroke-opacity": 0.4, "stroke-width": 1.2 };
    const ring = circle(x, y, this._half * 0.62, "none", line);
    const size = fitting(value, this._half * 0.95, this._half * 1.15);
    const shown = text(x, y, size, value, { fill: letters, bold: true });
    this._put(at, this._disc(at, colour) + ring + shown, options);
  }

  /**
   * Draws a cross (`x`), a nought (`o`), or any other text, as with a pen.
   *
   * @param {Place} at
   * @param {string} sign
   * @param {{ colour?: string | null } & Acting} options
   */
  mark(at, sign, { colour = null, ...options } = {}) {
    const [x, y] = this.centre(at);
    const half = this._half * 0.56;
    const kind = sign.toLowerCase();
    const ink = colours(colour || (kind === "x" ? "blue" : kind === "o" ? "red" : "black"))[0];
    let markup;
    if (kind === "x") {
      let data = "";
      for (const side of [-1, 1]) {
        const points = [
          [x - half * side, y - half],
          [x + 0.1 * half, y - 0.12 * half],
          [x + half * side, y + half],
        ];
        const [first, bend, last] = points.map(([one, other]) => `${decimal(one)} ${decimal(other)}`);
        data += `M${first}Q${bend} ${last}`;
      }
      markup = path(data, "none", ink, half * 0.3, { "stroke-linecap": "round", "stroke-linejoin": "round" });
    } else if (kind === "o") {
      const ring = { cx: x, cy: y, rx: half * 1.03, ry: half * 0.97, fill: "none" };
      markup = element("ellipse", { ...ring, stroke: ink, "stroke-width": half * 0.3 });
    } else {
      markup = text(x, y, fitting(sign, this._half * 1.2, this._half * 1.7), sign, { fill: ink, bold: true });
    }
    this._put(at, markup, options);
  }

  /**
   * Makes a cell stand for an action, with what was drawn there before; `dot` shows where a piece can go.
   *
   * @param {Place} at
   * @param {{ dot?: boolean } & Acting} options
   */
  target(at, { dot = false, ...options }) {
    const [x, y] = this.centre(at);
    const mark = dot ? circle(x, y, this._half * 0.24, "#1d1a16", { "fill-opacity": 0.4 }) : "";
    this._put(at, this._cell(at, "#ffffff", 0) + mark, options);
  }

  /**
   * Names a cell, such as `c3`, so that bots can draw on it.
   *
   * @param {Place} at
   * @param {string} name
   */
  place(at, name) {
    this._under.push(element("g", { "data-place": name }, this._cell(at, "#ffffff", 0)));
  }

  /**
   * Colours a cell, below its piece: part of the last move, or of a line that has won.
   *
   * @param {Place} at
   * @param {string} colour
   */
  highlight(at, colour = GOLD) {
    this._under.push(this._cell(at, colours(colour)[0], 0.65));
  }

  /**
   * Marks the piece of the last move by a dot, above it.
   *
   * @param {Place} at
   */
  last(at) {
    this._marked.push(this._rowAndColumn(at));
  }

  /**
   * @private
   * @param {Place} at
   * @param {string} markup
   * @param {Acting} options
   */
  _put(at, markup, options) {
    this._pieces.push({ at: this._rowAndColumn(at), markup, options });
  }

  /**
   * @private
   * @param {Place} at
   * @param {string} colour
   */
  _disc(at, colour) {
    const [x, y] = this.centre(at);
    const [fill, edge] = colours(colour);
    const radius = this._half * 0.84;
    // Light falls from the top left.
    return [
      circle(x + radius * 0.07, y + radius * 0.13, radius, "#000000", { "fill-opacity": 0.3 }),
      circle(x, y, radius, fill, { stroke: edge, "stroke-width": 1.2 }),
      circle(x - radius * 0.14, y - radius * 0.16, radius * 0.7, "#ffffff", { "fill-opacity": 0.09 }),
      circle(x - radius * 0.24, y - radius * 0.28, radius * 0.42, "#ffffff", { "fill-opacity": 0.13 }),
    ].join("");
  }

  /**
   * @protected
   * @param {Place} at
   * @returns {Point}
   */
  _rowAndColumn(at) {
    const lengths = this._lengths;
    let [row, column] = typeof at === "number" ? [0, at] : at;
    if (typeof at === "number") {
      while (column >= 0 && row < lengths.length && column >= lengths[row]) {
        column -= lengths[row];
        row += 1;
      }
    }
    if (!Number.isInteger(column) || !(row >= 0 && row < lengths.length && column >= 0 && column < lengths[row])) {
      const most = lengths.reduce((sum, length) => sum + length, 0) - 1;
      const got = JSON.stringify(at);
      throw new RangeError(
        `expected a place from 0 to ${most}, or [row, column] in ${lengths.length} rows, got ${got}`,
      );
    }
    return [row, column];
  }

  /**
   * @protected
   * @param {number} _row
   * @param {number} _column
   * @returns {Point}
   */
  _middle(_row, _column) {
    throw new Error("a board has this method");
  }

  /**
   * @protected
   * @param {Place} _at
   * @param {string} _fill
   * @param {number} _opacity
   * @returns {string}
   */
  _cell(_at, _fill, _opacity) {
    throw new Error("a board has this method");
  }

  /**
   * @protected
   * @override
   */
  _body() {
    // The dot of the last move belongs to the piece below it, so that a click on it is one on the piece.
    const dots = new Map(this._marked.map((at) => [String(at), this._dot(at)]));
    const highest = new Map(this._pieces.map(({ at }, number) => [String(at), number]));
    const pieces = this._pieces.map(({ at, markup, options }, number) => {
      const place = String(at);
      if (highest.get(place) !== number) {
        return acting(markup, options);
      }
      const dot = dots.get(place) ?? "";
      dots.delete(place);
      return acting(markup + dot, options);
    });
    return [...this._ground, ...this._under, this._lines, ...pieces, ...dots.values(), ...this._parts];
  }

  /**
   * @private
   * @param {[number, number]} at
   */
  _dot(at) {
    const [x, y] = this._middle(...at);
    return circle(x, y, this._half * 0.2, "#ffffff", { stroke: "#1d1a16", "stroke-width": 1.6 });
  }
}

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
  constructor(rows, { columns = rows, style = "wood", points = false, coordinates = null, title = "" } = {}) {
    if (!(rows >= 1 && columns >= 1)) {
      throw new RangeError(`expected at least one row and one column, got ${rows} and ${columns}`);
    }
    const frame = coordinates ? 28 : style === "paper" ? 6 : 14;
    const lengths = range(0, rows).map(() => columns);
    super(columns * 50 + 2 * frame, rows * 50 + 2 * frame, title, lengths);
    /** @private */
    this._frame = frame;
    this._ground = [surface(style, this.width, this.height, frame)];
    this._lines = this._grid(style, points, rows, columns);
    if (coordinates) {
      this._ground.push(this._coordinates(material(style).letters, coordinates, rows, columns));
    }
  }

  /**
   * @private
   * @param {string} style
   * @param {boolean} points
   * @param {number} rows
   * @param {number} columns
   */
  _grid(style, points, rows, columns) {
    const { grain: second, line } = material(style);
    const [edge, inset] = [this._frame, points ? 25 : 0];
    if (style === "checkered" && !points) {
      const squares = range(0, rows).flatMap((row) =>
        range(0, columns)
          .filter((column) => (row + column) % 2 === 1)
          .map((column) => `M${decimal(edge + column * 50)} ${decimal(edge + row * 50)}h50v50h-50Z`),
      );
      this._ground.push(squares.length > 0 ? path(squares.join(""), second) : "");
      return "";
    }
    const [left, top] = [edge + inset, edge + inset];
    const [right, bottom] = [edge + columns * 50 - inset, edge + rows * 50 - inset];
    // Paper has lines between the cells, as people draw them; boards have them around the cells too.
    const [first, after] = points ? [0, 0] : style === "paper" ? [1, 0] : [0, 1];
    const gap = style === "paper" && !points ? 6 : 0;
    let data = "";
    for (const row of range(first, rows + after)) {
      const y = top + row * 50;
      data += joined([
        [left + gap, y],
        [right - gap, y],
      ]);
    }
    for (const column of range(first, columns + after)) {
      const x = left + column * 50;
      data += joined([
        [x, top + gap],
        [x, bottom - gap],
      ]);
    }
    const lines = data ? path(data, "none", line, style === "paper" ? 3 : 1.4, { "stroke-linecap": "round" }) : "";
    if (style === "paper") {
      // Squared paper below it.
      data = "";
      for (const step of range(1, columns * 4)) {
        data += joined([
          [edge + step * 12.5, edge],
          [edge + step * 12.5, edge + rows * 50],
        ]);
      }
      for (const step of range(1, rows * 4)) {
        data += joined([
          [edge, edge + step * 12.5],
          [edge + columns * 50, edge + step * 12.5],
        ]);
      }
      this._ground.push(path(data, "none", second, 0.7, { "stroke-opacity": 0.7 }));
    }
    return lines + (points && rows === columns ? this._stars(line, rows) : "");
  }

  /**
   * Returns the dots of a board for Go.
   *
   * @private
   * @param {string} fill
   * @param {number} size
   */
  _stars(fill, size) {
    if (size < 9 || size % 2 === 0) {
      return "";
    }
    const [near, half] = [size < 13 ? 2 : 3, (size - 1) / 2];
    const lines = [near, half, size - 1 - near];
    let dots = lines.flatMap((row) => lines.map((column) => [row, column]));
    if (size < 13) {
      dots = dots.filter(([row, column]) => (row === half) === (column === half));
    }
    return dots.map(([row, column]) => circle(...this._middle(row, column), 4, fill)).join("");
  }

  /**
   * @private
   * @param {string} fill
   * @param {string} from
   * @param {number} rows
   * @param {number} columns
   */
  _coordinates(fill, from, rows, columns) {
    if (from !== "top" && from !== "bottom") {
      throw new RangeError(`expected the coordinates top or bottom, got ${JSON.stringify(from)}`);
    }
    const parts = [];
    for (const row of range(0, rows)) {
      const number = String(from === "top" ? row + 1 : rows - row);
      for (const x of [this._frame / 2, this.width - this._frame / 2]) {
        parts.push(text(x, this._middle(row, 0)[1], 14, number, { fill }));
      }
    }
    for (const column of range(0, columns)) {
      for (const y of [this._frame / 2, this.height - this._frame / 2]) {
        parts.push(text(this._middle(0, column)[0], y, 14, lettersOf(column), { fill }));
      }
    }
    return parts.join("");
  }

  /**
   * @protected
   * @override
   * @param {number} row
   * @param {number} column
   * @returns {Point}
   */
  _middle(row, column) {
    return [this._frame + column * 50 + 25, this._frame + row * 50 + 25];
  }

  /**
   * @protected
   * @override
   * @param {Place} at
   * @param {string} fill
   * @param {number} opacity
   */
  _cell(at, fill, opacity) {
    const [x, y] = this.centre(at);
    return rect(x - 25, y - 25, 50, 50, fill, { "fill-opacity": opacity });
  }
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
  constructor(
    rows,
    { columns = rows, shape = "rhombus", edges = null, coordinates = false, style = "wood", title = "" } = {},
  ) {
    if (!(rows >= 1 && columns >= 1)) {
      throw new RangeError(`expected at least one row and one column, got ${rows} and ${columns}`);
    }
    if (shape !== "rhombus" && shape !== "hexagon") {
      throw new RangeError(`expected the shape rhombus or hexagon, got ${JSON.stringify(shape)}`);
    }
    const isRhombus = shape === "rhombus";
    const most = 2 * rows - 1;
    const lengths = isRhombus
      ? range(0, rows).map(() => columns)
      : range(0, most).map((row) => most - Math.abs(rows - 1 - row));
    const offsets = isRhombus ? range(0, rows).map((row) => row / 2) : lengths.map((length) => (most - length) / 2);
    const [radius, near] = [50 / ROOT3, coordinates ? 46 : 36];
    const widest = Math.max(...offsets.map((offset, row) => offset + lengths[row]));
    const height = (lengths.length - 1) * 1.5 * radius + 2 * radius + near + 36;
    super(widest * 50 + near + 36, height, title, lengths);
    this._half = 24;
    /** @private */
    this._offsets = offsets;
    /** @private */
    this._radius = radius;
    /** @private */
    this._near = near;
    this._ground = [surface(style, this.width, this.height, 10)];
    if (edges !== null && isRhombus) {
      this._ground.push(...this._edges(edges));
    }
    this._ground.push(this._hexagons(style === "wood" ? "#f3dcb0" : material(style).field, lengths, null));
    this._lines = this._hexagons("none", lengths, material(style).line);
    if (coordinates) {
      this._ground.push(...this._coordinates(material(style).line, lengths));
    }
  }

  /**
   * Returns the corners of a cell, clockwise from the top.
   *
   * @private
   * @param {number} row
   * @param {number} column
   * @returns {Point[]}
   */
  _corners(row, column) {
    const [x, y] = this._middle(row, column);
    const [radius, half] = [this._radius, 25];
    return [
      [x, y - radius],
      [x + half, y - radius / 2],
      [x + half, y + radius / 2],
      [x, y + radius],
      [x - half, y + radius / 2],
      [x - half, y - radius / 2],
    ];
  }

  /**
   * @private
   * @param {readonly string[]} edges
   */
  _edges(edges) {
    const [rows, columns] = [this._lengths.length, this._lengths[0]];
    /** @type {Point[][]} */
    const sides = [[], [], [], []];
    for (const column of range(0, columns)) {
      const [upper, lower] = [this._corners(0, column), this._corners(rows - 1, column)];
      sides[0].push(upper[5], upper[0], upper[1]);
      sides[1].push(lower[4], lower[3], lower[2]);
    }
    for (const row of range(0, rows)) {
      const [left, right] = [this._corners(row, 0), this._corners(row, columns - 1)];
      sides[2].push(left[5], left[4]);
      sides[3].push(right[1], right[2]);
    }
    const round = { "stroke-linejoin": "round", "stroke-linecap": "round" };
    return [edges[0], edges[0], edges[1], edges[1]].flatMap((colour, side) => {
      const [fill, edge] = colours(colour);
      const data = joined(sides[side]);
      return [path(data, "none", edge, 18, round), path(data, "none", fill, 15, round)];
    });
  }

  /**
   * @private
   * @param {string} fill
   * @param {readonly number[]} lengths
   * @param {string | null} line
   */
  _hexagons(fill, lengths, line) {
    const cells = lengths.flatMap((length, row) =>
      range(0, length).map((column) => joined(this._corners(row, column), true)),
    );
    return path(cells.join(""), fill, line, line ? 1.4 : null, { "stroke-linejoin": line ? "round" : null });
  }

  /**
   * @private
   * @param {string} fill
   * @param {readonly number[]} lengths
   */
  _coordinates(fill, lengths) {
    const rows = lengths.map((_, row) => {
      const [x, y] = this._middle(row, 0);
      return text(x - 44, y, 14, String(row + 1), { fill, bold: true });
    });
    const columns = range(0, lengths[0]).map((column) => {
      const [x, y] = this._middle(0, column);
      return text(x - 12, y - this._radius - 12, 14, lettersOf(column), { fill, bold: true });
    });
    return [...rows, ...columns];
  }

  /**
   * @protected
   * @override
   * @param {number} row
   * @param {number} column
   * @returns {Point}
   */
  _middle(row, column) {
    const x = this._near + (this._offsets[row] + column + 0.5) * 50;
    return [x, this._near + this._radius * (1 + 1.5 * row)];
  }

  /**
   * @protected
   * @override
   * @param {Place} at
   * @param {string} fill
   * @param {number} opacity
   */
  _cell(at, fill, opacity) {
    return path(joined(this._corners(...this._rowAndColumn(at)), true), fill, null, null, { "fill-opacity": opacity });
  }
}
