/**
 * The protocol loop of a bot: `Bot` decides, `Session` answers the referee's messages, `run` connects both to standard
 * input and output.
 *
 * Standard output belongs to the protocol while `run` is at work: `console.log` and `process.stdout.write` go to
 * standard error.
 */

import { performance } from "node:perf_hooks";
import { inspect } from "node:util";
import { rulebook } from "./games.js";
import { canonical, dumps } from "./json.js";
import { MAX_INT, OptionError, intOption, specs, valuesOf } from "./options.js";
import { Random } from "./random.js";
import { linesOf, release, takeStandardOutput, writeLine } from "./streams.js";

export { canonical, dumps };

/** The version of the protocol that the kit speaks. */
export const PROTOCOL = 1;

/** @typedef {Record<string, any>} Json */

// With a clock of CPU time, an answer may take this many times the limit in wall-clock time, and 250 ms.
const BACKSTOP_TIMES = 5;
const BACKSTOP_MORE = 250;

// Safety margins of `Clock.share`: a part of the limit, at least and at most (ms).
const WALL_MARGIN = [6, 10, 50];
const CPU_MARGIN = [12, 3, 25];

/** The match sends no legal actions (`--no-legal`), and the kit cannot generate them. */
export class NoLegalActions extends Error {
  name = "NoLegalActions";
}

/** A moment: wall-clock time and CPU time of this process, in milliseconds. */
export class Reading {
  /**
   * @param {number} wall
   * @param {number} cpu
   */
  constructor(wall, cpu) {
    this.wall = wall;
    this.cpu = cpu;
  }

  static now() {
    const { user, system } = process.cpuUsage();
    return new Reading(performance.now(), (user + system) / 1000);
  }
}

/** The clock of a seat in one decision. All times are milliseconds; without a limit they are `Infinity`. */
export class Clock {
  /**
   * @param {Json} clock the `clock` of a `turn` message
   * @param {Reading} began when the message was read
   */
  constructor(clock, began) {
    /**
     * `wall` or `cpu`; a kind that the kit does not know is treated as `wall`.
     * @type {string}
     */
    this.kind = clock.kind ?? "wall";
    /**
     * The most that this decision may take.
     * @type {number}
     */
    this.move = clock.move_ms ?? Infinity;
    /**
     * What the seat has left for all its decisions.
     * @type {number}
     */
    this.bank = clock.bank_ms ?? Infinity;
    /**
     * What is added to the bank after each decision.
     * @type {number}
     */
    this.increment = clock.increment_ms ?? 0;
    /** @private */
    this._began = began;
  }

  /** The time that this decision may take at most: the lesser of `move` and `bank`. */
  get limit() {
    return Math.min(this.move, this.bank);
  }

  /**
   * Returns the time since the `turn` line was read, of the kind that the clock counts. CPU time is that of this
   * process with all its threads, without child processes.
   */
  elapsed() {
    const now = Reading.now();
    return this.kind === "cpu" ? now.cpu - this._began.cpu : now.wall - this._began.wall;
  }

  /**
   * Returns the time until the referee's deadline, without a margin. With a clock of CPU time it is the lesser of the
   * CPU time and the wall-clock time that are left.
   */
  left() {
    const now = Reading.now();
    const wall = now.wall - this._began.wall;
    if (this.kind !== "cpu") {
      return this.limit - wall;
    }
    const backstop = BACKSTOP_TIMES * this.limit + BACKSTOP_MORE;
    return Math.min(this.limit - (now.cpu - this._began.cpu), backstop - wall);
  }

  /**
   * Returns the time to plan for this decision if the seat expects `decisions` more, including it.
   *
   * That is an equal share of the bank and the increment, at most `move`, minus a margin of at most half of it: 1/6 of
   * the limit, 10 to 50 ms, for wall-clock time; 1/12, 3 to 25 ms, for CPU time.
   */
  share(decisions = 1) {
    const share = this.bank / Math.max(decisions, 1) + this.increment;
    const limit = Math.min(this.move, share, this.bank);
    if (limit === Infinity) {
      return limit;
    }
    const [part, least, most] = this.kind === "cpu" ? CPU_MARGIN : WALL_MARGIN;
    const margin = Math.min(Math.max(limit / part, least), most);
    return limit - Math.min(margin, limit / 2);
  }
}

