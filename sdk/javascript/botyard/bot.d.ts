/**
 * A bot, or a class or function of which every game has a new one.
 *
 * @typedef {Bot<any, any> | (new () => Bot<any, any>) | (() => Bot<any, any>)} AnyBot
 */
/**
 * Returns the name of a bot.
 *
 * @param {Bot<any, any>} bot
 */
export function botName(bot: Bot<any, any>): string;
/** @param {unknown} error */
export function trace(error: unknown): string;
/**
 * Returns a value as plain JSON data: typed arrays and sets become arrays, maps objects, BigInts numbers or strings.
 *
 * @param {any} value
 * @returns {any}
 */
export function plain(value: any): any;
/**
 * Plays until `quit` or the end of the input, on any streams: for tests. See `run`.
 *
 * @param {AnyBot} bot
 * @param {AsyncIterable<Uint8Array | string>} input
 * @param {(line: string) => void} write gets each line of the bot, with its newline
 */
export function serve(bot: AnyBot, input: AsyncIterable<Uint8Array | string>, write: (line: string) => void): Promise<void>;
/**
 * Plays as a bot on standard input and output until `quit`, and exits.
 *
 * An exception is printed to standard error with its stack and ends the program with exit code 1.
 *
 * @param {AnyBot} bot
 * @returns {Promise<never>}
 */
export function run(bot: AnyBot): Promise<never>;
/**
 * Is the whole main program of a bot: plays, or replays a recorded game with `--replay FILE --seat SEAT`.
 *
 * Arguments that the kit does not know are left to the bot.
 *
 * @param {AnyBot} bot
 * @param {string[]} args
 * @returns {Promise<never>}
 */
export function main(bot: AnyBot, args?: string[]): Promise<never>;
/** The version of the protocol that the kit speaks. */
export const PROTOCOL: 1;
/** The match sends no legal actions (`--no-legal`), and the kit cannot generate them. */
export class NoLegalActions extends Error {
}
/** A moment: wall-clock time and CPU time of this process, in milliseconds. */
export class Reading {
    static now(): Reading;
    /**
     * @param {number} wall
     * @param {number} cpu
     */
    constructor(wall: number, cpu: number);
    wall: number;
    cpu: number;
}
/** The clock of a seat in one decision. All times are milliseconds; without a limit they are `Infinity`. */
export class Clock {
    /**
     * @param {Json} clock the `clock` of a `turn` message
     * @param {Reading} began when the message was read
     */
    constructor(clock: Json, began: Reading);
    /**
     * `wall` or `cpu`; a kind that the kit does not know is treated as `wall`.
     * @type {string}
     */
    kind: string;
    /**
     * The most that this decision may take.
     * @type {number}
     */
    move: number;
    /**
     * What the seat has left for all its decisions.
     * @type {number}
     */
    bank: number;
    /**
     * What is added to the bank after each decision.
     * @type {number}
     */
    increment: number;
    /** @private */
    private _began;
    /** The time that this decision may take at most: the lesser of `move` and `bank`. */
    get limit(): number;
    /**
     * Returns the time since the `turn` line was read, of the kind that the clock counts. CPU time is that of this
     * process with all its threads, without child processes.
     */
    elapsed(): number;
    /**
     * Returns the time until the referee's deadline, without a margin. With a clock of CPU time it is the lesser of the
     * CPU time and the wall-clock time that are left.
     */
    left(): number;
    /**
     * Returns the time to plan for this decision if the seat expects `decisions` more, including it.
     *
     * That is an equal share of the bank and the increment, at most `move`, minus a margin of at most half of it: 1/6 of
     * the limit, 10 to 50 ms, for wall-clock time; 1/12, 3 to 25 ms, for CPU time.
     */
    share(decisions?: number): number;
}
/** A game in progress: the `start` message. */
export class Game {
    /** @param {Json} start */
    constructor(start: Json);
    /** The whole message. */
    message: Json;
    /**
     * The name of the game: `scotland-yard`, ...
     * @type {string}
     */
    name: string;
    /**
     * The same for a game that is repeated with the same seed.
     * @type {string}
     */
    gameId: string;
    /**
     * Every parameter of the rules.
     * @type {any}
     */
    rules: any;
    /**
     * All seats, in seat order.
     * @type {string[]}
     */
    seats: string[];
    /**
     * The seats that this bot holds.
     * @type {string[]}
     */
    you: string[];
    /**
     * Who holds what.
     * @type {{ name: string, seats: string[] }[]}
     */
    players: {
        name: string;
        seats: string[];
    }[];
    /**
     * How time is kept, and `on_fault`.
     * @type {Json}
     */
    time: Json;
    /**
     * The options that the match set.
     * @type {Json}
     */
    options: Json;
    /**
     * What never changes in this game, as far as the first of your seats may know it.
     * @type {any}
     */
    setup: any;
    /**
     * @private
     * @type {import("./rulebook.js").Rulebook | null}
     */
    private _rulebook;
    /**
     * Returns the setup as this seat of yours may know it.
     *
     * @param {string} seat
     * @returns {any}
     */
    setupOf(seat: string): any;
    /** The kit's class for this game under these rules; `null` if the kit does not know the game. */
    get rulebook(): import("./rulebook.js").Rulebook | null;
}
/** The end of a game: the `end` message. */
export class Outcome {
    /**
     * @param {Json} end
     * @param {Game | null} game
     */
    constructor(end: Json, game: Game | null);
    /** The whole message. */
    message: Json;
    /** The game that ended. */
    game: Game | null;
    /**
     * `completed`, `bot_fault` or `void`.
     * @type {string}
     */
    kind: string;
    /**
     * The points of each seat, in seat order; empty if the game is void.
     * @type {number[]}
     */
    scores: number[];
    /**
     * The place of each seat, from 1; empty if the game is void.
     * @type {number[]}
     */
    ranks: number[];
    /**
     * The game's word for the end.
     * @type {string}
     */
    reason: string;
    /**
     * Who failed, and how.
     * @type {Json[]}
     */
    faults: Json[];
    /**
     * The whole final state, hidden things included.
     * @type {any}
     */
    reveal: any;
    /**
     * Returns the points of a seat; `null` if the game is void.
     *
     * @param {string} seat
     */
    score(seat: string): number;
}
/**
 * A decision to be made: the `turn` message.
 *
 * @template [View=any]
 * @template [Action=any]
 */
