/**
 * English draughts: the types of its views and actions, a move generator and FEN.
 *
 * `Draughts` is the game under one set of rules. A `Position` is the board and the side to move; it is what a search
 * works on. The rules and the JSON are described in `docs/games/draughts.md`.
 */

import { Rulebook } from "./rulebook.js";

export const EMPTY = ".";

/**
 * A move in PDN with every landing square: `11-15`, `22x15x8`.
 *
 * @typedef {string} Action
 */

/** @typedef {"black" | "white"} Side */

/**
 * All of a state; both seats see the same.
 *
 * @typedef {object} View
 * @property {Side | null} to_move
 * @property {string} fen
 * @property {string} board
 * @property {number} ply
 * @property {number} quiet_plies
 * @property {string[]} quiet_moves
 * @property {number} repetitions
 * @property {string} [over]
 */

/**
 * What never changes in a game: the position of the first decision.
 *
 * @typedef {{ fen: string }} Setup
 */

/**
 * A board as 32 letters, square 1 first (`b` and `w` men, `B` and `W` kings, `.` empty), and the side to move. Square n
 * is `board[n - 1]`.
 *
 * @typedef {{ readonly board: string, readonly toMove: Side }} Position
 */

/**
 * The start position.
 *
 * @type {Position}
 */
export const START = { board: "b".repeat(12) + EMPTY.repeat(8) + "w".repeat(12), toMove: "black" };

/** The square at this row and column (index 0 for square 1); -1 outside the board. */
const at = (/** @type {number} */ row, /** @type {number} */ column) =>
  row >= 0 && row < 8 && column >= 0 && column < 8 ? 4 * row + (column >> 1) : -1;

// In each direction (two downwards, two upwards), from each square: the neighbour and the square behind it.
const STEPS = Array.from({ length: 32 }, (_, index) => {
  const row = index >> 2;
  const column = 2 * (index & 3) + ((row + 1) & 1);
  return [[1, 1], [1, -1], [-1, -1], [-1, 1]].map(([down, right]) => ({
    near: at(row + down, column + right),
    far: at(row + 2 * down, column + 2 * right),
  }));
});

/** The game under one set of rules; English draughts without any. */
export class Draughts extends Rulebook {
  static NAME = "draughts";

  /**
   * @param {Record<string, any>} [rules]
   * @param {Setup} [setup]
   */
  constructor(rules = {}, setup) {
    super();
    this.rules = rules;
    /** @private */
    this._onePiece = rules.jump === "one_piece";
    /** @private */
    this._promotionEndsMove = rules.promotion_ends_move ?? true;
    /** @private */
    this._compulsory = rules.compulsory_capture ?? true;
    /** @private */
    this._drawRepetitions = rules.draw_repetitions ?? 3;
    /** @private */
    this._drawQuietPlies = rules.draw_quiet_plies ?? 80;
    /** @private */
    this._maxPlies = rules.max_plies ?? 1000;
  }

  /**
   * Returns the legal actions of a view, in no particular order.
   *
   * @param {View} view
   * @returns {Action[]}
   */
  legal(view) {
    return view.to_move === null ? [] : this.moves(position(view));
  }

  /**
   * Returns the legal moves of a position, captures first; none if the side to move has lost.
   *
   * Draws by the number of plies or repetitions are not considered: see `drawAfter`.
   *
   * @param {Position} position
   * @returns {Action[]}
   */
  moves(position) {
    const moves = this.captures(position);
    if (moves.length > 0 && this._compulsory) {
      return moves;
    }
    const { board } = position;
    const [man, king] = piecesOf(position.toMove);
    for (let index = 0; index < 32; index++) {
      const piece = board[index];
      if (piece === man || piece === king) {
        for (const direction of directionsOf(piece)) {
          const { near } = STEPS[index][direction];
          if (near >= 0 && board[near] === EMPTY) {
            moves.push(`${index + 1}-${near + 1}`);
          }
        }
      }
    }
    return moves;
  }

  /**
   * Returns the moves of a position that capture, whether or not they are compulsory.
   *
   * @param {Position} position
   * @returns {Action[]}
   */
  captures(position) {
    const [man, king] = piecesOf(position.toMove);
    const others = position.toMove === "black" ? "wW" : "bB";
    /** @type {Action[]} */
    const found = [];
    for (let index = 0; index < 32; index++) {
      const piece = position.board[index];
      if (piece === man || piece === king) {
        // The piece itself has left its square, so a king may come back to it.
        const board = [...position.board];
        board[index] = EMPTY;
        this._jump(board, piece, others, [index], found);
      }
    }
    return found;
  }

  /**
   * Continues a capture along its path. Captured pieces are marked `x` until the move is over: they are in the way, and
   * are not jumped again.
   *
   * @private
   * @param {string[]} board
   * @param {string} piece
   * @param {string} others
   * @param {number[]} path
   * @param {Action[]} found
   */
  _jump(board, piece, others, path, found) {
    let through = true;
    for (const direction of directionsOf(piece)) {
      const { near, far } = STEPS[path[path.length - 1]][direction];
      if (far < 0 || !others.includes(board[near]) || board[far] !== EMPTY) {
        continue;
      }
      through = false;
      const crowned = isMan(piece) && isFar(piece, far);
      const longer = [...path, far];
      if (this._onePiece || (crowned && this._promotionEndsMove)) {
        found.push(captureOf(longer));
        continue;
      }
      const taken = board[near];
      board[near] = "x";
      this._jump(board, crowned ? piece.toUpperCase() : piece, others, longer, found);
      board[near] = taken;
    }
    if (through && path.length > 1) {
      found.push(captureOf(path));
    }
  }