/** A game in progress: the `start` message. */
export class Game {
  /** @param {Json} start */
  constructor(start) {
    /** The whole message. */
    this.message = start;
    /**
     * The name of the game: `scotland-yard`, ...
     * @type {string}
     */
    this.name = start.game ?? "";
    /**
     * The same for a game that is repeated with the same seed.
     * @type {string}
     */
    this.gameId = start.game_id ?? "";
    /**
     * Every parameter of the rules.
     * @type {any}
     */
    this.rules = start.rules ?? {};
    /**
     * All seats, in seat order.
     * @type {string[]}
     */
    this.seats = start.seats ?? [];
    /**
     * The seats that this bot holds.
     * @type {string[]}
     */
    this.you = start.you ?? [];
    /**
     * Who holds what.
     * @type {{ name: string, seats: string[] }[]}
     */
    this.players = start.players ?? [];
    /**
     * How time is kept, and `on_fault`.
     * @type {Json}
     */
    this.time = start.time ?? {};
    /**
     * The options that the match set.
     * @type {Json}
     */
    this.options = start.options ?? {};
    /**
     * What never changes in this game, as far as the first of your seats may know it.
     * @type {any}
     */
    this.setup = start.setup ?? {};
    /**
     * @private
     * @type {import("./rulebook.js").Rulebook | null}
     */
    this._rulebook = null;
  }

  /**
   * Returns the setup as this seat of yours may know it.
   *
   * @param {string} seat
   * @returns {any}
   */
  setupOf(seat) {
    return this.message.setups?.[seat] ?? this.setup;
  }

  /** The kit's class for this game under these rules; `null` if the kit does not know the game. */
  get rulebook() {
    this._rulebook ??= rulebook(this.name, this.rules, this.setup);
    return this._rulebook;
  }
}

/** The end of a game: the `end` message. */
export class Outcome {
  /**
   * @param {Json} end
   * @param {Game | null} game
   */
  constructor(end, game) {
    /** The whole message. */
    this.message = end;
    /** The game that ended. */
    this.game = game;
    const outcome = end.outcome ?? {};
    /**
     * `completed`, `bot_fault` or `void`.
     * @type {string}
     */
    this.kind = outcome.kind ?? "";
    /**
     * The points of each seat, in seat order; empty if the game is void.
     * @type {number[]}
     */
    this.scores = outcome.scores ?? [];
    /**
     * The place of each seat, from 1; empty if the game is void.
     * @type {number[]}
     */
    this.ranks = outcome.ranks ?? [];
    /**
     * The game's word for the end.
     * @type {string}
     */
    this.reason = outcome.reason ?? "";
    /**
     * Who failed, and how.
     * @type {Json[]}
     */
    this.faults = end.faults ?? [];
    /**
     * The whole final state, hidden things included.
     * @type {any}
     */
    this.reveal = end.reveal;
  }

  /**
   * Returns the points of a seat; `null` if the game is void.
   *
   * @param {string} seat
   */
  score(seat) {
    return this.scores[this.game?.seats.indexOf(seat) ?? -1] ?? null;
  }
}

/**
 * A decision to be made: the `turn` message.
 *
 * @template [View=any]
 * @template [Action=any]
 */