export class Turn<View = any, Action = any> {
    /**
     * @param {Json} turn
     * @param {Game} game
     * @param {number} seed
     * @param {Reading} began
     * @param {(text: string) => void} log
     */
    constructor(turn: Json, game: Game, seed: number, began: Reading, log: (text: string) => void);
    /** The whole message. */
    message: Json;
    /** The game. */
    game: Game;
    /**
     * The number of this decision in the game, from 1, over all seats.
     * @type {number}
     */
    number: number;
    /**
     * The seat that decides: one of `game.you`.
     * @type {string}
     */
    seat: string;
    /**
     * All that the seat may know now: the game's JSON.
     * @type {View}
     */
    view: View;
    /**
     * Every legal action; `null` if the match sends none (`--no-legal`).
     * @type {Action[] | null}
     */
    legal: Action[] | null;
    /** The seat's clock. */
    clock: Clock;
    /** @private */
    private _seed;
    /** @private */
    private _log;
    /**
     * @private
     * @type {Random | null}
     */
    private _random;
    /** @type {Json} */
    _info: Json;
    /**
     * Returns the legal actions: those of the message, or those that the kit generates. Throws `NoLegalActions` if there
     * are neither.
     *
     * @returns {Action[]}
     */
    legalActions(): Action[];
    /**
     * Returns the milliseconds until the referee's deadline, without a margin: see `Clock.left`. The clock stops when
     * the referee has read the answer, so keep 20 to 50 ms back.
     */
    timeLeft(): number;
    /** Returns the milliseconds of `Clock.share` that are left for this decision, with its margin. */
    timeShare(decisions?: number): number;
    /**
     * A random number generator of this decision. It is seeded from the option `seed`, the game's id, your seats and the
     * number of the decision, so a decision can be reproduced from a replay, while the games of a match differ.
     */
    get random(): Random;
    /**
     * Writes a line into the log of the game, immediately.
     *
     * @param {unknown} text
     */
    log(text: unknown): void;
    /**
     * Adds to the `info` of the answer, which the replay keeps: how good the position is (`score`), plies (`depth`),
     * positions or playouts (`nodes`), expected actions (`pv`), a `text`, and anything else.
     *
     * @param {{ score?: number, depth?: number, nodes?: number, pv?: unknown[], text?: string, [more: string]: unknown }} fields
     */
    info(fields: {
        score?: number;
        depth?: number;
        nodes?: number;
        pv?: unknown[];
        text?: string;
        [more: string]: unknown;
    }): void;
    /**
     * Draws on the board, for the page of the game: a circle around the place `point`, or a `line` or an `arrow` through
     * two places or more. Places are named as in the game: `turn.draw({ arrow: [11, 15], color: "red" })`.
     *
     * @param {{ point?: unknown, line?: unknown[], arrow?: unknown[], color?: string, text?: string | number }} mark
     */
    draw(mark: {
        point?: unknown;
        line?: unknown[];
        arrow?: unknown[];
        color?: string;
        text?: string | number;
    }): void;
}
/**
 * A bot. Override `choose`, and perhaps `start` and `end`. Each of them may be asynchronous.
 *
 * `Bot<View, Action>` with the types of a game's module gives `turn.view` its type.
 *
 * @template [View=any]
 * @template [Action=any]
 */
