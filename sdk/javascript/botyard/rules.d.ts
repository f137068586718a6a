/**
 * Is the whole main program of a game: answers the referee on standard input and output until `quit`, and exits.
 *
 * What the game prints goes to standard error. A mistake of the game ends the program with exit code 1 and a message on
 * standard error, which the referee shows.
 *
 * @param {new () => Game} game
 * @returns {Promise<never>}
 */
export function serve(game: new () => Game): Promise<never>;
/** @typedef {Record<string, any>} Json */
/** The version of the rules protocol. */
export const RULES_PROTOCOL: 1;
/** What `turn` returns when an outcome of chance is to be drawn. */
export const CHANCE: "chance";
/** The actor of the opening in `seen`. */
export const OPENING: "opening";
/** An action, an opening or a rule that cannot be played. The message says what was expected and what came. */
export class Refused extends Error {
    /**
     * @param {string} message
     * @param {string | null} rule the name of the rule, if it is about rules
     */
    constructor(message: string, rule?: string | null);
    rule: string | null;
}
/** A mistake of the game: one of its methods returned what it must not return. */
export class GameError extends Error {
}
/** The end of a game. */
export class Outcome {
    /**
     * @param {number[] | Record<string, number>} scores the points of each seat, in seat order or by seat
     * @param {string} reason a word of lower-case letters, digits and `_`
     * @param {number[] | null} ranks the place of each seat, from 1; by default they follow from the points
     */
    constructor(scores: number[] | Record<string, number>, reason?: string, ranks?: number[] | null);
    scores: number[] | Record<string, number>;
    reason: string;
    ranks: number[] | null;
}
/**
 * Random numbers from the bits of the referee. The same bits give the same numbers, in every version of this kit and of
 * the one for Python.
 *
 * The bits are 32 bytes. Block `n`, from 0, is the SHA-256 of these bytes and of `n` as 8 bytes, big end first. It is
 * read as eight words of 32 bits, big end first. `sdk/vectors/rules/random.json` has examples.
 */
export class Random {
    /** @param {string} bits the field `random` of a request: 64 hexadecimal digits */
    constructor(bits: string);
    /** @private */
    private _seed;
    /** @private */
    private _block;
    /**
     * @private
     * @type {number[]}
     */
    private _words;
    /** Returns the next 32 bits, a number from 0 to 2**32 - 1. */
    word(): number;
    /**
     * Returns a number from 0 to `limit` - 1, each with the same probability; `limit` is at most 2**32.
     *
     * It is the next word modulo `limit`; words from the greatest multiple of `limit` on are skipped.
     *
     * @param {number} limit
     */
    below(limit: number): number;
    /** Returns a number from 0 (included) to 1 (excluded): 27 bits of a word, then 26 of the next one. */
    number(): number;
    /**
     * Returns the item at the place `below(items.length)`.
     *
     * @template T
     * @param {readonly T[]} items
     * @returns {T}
     */
    choice<T>(items: readonly T[]): T;
    /**
     * Returns the items in random order: from the last place down to the second, each is exchanged with that at
     * `below(place + 1)`, where places begin with 0.
     *
     * @template T
     * @param {readonly T[]} items
     * @returns {T[]}
     */
    shuffled<T>(items: readonly T[]): T[];
    /**
     * Returns a place, with a probability in proportion to its weight: the first one at which the sum of the weights
     * exceeds `below(sum of all)` if all are whole numbers, and `number() * sum of all` otherwise.
     *
     * @param {readonly number[]} weights
     */
    weighted(weights: readonly number[]): number;
}
/**
 * The rules of a game. The kit makes an object for each set of rules that is played.
 *
 * In the methods, `this.rules` has every rule and `this.seats` the names of the seats. An object keeps nothing of a
 * game in progress: the state, which is JSON data, has all of it. `apply` and `applyChance` may change the state that
 * they are given.
 */