export class Turn {
  /**
   * @param {Json} turn
   * @param {Game} game
   * @param {number} seed
   * @param {Reading} began
   * @param {(text: string) => void} log
   */
  constructor(turn, game, seed, began, log) {
    /** The whole message. */
    this.message = turn;
    /** The game. */
    this.game = game;
    /**
     * The number of this decision in the game, from 1, over all seats.
     * @type {number}
     */
    this.number = turn.turn ?? 0;
    /**
     * The seat that decides: one of `game.you`.
     * @type {string}
     */
    this.seat = turn.seat ?? "";
    /**
     * All that the seat may know now: the game's JSON.
     * @type {View}
     */
    this.view = turn.view;
    /**
     * Every legal action; `null` if the match sends none (`--no-legal`).
     * @type {Action[] | null}
     */
    this.legal = turn.legal ?? null;
    /** The seat's clock. */
    this.clock = new Clock(turn.clock ?? {}, began);
    /** @private */
    this._seed = seed;
    /** @private */
    this._log = log;
    /**
     * @private
     * @type {Random | null}
     */
    this._random = null;
    /** @type {Json} */
    this._info = {};
  }

  /**
   * Returns the legal actions: those of the message, or those that the kit generates. Throws `NoLegalActions` if there
   * are neither.
   *
   * @returns {Action[]}
   */
  legalActions() {
    if (this.legal === null) {
      const book = this.game.rulebook;
      if (book === null) {
        throw new NoLegalActions(
          `the match sends no legal actions, and the kit has no rules of '${this.game.name}': play without --no-legal`,
        );
      }
      this.legal = /** @type {Action[]} */ (book.legal(this.view));
    }
    return this.legal;
  }

  /**
   * Returns the milliseconds until the referee's deadline, without a margin: see `Clock.left`. The clock stops when
   * the referee has read the answer, so keep 20 to 50 ms back.
   */
  timeLeft() {
    return this.clock.left();
  }

  /** Returns the milliseconds of `Clock.share` that are left for this decision, with its margin. */
  timeShare(decisions = 1) {
    return this.clock.share(decisions) - this.clock.elapsed();
  }

  /**
   * A random number generator of this decision. It is seeded from the option `seed`, the game's id, your seats and the
   * number of the decision, so a decision can be reproduced from a replay, while the games of a match differ.
   */
  get random() {
    this._random ??= new Random(`${this._seed}/${this.game.gameId}/${this.game.you.join(",")}/${this.number}`);
    return this._random;
  }

  /**
   * Writes a line into the log of the game, immediately.
   *
   * @param {unknown} text
   */
  log(text) {
    this._log(String(text));
  }

  /**
   * Adds to the `info` of the answer, which the replay keeps: how good the position is (`score`), plies (`depth`),
   * positions or playouts (`nodes`), expected actions (`pv`), a `text`, and anything else.
   *
   * @param {{ score?: number, depth?: number, nodes?: number, pv?: unknown[], text?: string, [more: string]: unknown }} fields
   */
  info(fields) {
    for (const [name, value] of Object.entries(fields)) {
      if (value !== undefined && value !== null) {
        this._info[name] = value;
      }
    }
  }

  /**
   * Draws on the board, for the page of the game: a circle around the place `point`, or a `line` or an `arrow` through
   * two places or more. Places are named as in the game: `turn.draw({ arrow: [11, 15], color: "red" })`.
   *
   * @param {{ point?: unknown, line?: unknown[], arrow?: unknown[], color?: string, text?: string | number }} mark
   */
  draw(mark) {
    this._info.draw = [...(Array.isArray(this._info.draw) ? this._info.draw : []), mark];
  }
}

/**
 * A bot. Override `choose`, and perhaps `start` and `end`. Each of them may be asynchronous.
 *
 * `Bot<View, Action>` with the types of a game's module gives `turn.view` its type.
 *
 * @template [View=any]
 * @template [Action=any]
 */
export class Bot {
  /**
   * The options that a match may set: see `options.js`.
   *
   * @type {Record<string, import("./options.js").Option<any>>}
   */
  static options = { seed: intOption(0, { min: 0, max: MAX_INT, about: "seed of random choices" }) };

  /** The name of the bot; that of the class in lower case if it is empty. */
  name = "";

  /** Shown with results. */
  version = "";

  /** Shown with results. */
  author = "";