export class Bot<View = any, Action = any> {
    /**
     * The options that a match may set: see `options.js`.
     *
     * @type {Record<string, import("./options.js").Option<any>>}
     */
    static options: Record<string, import("./options.js").Option<any>>;
    /** The name of the bot; that of the class in lower case if it is empty. */
    name: string;
    /** Shown with results. */
    version: string;
    /** Shown with results. */
    author: string;
    /**
     * The games that it plays; empty: whatever it is given.
     * @type {string[]}
     */
    games: string[];
    /**
     * Whether an exception in `choose` or an illegal action is reported to standard error and answered by a legal action.
     * Otherwise an exception ends the bot.
     */
    answerOnError: boolean;
    /**
     * The values of the options: the defaults, before a match has set any.
     * @type {any}
     */
    options: any;
    /**
     * Prepares for a game. This time is not charged to the first decision: build tables here.
     *
     * @param {Game} game
     * @returns {void | Promise<void>}
     */
    start(game: Game): void | Promise<void>;
    /**
     * Returns one of the legal actions.
     *
     * @param {Turn<View, Action>} turn
     * @returns {Action | Promise<Action>}
     */
    choose(turn: Turn<View, Action>): Action | Promise<Action>;
    /**
     * Looks at the end of a game.
     *
     * @param {Outcome} outcome
     * @returns {void | Promise<void>}
     */
    end(outcome: Outcome): void | Promise<void>;
    /** Returns the bot's `hello` message. */
    hello(): {
        games: string[];
        options: Record<string, unknown>;
    };
}
/** A bot's conversation with the referee, one line at a time: `run` without input and output. */
export class Session {
    /**
     * Begins a conversation.
     *
     * @param {AnyBot} bot
     * @param {(line: string) => void} write gets each line of the bot, with its newline
     */
    constructor(bot: AnyBot, write: (line: string) => void);
    /** @private */
    private _make;
    /** The bot that plays. */
    bot: Bot<any, any>;
    /** @private */
    private _fresh;
    /** @private */
    private _write;
    /** @private */
    private _lineBytes;
    /**
     * The game in progress.
     * @type {Game | null}
     */
    game: Game | null;
    /**
     * The number of the last decision, and when it was asked for first.
     * @private
     * @type {{ turn: number, began: Reading } | null}
     */
    private _asked;
    /**
     * Handles a line of the referee. Returns `false` after `quit`.
     *
     * Throws what the bot throws, `OptionError`, and `Error` for a line that is not a message.
     *
     * @param {string} line
     * @param {Reading} began when the line was read
     * @returns {Promise<boolean>}
     */
    handle(line: string, began?: Reading): Promise<boolean>;
    /**
     * @private
     * @param {Json} message
     */
    private _start;
    /**
     * @private
     * @param {Json} message
     * @param {Reading} began
     */
    private _turn;
    /**
     * @private
     * @param {Json} message
     */
    private _end;
    /**
     * Asks the bot. The replay debugger overrides this.
     *
     * @param {Turn} turn
     * @returns {any}
     */
    choose(turn: Turn): any;
    /**
     * @private
     * @param {string} text
     */
    private _log;
    /**
     * @private
     * @param {Json} message
     */
    private _send;
    /**
     * @private
     * @param {string} what
     * @param {unknown} error
     */
    private _report;
    /**
     * @private
     * @param {string} text
     */
    private _say;
}
/**
 * A bot, or a class or function of which every game has a new one.
 */
export type AnyBot = Bot<any, any> | (new () => Bot<any, any>) | (() => Bot<any, any>);
export type Json = Record<string, any>;
import { canonical } from "./json.js";
import { dumps } from "./json.js";
import { Random } from "./random.js";
export { canonical, dumps };