export class Game {
    /** The game's name, as in `game.toml`. */
    name: string;
    /**
     * The names of the seats; or `[least, most]` where the rules set their number, see `seatNames`.
     * @type {any[]}
     */
    seats: any[];
    /**
     * Every rule with its default.
     * @type {Json}
     */
    rules: Json;
    /**
     * Named sets of rules: `{ short: { about: "one line about it", rules: { heaps: [1, 2] } } }`. The first is the
     * default.
     * @type {Record<string, { about: string, rules: Json }>}
     */
    presets: Record<string, {
        about: string;
        rules: Json;
    }>;
    /**
     * The rule that sets the number of seats.
     * @type {string | null}
     */
    seatsRule: string | null;
    /** Whether all seats ask the same of a bot. */
    seatsAlike: boolean;
    /** The version of the game. */
    version: string;
    /** Whether something is hidden from a seat. */
    hidden: boolean;
    /** Whether the seats of a round decide simultaneously. */
    simultaneous: boolean;
    /**
     * Whether the kit plays random games for searching bots. `false` where a game takes longer than an answer may, or
     * where actions are not listed.
     */
    playouts: boolean;
    /**
     * The range of a seat's points, and the sum of all; `null` if it varies.
     * @type {{ least: number, most: number, sum: number | null }}
     */
    scores: {
        least: number;
        most: number;
        sum: number | null;
    };
    /** How points and places are awarded, in a sentence. */
    scoring: string;
    /**
     * JSON Schemas: of `view`, `action`, ...
     * @type {Json}
     */
    schemas: Json;
    /**
     * Returns the first state.
     *
     * @param {any} opening what `opening` has drawn, `{}` by default
     * @returns {any}
     */
    start(opening: any): any;
    /**
     * Returns the seat whose turn it is, or `CHANCE`. The game is not over.
     *
     * @param {any} state
     * @returns {string}
     */
    turn(state: any): string;
    /**
     * Returns every legal action, without duplicates; `null` if there are too many, see `check`.
     *
     * @param {any} state
     * @returns {any[] | null}
     */
    legal(state: any): any[] | null;
    /**
     * Returns the state after a legal action of the seat whose turn it is.
     *
     * @param {any} state
     * @param {any} action
     * @returns {any}
     */
    apply(state: any, action: any): any;
    /**
     * Returns how the game ended, `win`, `tie` or an `Outcome`; `null` while it is played.
     *
     * @param {any} state
     * @returns {Outcome | number[] | Record<string, number> | null}
     */
    outcome(state: any): Outcome | number[] | Record<string, number> | null;
    /**
     * Returns the names of the seats under `this.rules`.
     *
     * @returns {string[]}
     */
    seatNames(): string[];
    /** Throws `Refused` with the name of a rule in `this.rules` that cannot be played. Each has the type of its default. */
    checkRules(): void;
    /**
     * Returns all that a seat may know; by default the state.
     *
     * @param {any} state
     * @param {string} seat
     * @returns {any}
     */
    view(state: any, seat: string): any;
    /**
     * Returns what a seat sees of what just happened: `event` if it sees all of it.
     *
     * `event` is the action of the seat `actor`, the outcome of `CHANCE`, or the `OPENING`; `state` is the state after it.
     *
     * @param {any} state
     * @param {string} seat
     * @param {string} actor
     * @param {any} event
     * @returns {any}
     */
    seen(state: any, seat: string, actor: string, event: any): any;
    /**
     * Returns what never changes in this game, such as the board, as far as a seat may know it.
     *
     * @param {any} state
     * @param {string} seat
     * @returns {any}
     */
    setup(state: any, seat: string): any;
    /**
     * Draws an opening for `start`.
     *
     * @param {Random} random
     * @returns {any}
     */
    opening(random: Random): any;
    /**
     * Throws `Refused` with the reason if an action is not legal.
     *
     * A game whose `legal` returns `null` has this method. It may return the action in another form, which `apply` and
     * the record get then.
     *
     * @param {any} state
     * @param {any} action
     * @returns {any}
     */
    check(state: any, action: any): any;
    /**
     * Returns the action that is played for a seat that has forfeited; by default the first legal one.
     *
     * @param {any} state
     * @returns {any}
     */
    passAction(state: any): any;
    /**
     * Returns the outcomes of chance, each `[weight, outcome]`. Whole numbers are exact weights.
     *
     * @param {any} state
     * @returns {[number, any][] | null}
     */
    chances(state: any): [number, any][] | null;
    /**
     * Draws an outcome of chance; by default one of `chances`.
     *
     * @param {any} state
     * @param {Random} random
     * @returns {any}
     */
    draw(state: any, random: Random): any;
    /**
     * Returns the state after an outcome of chance. Throws `Refused` if it cannot be drawn.
     *
     * @param {any} state
     * @param {any} outcome
     * @returns {any}
     */
    applyChance(state: any, outcome: any): any;
    /**
     * Takes the bot of a seat out of a game of more than two seats, and returns the state.
     *
     * By default the kit does it: the seat passes by `passAction`, and takes the last place that is open. When one seat is
     * left, the game is over. The points go with the places.
     *
     * @param {any} state
     * @param {string} seat
     * @returns {any}
     */
    forfeit(state: any, seat: string): any;
    /**
     * Returns the state in a few lines for people; without this method they see it as JSON.
     *
     * @param {any} state
     * @returns {string}
     */
    text(state: any): string;
    /**
     * Returns the action that a person means, or throws `Refused`.
     *
     * @param {any} state
     * @param {string} text
     * @returns {any}
     */
    parse(state: any, text: string): any;
    /**
     * Returns the state as an SVG document, as far as a seat may see it; all of it for `null`.
     *
     * @param {any} state
     * @param {string | null} seat
     * @returns {string}
     */
    picture(state: any, seat: string | null): string;
    /**
     * Draws a state in which the view of this seat is `view`, and its setup is `setup`. Bots that search need it where
     * something is hidden, or where `view` is not the state.
     *
     * @param {any} view
     * @param {string} seat
     * @param {Random} random
     * @param {any} setup
     * @returns {any}
     */
    determinize(view: any, seat: string, random: Random, setup: any): any;
    /**
     * Returns the outcome in which these seats have won: the others have the least points.
     *
     * @param {string[]} winners
     * @param {string} reason
     */
    win(winners: string[], reason?: string): Outcome;
    /** Returns the outcome in which all seats have the same points. */
    tie(reason?: string): Outcome;
}
/** A game that answers requests: `serve` without input and output. */
export class Program {
    /**
     * Begins with a class of a game. Throws `GameError` if it lacks something.
     *
     * @param {new () => Game} game
     */
    constructor(game: new () => Game);
    /** @private */
    private _class;
    /** @private The game with its defaults. */
    private _plain;
    /** @private */
    private _name;
    /** @private */
    private _game;
    /**
     * The state of the game in progress.
     * @type {any}
     */
    state: any;
    /**
     * The seats that have forfeited, in this order.
     * @private
     * @type {string[]}
     */
    private _out;
    /** @private */
    private _keepsOut;
    /** @private Where the kit keeps forfeits beside the state, a view alone is no state. */
    private _isViewState;
    /**
     * The list of legal actions in the last position.
     * @private
     * @type {any[] | null}
     */
    private _legal;
    /**
     * @private
     * @param {keyof Game} method
     */
    private _has;
    /** @private */
    private _mostSeats;
    /** @private */
    private _checkClass;
    /**
     * Returns the game under these rules.
     *
     * @private
     * @param {Json} rules
     */
    private _under;
    /**
     * Returns the answer to a request; `null` to `quit`.
     *
     * @param {Json} request
     * @returns {Json | null}
     */
    answer(request: Json): Json | null;
    /**
     * @private
     * @param {Json} request
     * @returns {Json | null}
     */
    private _answer;
    /**
     * @private
     * @param {any} state
     */
    private _restore;
    /**
     * @private
     * @param {Json} request
     */
    private _playouts;
    /**
     * Plays random actions to the end of the game, and returns the points; `null` if it is too long.
     *
     * @private
     * @param {Random} random
     * @returns {number[] | null}
     */
    private _playOut;
    /**
     * Returns the line that answers a line, without its newline; `null` to `quit`.
     *
     * @param {string} request
     */
    line(request: string): string | null;
    /** @private */
    private _hello;
    /**
     * @private
     * @param {Json} request
     */
    private _open;
    /**
     * @private
     * @param {Json} request
     */
    private _play;
    /**
     * @private
     * @param {Json} request
     */
    private _chance;
    /**
     * Calls a method with JSON from outside, which may be any: an exception is no mistake of the game.
     *
     * @private
     * @template T
     * @param {any} given
     * @param {() => T} method
     * @returns {T}
     */
    private _outside;
    /**
     * @private
     * @param {any} state
     */
    private _whole;
    /**
     * Returns an action in the game's own form, or refuses it.
     *
     * @private
     * @param {any} action
     */
    private _checked;
    /**
     * @private
     * @param {string | null} actor
     * @param {any} event
     * @returns {Json}
     */
    private _position;
    /**
     * @private
     * @returns {Json | null}
     */
    private _ended;
}
export type Json = Record<string, any>;