  /**
   * The games that it plays; empty: whatever it is given.
   * @type {string[]}
   */
  games = [];

  /**
   * Whether an exception in `choose` or an illegal action is reported to standard error and answered by a legal action.
   * Otherwise an exception ends the bot.
   */
  answerOnError = false;

  /**
   * The values of the options: the defaults, before a match has set any.
   * @type {any}
   */
  options = valuesOf(this, {});

  /**
   * Prepares for a game. This time is not charged to the first decision: build tables here.
   *
   * @param {Game} game
   * @returns {void | Promise<void>}
   */
  start(game) {}

  /**
   * Returns one of the legal actions.
   *
   * @param {Turn<View, Action>} turn
   * @returns {Action | Promise<Action>}
   */
  choose(turn) {
    throw new Error("a bot needs a method choose(turn)");
  }

  /**
   * Looks at the end of a game.
   *
   * @param {Outcome} outcome
   * @returns {void | Promise<void>}
   */
  end(outcome) {}

  /** Returns the bot's `hello` message. */
  hello() {
    /** @type {Json} */
    const hello = { type: "hello", protocol: PROTOCOL, name: botName(this) };
    if (this.version) {
      hello.version = this.version;
    }
    if (this.author) {
      hello.author = this.author;
    }
    return { ...hello, games: this.games, options: specs(this) };
  }
}

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
export function botName(bot) {
  return bot.name || bot.constructor.name.toLowerCase() || "bot";
}

/**
 * @param {AnyBot} bot
 * @returns {() => Bot<any, any>}
 */
function makerOf(bot) {
  if (bot instanceof Bot) {
    return () => bot;
  }
  if (bot.prototype instanceof Bot) {
    return () => new /** @type {new () => Bot} */ (bot)();
  }
  return /** @type {() => Bot} */ (bot);
}

/** A bot's conversation with the referee, one line at a time: `run` without input and output. */
export class Session {
  /**
   * Begins a conversation.
   *
   * @param {AnyBot} bot
   * @param {(line: string) => void} write gets each line of the bot, with its newline
   */
  constructor(bot, write) {
    /** @private */
    this._make = makerOf(bot);
    /** The bot that plays. */
    this.bot = this._make();
    /** @private */
    this._fresh = true;
    /** @private */
    this._write = write;
    /** @private */
    this._lineBytes = 65536;
    /**
     * The game in progress.
     * @type {Game | null}
     */
    this.game = null;
    /**
     * The number of the last decision, and when it was asked for first.
     * @private
     * @type {{ turn: number, began: Reading } | null}
     */
    this._asked = null;
  }

  /**
   * Handles a line of the referee. Returns `false` after `quit`.
   *
   * Throws what the bot throws, `OptionError`, and `Error` for a line that is not a message.
   *
   * @param {string} line
   * @param {Reading} began when the line was read
   * @returns {Promise<boolean>}
   */
  async handle(line, began = Reading.now()) {
    const message = JSON.parse(line);
    if (typeof message !== "object" || message === null || Array.isArray(message)) {
      throw new Error(`expected a message of the referee, a JSON object, got ${line.slice(0, 200)}`);
    }
    switch (message.type) {
      case "turn":
        await this._turn(message, began);
        break;
      case "hello":
        this._lineBytes = message.limits?.line_bytes ?? this._lineBytes;
        this._send(this.bot.hello());
        break;
      case "start":
        await this._start(message);
        break;
      case "end":
        await this._end(message);
        break;
      case "error":
        this._say(errorText(message));
        break;
      // Messages of later versions are ignored.
    }
    return message.type !== "quit";
  }

  /**
   * @private
   * @param {Json} message
   */
  async _start(message) {
    this.game = null;
    this._asked = null;
    if (!this._fresh) {
      this.bot = this._make();
    }
    this._fresh = false;
    const game = new Game(message);
    if (this.bot.games.length > 0 && !this.bot.games.includes(game.name)) {
      throw new Error(`asked to play '${game.name}', but this bot plays ${this.bot.games.join(", ")}`);
    }
    this.bot.options = valuesOf(this.bot, game.options);
    this.game = game;
    try {
      await this.bot.start(game);
    } catch (error) {
      if (!this.bot.answerOnError) {
        throw error;
      }
      this._report("start() failed; playing on", error);
    }
    this._send({ type: "ready" });
  }

