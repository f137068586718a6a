/**
 * Returns the squares that a move jumps over, in order; none for a step.
 *
 * @param {Action} move
 */
export function captured(move: Action): number[];
/**
 * Returns the position of a view; when the game is over, that of the side that would move.
 *
 * @param {View} view
 * @returns {Position}
 */
export function position(view: View): Position;
/**
 * Returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw.
 *
 * @param {Position} position
 * @param {Action} move
 */
export function isQuiet(position: Position, move: Action): boolean;
/**
 * Returns the positions since the last capture or man's move, or since the opening, oldest first; the last one is the
 * position of the view. No earlier position can occur again.
 *
 * @param {View} view
 * @returns {Position[]}
 */
export function history(view: View): Position[];
/**
 * Returns the position of a FEN such as `B:W18,K10:BK5,1-4`.
 *
 * @param {string} fen
 * @returns {Position}
 */
export function positionOfFen(fen: string): Position;
/**
 * Returns the FEN of a position, as the referee writes it.
 *
 * @param {Position} position
 */
export function fen(position: Position): string;
export const EMPTY: ".";
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
export const START: Position;
/** The game under one set of rules; English draughts without any. */
export class Draughts extends Rulebook {
    /**
     * @param {Record<string, any>} [rules]
     * @param {Setup} [setup]
     */
    constructor(rules?: Record<string, any>, setup?: Setup);
    rules: Record<string, any>;
    /** @private */
    private _onePiece;
    /** @private */
    private _promotionEndsMove;
    /** @private */
    private _compulsory;
    /** @private */
    private _drawRepetitions;
    /** @private */
    private _drawQuietPlies;
    /** @private */
    private _maxPlies;
    /**
     * Returns the legal actions of a view, in no particular order.
     *
     * @param {View} view
     * @returns {Action[]}
     */
    legal(view: View): Action[];
    /**
     * Returns the legal moves of a position, captures first; none if the side to move has lost.
     *
     * Draws by the number of plies or repetitions are not considered: see `drawAfter`.
     *
     * @param {Position} position
     * @returns {Action[]}
     */
    moves(position: Position): Action[];
    /**
     * Returns the moves of a position that capture, whether or not they are compulsory.
     *
     * @param {Position} position
     * @returns {Action[]}
     */
    captures(position: Position): Action[];
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
    private _jump;
    /**
     * Returns the position after a legal move.
     *
     * @param {Position} position
     * @param {Action} move
     * @returns {Position}
     */
    play(position: Position, move: Action): Position;
    /**
     * Returns how often the position after a legal move will have occurred in the game; 1 if it is new.
     *
     * @param {View} view
     * @param {Action} move
     * @returns {number}
     */
    repetitionsAfter(view: View, move: Action): number;
    /**
     * Returns the reason if a legal move ends the game in a draw: `repetition`, `quiet_plies` or `max_plies`; null if it
     * does not, also if it wins.
     *
     * @param {View} view
     * @param {Action} move
     * @returns {"repetition" | "quiet_plies" | "max_plies" | null}
     */
    drawAfter(view: View, move: Action): "repetition" | "quiet_plies" | "max_plies" | null;
    /**
     * Returns the number of plies after which the game is drawn unless one of them captures or moves a man. The last plies
     * before `max_plies` are counted too, whatever is played in them.
     *
     * @param {View} view
     * @returns {number}
     */
    pliesLeft(view: View): number;
}
/**
 * A move in PDN with every landing square: `11-15`, `22x15x8`.
 */
export type Action = string;
export type Side = "black" | "white";
/**
 * All of a state; both seats see the same.
 */
export type View = {
    to_move: Side | null;
    fen: string;
    board: string;
    ply: number;
    quiet_plies: number;
    quiet_moves: string[];
    repetitions: number;
    over?: string | undefined;
};
/**
 * What never changes in a game: the position of the first decision.
 */
export type Setup = {
    fen: string;
};
/**
 * A board as 32 letters, square 1 first (`b` and `w` men, `B` and `W` kings, `.` empty), and the side to move. Square n
 * is `board[n - 1]`.
 */
export type Position = {
    readonly board: string;
    readonly toMove: Side;
};
import { Rulebook } from "./rulebook.js";