  /**
   * Returns the position after a legal move.
   *
   * @param {Position} position
   * @param {Action} move
   * @returns {Position}
   */
  play(position, move) {
    const board = [...position.board];
    const squares = move.split(/[-x]/).map((text) => Number(text) - 1);
    let piece = board[squares[0]];
    board[squares[0]] = EMPTY;
    for (const square of captured(move)) {
      board[square - 1] = EMPTY;
    }
    if (squares.slice(1).some((square) => isFar(piece, square))) {
      piece = piece.toUpperCase();
    }
    board[squares[squares.length - 1]] = piece;
    return { board: board.join(""), toMove: otherSide(position.toMove) };
  }

  /**
   * Returns how often the position after a legal move will have occurred in the game; 1 if it is new.
   *
   * @param {View} view
   * @param {Action} move
   * @returns {number}
   */
  repetitionsAfter(view, move) {
    const after = this.play(position(view), move);
    return 1 + history(view).filter(({ board, toMove }) => board === after.board && toMove === after.toMove).length;
  }

  /**
   * Returns the reason if a legal move ends the game in a draw: `repetition`, `quiet_plies` or `max_plies`; null if it
   * does not, also if it wins.
   *
   * @param {View} view
   * @param {Action} move
   * @returns {"repetition" | "quiet_plies" | "max_plies" | null}
   */
  drawAfter(view, move) {
    const now = position(view);
    if (this.moves(this.play(now, move)).length === 0) {
      return null;
    }
    if (this._drawRepetitions > 0 && this.repetitionsAfter(view, move) >= this._drawRepetitions) {
      return "repetition";
    }
    if (this._drawQuietPlies > 0 && isQuiet(now, move) && view.quiet_plies + 1 >= this._drawQuietPlies) {
      return "quiet_plies";
    }
    return view.ply + 1 >= this._maxPlies ? "max_plies" : null;
  }

  /**
   * Returns the number of plies after which the game is drawn unless one of them captures or moves a man. The last plies
   * before `max_plies` are counted too, whatever is played in them.
   *
   * @param {View} view
   * @returns {number}
   */
  pliesLeft(view) {
    const left = this._maxPlies - view.ply;
    return this._drawQuietPlies > 0 ? Math.min(left, this._drawQuietPlies - view.quiet_plies) : left;
  }
}

/** @type {(side: Side) => Side} */
const otherSide = (side) => (side === "black" ? "white" : "black");

/** @param {Side} side */
const piecesOf = (side) => (side === "black" ? "bB" : "wW");

/** @param {string} piece */
const isMan = (piece) => piece === "b" || piece === "w";

const DOWN = [0, 1];
const UP = [2, 3];
const ALL = [0, 1, 2, 3];

/** @param {string} piece */
const directionsOf = (piece) => (piece === "b" ? DOWN : piece === "w" ? UP : ALL);

/** @type {(piece: string, index: number) => boolean} */
const isFar = (piece, index) => (piece === "b" || piece === "B" ? index >= 28 : index < 4);

/** @param {number[]} path */
const captureOf = (path) => path.map((index) => index + 1).join("x");

/**
 * Returns the squares that a move jumps over, in order; none for a step.
 *
 * @param {Action} move
 */
export function captured(move) {
  const squares = move.includes("x") ? move.split("x").map((text) => Number(text) - 1) : [];
  return squares.slice(1).map((to, n) => {
    const step = STEPS[squares[n]].find(({ far }) => far === to);
    return (step ? step.near : -1) + 1;
  });
}

/**
 * Returns the position of a view; when the game is over, that of the side that would move.
 *
 * @param {View} view
 * @returns {Position}
 */
export function position(view) {
  return { board: view.board, toMove: view.to_move ?? positionOfFen(view.fen).toMove };
}

/**
 * Returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw.
 *
 * @param {Position} position
 * @param {Action} move
 */
export function isQuiet(position, move) {
  return !move.includes("x") && !isMan(position.board[Number(move.split("-")[0]) - 1]);
}

/**
 * Returns the positions since the last capture or man's move, or since the opening, oldest first; the last one is the
 * position of the view. No earlier position can occur again.
 *
 * @param {View} view
 * @returns {Position[]}
 */
export function history(view) {
  let now = position(view);
  const found = [now];
  for (const move of [...view.quiet_moves].reverse()) {
    const [start, to] = move.split("-").map((text) => Number(text) - 1);
    const board = [...now.board];
    board[start] = board[to];
    board[to] = EMPTY;
    now = { board: board.join(""), toMove: otherSide(now.toMove) };
    found.push(now);
  }
  return found.reverse();
}

/**
 * Returns the position of a FEN such as `B:W18,K10:BK5,1-4`.
 *
 * @param {string} fen
 * @returns {Position}
 */
export function positionOfFen(fen) {
  const board = new Array(32).fill(EMPTY);
  const [toMove, ...sides] = fen.replace(/\.$/, "").split(":");
  for (const side of sides) {
    for (const [, king, first, last] of side.slice(1).matchAll(/(K?)(\d+)(?:-K?(\d+))?/g)) {
      const piece = king ? side[0].toUpperCase() : side[0].toLowerCase();
      board.fill(piece, Number(first) - 1, Number(last ?? first));
    }
  }
  return { board: board.join(""), toMove: toMove === "B" ? "black" : "white" };
}

/**
 * Returns the FEN of a position, as the referee writes it.
 *
 * @param {Position} position
 */
export function fen(position) {
  const side = (/** @type {string} */ letter) => {
    const squares = [...position.board].map((piece, index) => {
      return piece.toUpperCase() === letter ? `${isMan(piece) ? "" : "K"}${index + 1}` : "";
    });
    return letter + squares.filter(Boolean).join(",");
  };
  return `${position.toMove === "black" ? "B" : "W"}:${side("W")}:${side("B")}`;
}