  /**
   * @private
   * @param {Json} message
   * @param {Reading} began
   */
  async _turn(message, began) {
    if (this.game === null) {
      throw new Error(`turn ${message.turn}: asked to decide, but no game is in progress`);
    }
    // Where a match gives another try, the same line comes again, and the clock has not stopped.
    if (this._asked?.turn === message.turn) {
      began = this._asked?.began ?? began;
    }
    this._asked = { turn: message.turn, began };
    const turn = new Turn(message, this.game, this.bot.options.seed, began, (text) => this._log(text));
    let action;
    try {
      action = plain(await this.choose(turn));
      if (action === null) {
        throw new Error("choose() returned null or undefined, expected an action");
      }
      if (this.bot.answerOnError && !isLegal(action, turn)) {
        throw new Error(`choose() returned ${dumps(action)}, which is not a legal action`);
      }
    } catch (error) {
      if (!this.bot.answerOnError) {
        throw error;
      }
      this._report(`turn ${turn.number}: choose() failed; playing a legal action`, error);
      action = turn.random.choice(turn.legalActions());
    }
    let line = dumps({ type: "move", turn: turn.number, action });
    if (Object.keys(turn._info).length > 0) {
      const withInfo = `${line.slice(0, -1)},"info":${dumps(infoOf(turn._info))}}`;
      if (withInfo.length <= this._lineBytes) {
        line = withInfo;
      } else {
        this._say(`turn ${turn.number}: info left out, because the line would be too long`);
      }
    }
    this._write(`${line}\n`);
  }

  /**
   * @private
   * @param {Json} message
   */
  async _end(message) {
    const outcome = new Outcome(message, this.game);
    this.game = null;
    try {
      await this.bot.end(outcome);
    } catch (error) {
      this._report("end() failed", error);
    }
  }

  /**
   * Asks the bot. The replay debugger overrides this.
   *
   * @param {Turn} turn
   * @returns {any}
   */
  choose(turn) {
    return this.bot.choose(turn);
  }

  /**
   * @private
   * @param {string} text
   */
  _log(text) {
    let line = { type: "log", text };
    while (dumps(line).length > this._lineBytes) {
      line = { type: "log", text: line.text.slice(0, line.text.length / 2) };
    }
    this._send(line);
  }

  /**
   * @private
   * @param {Json} message
   */
  _send(message) {
    this._write(`${dumps(message)}\n`);
  }

  /**
   * @private
   * @param {string} what
   * @param {unknown} error
   */
  _report(what, error) {
    this._say(`${what}\n${trace(error)}`);
  }

  /**
   * @private
   * @param {string} text
   */
  _say(text) {
    process.stderr.write(`${botName(this.bot)}: ${text}\n`);
  }
}

/** @param {unknown} error */
export function trace(error) {
  return error instanceof Error ? error.stack ?? String(error) : inspect(error);
}

/** @param {Json} message */
function errorText(message) {
  const turn = message.turn == null ? "" : `turn ${message.turn}: `;
  let text = `error from the referee: ${turn}${message.code}: ${message.message}`;
  if (message.detail?.got) {
    text += `\n  your line: ${message.detail.got}`;
  }
  if (message.detail?.legal_sample) {
    text += `\n  legal would be, for example: ${dumps(message.detail.legal_sample)}`;
  }
  return text;
}

/**
 * @param {any} action
 * @param {Turn} turn
 */
function isLegal(action, turn) {
  let legal;
  try {
    legal = turn.legalActions();
  } catch {
    return true; // Not known.
  }
  const sent = canonical(action);
  return legal.some((one) => canonical(one) === sent);
}

/**
 * Returns a value as plain JSON data: typed arrays and sets become arrays, maps objects, BigInts numbers or strings.
 *
 * @param {any} value
 * @returns {any}
 */
export function plain(value) {
  if (value === undefined || value === null) {
    return null;
  }
  if (typeof value === "bigint") {
    return -MAX_INT <= value && value <= MAX_INT ? Number(value) : String(value);
  }
  if (typeof value === "function" || typeof value === "symbol") {
    throw new TypeError(`expected JSON data, got a ${typeof value}: ${String(value).slice(0, 200)}`);
  }
  if (typeof value !== "object") {
    return value;
  }
  if (Array.isArray(value) || value instanceof Set || (ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    return Array.from(/** @type {Iterable<any>} */ (value), plain);
  }
  if (typeof value.toJSON === "function") {
    return plain(value.toJSON());
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  const present = entries.filter(([, item]) => item !== undefined);
  return Object.fromEntries(present.map(([key, item]) => [String(key), plain(item)]));
}

/**
 * Returns info that the referee accepts, whatever was given: it must never cost a game.
 *
 * @param {any} value
 * @param {number} depth
 * @returns {any}
 */
function infoOf(value, depth = 0) {
  if (depth === 0) {
    try {
      value = plain(value);
    } catch {
      return { text: inspect(value).slice(0, 1000) };
    }
  }
  if (depth > 30) {
    return inspect(value).slice(0, 1000);
  }
  if (Array.isArray(value)) {
    return value.map((item) => infoOf(item, depth + 1));
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([key]) => !key.startsWith("$"));
    // Keys that differ in half a surrogate pair only would become the same key.
    return Object.fromEntries(entries.map(([key, item]) => [wellFormed(key), infoOf(item, depth + 1)]));
  }
  if (typeof value === "number") {
    return !Number.isFinite(value) ? null : Number.isInteger(value) && Math.abs(value) > MAX_INT ? String(value) : value;
  }
  return value;
}

/** @param {string} text */
function wellFormed(text) {
  return text.replace(/\p{Surrogate}/gu, "?");
}

/**
 * Plays until `quit` or the end of the input, on any streams: for tests. See `run`.
 *
 * @param {AnyBot} bot
 * @param {AsyncIterable<Uint8Array | string>} input
 * @param {(line: string) => void} write gets each line of the bot, with its newline
 */
export async function serve(bot, input, write) {
  const session = new Session(bot, write);
  for await (const line of linesOf(input)) {
    if (!(await session.handle(line, Reading.now()))) {
      return;
    }
  }
}

/**
 * Plays as a bot on standard input and output until `quit`, and exits.
 *
 * An exception is printed to standard error with its stack and ends the program with exit code 1.
 *
 * @param {AnyBot} bot
 * @returns {Promise<never>}
 */
export async function run(bot) {
  takeStandardOutput("console.error(...) or turn.log(...)");
  try {
    await serve(bot, process.stdin, writeLine);
  } catch (error) {
    if (/** @type {any} */ (error)?.code === "EPIPE") {
      process.exit(0); // The referee has ended the game.
    }
    process.stderr.write(error instanceof OptionError ? `botyard: ${error.message}\n` : `${trace(error)}\n`);
    process.exit(1);
  }
  process.exit(0);
}

/**
 * Is the whole main program of a bot: plays, or replays a recorded game with `--replay FILE --seat SEAT`.
 *
 * Arguments that the kit does not know are left to the bot.
 *
 * @param {AnyBot} bot
 * @param {string[]} args
 * @returns {Promise<never>}
 */
export async function main(bot, args = process.argv.slice(2)) {
  if (!args.some((arg) => arg === "--replay" || arg.startsWith("--replay="))) {
    return run(bot);
  }
  release();
  const { replay } = /** @type {any} */ (await import("./replay.js"));
  const code = await replay(bot, args);
  await new Promise((done) => process.stdout.write("", done));
  process.exit(code);
}
