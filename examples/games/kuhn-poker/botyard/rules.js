/**
 * Games as programs: a class with the rules becomes a program that speaks the rules protocol.
 *
 * A game without secrets and chance is a class with the seats and five methods; `serve` is its main program:
 *
 *     import { Game, serve } from "./botyard/rules.js";
 *
 *     class Nim extends Game {
 *       name = "nim";
 *       seats = ["first", "second"];
 *       rules = { heaps: [3, 4, 5] };
 *
 *       start() {
 *         return { heaps: [...this.rules.heaps], turn: "first" };
 *       }
 *
 *       turn(state) {
 *         return state.turn;
 *       }
 *
 *       legal(state) {
 *         return state.heaps.flatMap((left, heap) => Array.from({ length: left }, (_, n) => [heap, n + 1]));
 *       }
 *
 *       apply(state, [heap, take]) {
 *         state.heaps[heap] -= take;
 *         state.turn = state.turn === "first" ? "second" : "first";
 *         return state;
 *       }
 *
 *       outcome(state) {
 *         const last = state.turn === "first" ? "second" : "first";
 *         return state.heaps.some((left) => left > 0) ? null : this.win([last], "last_taken");
 *       }
 *     }
 *
 *     serve(Nim);
 *
 * A state is JSON data: objects, arrays, strings, numbers, booleans and `null`. That gives `state`, `load` and the view
 * of a game without secrets. A game with secrets adds `view` and `seen`; one with chance `chances` or `draw`, and
 * `applyChance`. `docs/rules-protocol.md` describes the protocol.
 *
 * This module needs `json.js` and `streams.js` beside it and nothing else of the kit: a game's directory has copies.
 */

import { createHash } from "node:crypto";
import { canonical, dumps } from "./json.js";
import { linesOf, takeStandardOutput, writeLine } from "./streams.js";

/** @typedef {Record<string, any>} Json */

/** The version of the rules protocol. */
export const RULES_PROTOCOL = 1;

/** What `turn` returns when an outcome of chance is to be drawn. */
export const CHANCE = "chance";

/** The actor of the opening in `seen`. */
export const OPENING = "opening";

const OVER = "over";
const STANDARD = "standard";
/** The most playouts in a request. */
const MOST_PLAYOUTS = 1000;
/** The most decisions and outcomes of chance in a playout. */
const LONGEST_PLAYOUT = 10_000;

/** An action, an opening or a rule that cannot be played. The message says what was expected and what came. */
export class Refused extends Error {
  /**
   * @param {string} message
   * @param {string | null} rule the name of the rule, if it is about rules
   */
  constructor(message, rule = null) {
    super(message);
    this.rule = rule;
  }
}

/** A mistake of the game: one of its methods returned what it must not return. */
export class GameError extends Error {}

/** The end of a game. */
export class Outcome {
  /**
   * @param {number[] | Record<string, number>} scores the points of each seat, in seat order or by seat
   * @param {string} reason a word of lower-case letters, digits and `_`
   * @param {number[] | null} ranks the place of each seat, from 1; by default they follow from the points
   */
  constructor(scores, reason = "completed", ranks = null) {
    this.scores = scores;
    this.reason = reason;
    this.ranks = ranks;
  }
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
  constructor(bits) {
    /** @private */
    this._seed = Buffer.from(bits, "hex");
    /** @private */
    this._block = 0;
    /**
     * @private
     * @type {number[]}
     */
    this._words = [];
  }

  /** Returns the next 32 bits, a number from 0 to 2**32 - 1. */
  word() {
    if (this._words.length === 0) {
      const number = Buffer.alloc(8);
      number.writeUInt32BE(this._block, 4);
      this._block += 1;
      const digest = createHash("sha256").update(this._seed).update(number).digest();
      this._words = [28, 24, 20, 16, 12, 8, 4, 0].map((at) => digest.readUInt32BE(at));
    }
    return /** @type {number} */ (this._words.pop());
  }

  /**
   * Returns a number from 0 to `limit` - 1, each with the same probability; `limit` is at most 2**32.
   *
   * It is the next word modulo `limit`; words from the greatest multiple of `limit` on are skipped.
   *
   * @param {number} limit
   */
  below(limit) {
    if (!Number.isInteger(limit) || limit < 1 || limit > 2 ** 32) {
      throw new RangeError(`expected a limit from 1 to 2**32, got ${limit}`);
    }
    const end = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const word = this.word();
      if (word < end) {
        return word % limit;
      }
    }
  }

  /** Returns a number from 0 (included) to 1 (excluded): 27 bits of a word, then 26 of the next one. */
  number() {
    return ((this.word() >>> 5) * 67108864 + (this.word() >>> 6)) / 9007199254740992;
  }

  /**
   * Returns the item at the place `below(items.length)`.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  choice(items) {
    if (items.length === 0) {
      throw new RangeError("expected items to choose from, got none");
    }
    return items[this.below(items.length)];
  }

  /**
   * Returns the items in random order: from the last place down to the second, each is exchanged with that at
   * `below(place + 1)`, where places begin with 0.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T[]}
   */
  shuffled(items) {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.below(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  }

  /**
   * Returns a place, with a probability in proportion to its weight: the first one at which the sum of the weights
   * exceeds `below(sum of all)` if all are whole numbers, and `number() * sum of all` otherwise.
   *
   * @param {readonly number[]} weights
   */
  weighted(weights) {
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    if (weights.some((weight) => !(weight >= 0)) || !(total > 0)) {
      throw new RangeError(`expected weights of at least 0 with a sum above 0, got ${dumps(weights)}`);
    }
    const drawn = weights.every(Number.isInteger) ? this.below(total) : this.number() * total;
    let sum = 0;
    for (let place = 0; place < weights.length; place++) {
      sum += weights[place];
      if (drawn < sum) {
        return place;
      }
    }
    return weights.length - 1 - [...weights].reverse().findIndex((weight) => weight > 0);
  }
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
  name = "";
  /**
   * The names of the seats; or `[least, most]` where the rules set their number, see `seatNames`.
   * @type {any[]}
   */
  seats = [];
  /**
   * Every rule with its default.
   * @type {Json}
   */
  rules = {};
  /**
   * Named sets of rules: `{ short: { about: "one line about it", rules: { heaps: [1, 2] } } }`. The first is the
   * default.
   * @type {Record<string, { about: string, rules: Json }>}
   */
  presets = {};
  /**
   * The rule that sets the number of seats.
   * @type {string | null}
   */
  seatsRule = null;
  /** Whether all seats ask the same of a bot. */
  seatsAlike = true;
  /** The version of the game. */
  version = "";
  /** Whether something is hidden from a seat. */
  hidden = false;
  /** Whether the seats of a round decide simultaneously. */
  simultaneous = false;
  /**
   * Whether the kit plays random games for searching bots. `false` where a game takes longer than an answer may, or
   * where actions are not listed.
   */
  playouts = true;
  /**
   * The range of a seat's points, and the sum of all; `null` if it varies.
   * @type {{ least: number, most: number, sum: number | null }}
   */
  scores = { least: 0, most: 1, sum: 1 };
  /** How points and places are awarded, in a sentence. */
  scoring = "";
  /**
   * JSON Schemas: of `view`, `action`, ...
   * @type {Json}
   */
  schemas = {};

  // What every game has.

  /**
   * Returns the first state.
   *
   * @param {any} opening what `opening` has drawn, `{}` by default
   * @returns {any}
   */
  start(opening) {
    throw new GameError("a game needs the method start()");
  }

  /**
   * Returns the seat whose turn it is, or `CHANCE`. The game is not over.
   *
   * @param {any} state
   * @returns {string}
   */
  turn(state) {
    throw new GameError("a game needs the method turn()");
  }

  /**
   * Returns every legal action, without duplicates; `null` if there are too many, see `check`.
   *
   * @param {any} state
   * @returns {any[] | null}
   */
  legal(state) {
    throw new GameError("a game needs the method legal()");
  }

  /**
   * Returns the state after a legal action of the seat whose turn it is.
   *
   * @param {any} state
   * @param {any} action
   * @returns {any}
   */
  apply(state, action) {
    throw new GameError("a game needs the method apply()");
  }

  /**
   * Returns how the game ended, `win`, `tie` or an `Outcome`; `null` while it is played.
   *
   * @param {any} state
   * @returns {Outcome | number[] | Record<string, number> | null}
   */
  outcome(state) {
    throw new GameError("a game needs the method outcome()");
  }

  // What has a default.

  /**
   * Returns the names of the seats under `this.rules`.
   *
   * @returns {string[]}
   */
  seatNames() {
    if (!isRange(this.seats)) {
      return this.seats;
    }
    const number = this.rules[this.seatsRule ?? ""];
    return Array.from({ length: number }, (_, place) => `player-${place + 1}`);
  }

  /** Throws `Refused` with the name of a rule in `this.rules` that cannot be played. Each has the type of its default. */
  checkRules() {}

  /**
   * Returns all that a seat may know; by default the state.
   *
   * @param {any} state
   * @param {string} seat
   * @returns {any}
   */
  view(state, seat) {
    return state;
  }

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
  seen(state, seat, actor, event) {
    return event;
  }

  /**
   * Returns what never changes in this game, such as the board, as far as a seat may know it.
   *
   * @param {any} state
   * @param {string} seat
   * @returns {any}
   */
  setup(state, seat) {
    return {};
  }

  /**
   * Draws an opening for `start`.
   *
   * @param {Random} random
   * @returns {any}
   */
  opening(random) {
    return {};
  }

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
  check(state, action) {}

  /**
   * Returns the action that is played for a seat that has forfeited; by default the first legal one.
   *
   * @param {any} state
   * @returns {any}
   */
  passAction(state) {
    const legal = this.legal(state);
    if (!legal || legal.length === 0) {
      throw new GameError(`${this.name} lists no actions: it needs passAction(), for seats that forfeit`);
    }
    return legal[0];
  }

  /**
   * Returns the outcomes of chance, each `[weight, outcome]`. Whole numbers are exact weights.
   *
   * @param {any} state
   * @returns {[number, any][] | null}
   */
  chances(state) {
    return null;
  }

  /**
   * Draws an outcome of chance; by default one of `chances`.
   *
   * @param {any} state
   * @param {Random} random
   * @returns {any}
   */
  draw(state, random) {
    const chances = this.chances(state);
    if (!chances || chances.length === 0) {
      throw new GameError(`${this.name} needs chances() or draw(), as its turn() returned "${CHANCE}"`);
    }
    return chances[random.weighted(chances.map(([weight]) => weight))][1];
  }

  /**
   * Returns the state after an outcome of chance. Throws `Refused` if it cannot be drawn.
   *
   * @param {any} state
   * @param {any} outcome
   * @returns {any}
   */
  applyChance(state, outcome) {
    throw new GameError("a game with chance needs the method applyChance()");
  }

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
  forfeit(state, seat) {
    return state;
  }

  /**
   * Returns the state in a few lines for people; without this method they see it as JSON.
   *
   * @param {any} state
   * @returns {string}
   */
  text(state) {
    return dumps(state);
  }

  /**
   * Returns the action that a person means, or throws `Refused`.
   *
   * @param {any} state
   * @param {string} text
   * @returns {any}
   */
  parse(state, text) {}

  /**
   * Returns the state as an SVG document, as far as a seat may see it; all of it for `null`.
   *
   * @param {any} state
   * @param {string | null} seat
   * @returns {string}
   */
  picture(state, seat) {
    return "";
  }

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
  determinize(view, seat, random, setup) {}

  // Outcomes.

  /**
   * Returns the outcome in which these seats have won: the others have the least points.
   *
   * @param {string[]} winners
   * @param {string} reason
   */
  win(winners, reason = "won") {
    for (const seat of winners) {
      oneOf(seat, this.seats, `${this.name}: win()`);
    }
    const { least, most, sum } = this.scores;
    let points = most;
    if (sum !== null && winners.length > 0) {
      points = Math.min(most, (sum - least * (this.seats.length - winners.length)) / winners.length);
    }
    return new Outcome(this.seats.map((seat) => (winners.includes(seat) ? points : least)), reason);
  }

  /** Returns the outcome in which all seats have the same points. */
  tie(reason = "draw") {
    const { least, most, sum } = this.scores;
    const points = sum === null ? (least + most) / 2 : sum / this.seats.length;
    return new Outcome(this.seats.map(() => points), reason);
  }
}

/** @param {any[]} seats */
function isRange(seats) {
  return seats.length === 2 && seats.every((seat) => typeof seat === "number");
}

/** @param {any} value */
function kindOf(value) {
  return value === null ? "null" : Array.isArray(value) ? "array" : Number.isInteger(value) ? "whole number" : typeof value;
}

/**
 * @param {string} name
 * @param {any} value
 * @param {any} expected the default
 */
function checkKind(name, value, expected) {
  const [kind, wanted] = [kindOf(value), kindOf(expected)];
  const isRight = kind === wanted || (wanted === "number" && kind === "whole number");
  if (wanted !== "null" && !isRight) {
    const article = /^[aeiou]/.test(wanted) ? "an" : "a";
    throw new Refused(`expected ${article} ${wanted}, got ${short(value)}`, name);
  }
}

/** @param {any} value */
function short(value) {
  const text = value === undefined ? "nothing" : dumps(value);
  return text.length <= 200 ? text : `${text.slice(0, 200)} ...`;
}

/**
 * @param {any} name
 * @param {string[]} names
 * @param {string} what
 */
function oneOf(name, names, what) {
  if (!names.includes(name)) {
    throw new GameError(`${what}: expected one of ${names.map((one) => `"${one}"`).join(", ")}, got ${short(name)}`);
  }
}

/**
 * Returns where a value is no JSON data and why: `JSON.stringify` would write something else.
 *
 * @param {any} value
 * @param {string} place
 * @returns {string | null}
 */
function flaw(value, place) {
  switch (typeof value) {
    case "string":
    case "boolean":
      return null;
    case "number":
      return Number.isFinite(value) ? null : `${place} is ${value}: expected a finite number, which JSON has`;
    case "object":
      break;
    default:
      return `${place} is ${typeof value === "undefined" ? "undefined" : `a ${typeof value}`}: expected JSON data`;
  }
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) {
      const found = flaw(value[at], `${place}[${at}]`);
      if (found) {
        return found;
      }
    }
    return null;
  }
  if (value === null) {
    return null;
  }
  const kind = Object.getPrototypeOf(value);
  if (kind !== Object.prototype && kind !== null) {
    return `${place} is a ${kind.constructor?.name}: expected objects, arrays, strings, numbers, booleans or null`;
  }
  for (const key of Object.keys(value)) {
    const found = flaw(value[key], `${place}.${key}`);
    if (found) {
      return found;
    }
  }
  return null;
}

/**
 * Returns whether two values are equal as JSON.
 *
 * @param {any} one
 * @param {any} other
 */
function same(one, other) {
  return one === other || (one !== undefined && other !== undefined && canonical(one) === canonical(other));
}

/**
 * Returns the place of the value that equals this one as JSON; -1 if there is none.
 *
 * @param {any} value
 * @param {any[]} own
 */
function found(value, own) {
  if (typeof value !== "object" || value === null) {
    return own.indexOf(value);
  }
  const wanted = canonical(value);
  return own.findIndex((one) => canonical(one) === wanted);
}

/** @param {any[]} values */
function some(values) {
  return values.slice(0, 10).map(short).join(", ") + (values.length > 10 ? ", ..." : "");
}

/** A game that answers requests: `serve` without input and output. */
export class Program {
  /**
   * Begins with a class of a game. Throws `GameError` if it lacks something.
   *
   * @param {new () => Game} game
   */
  constructor(game) {
    /** @private */
    this._class = game;
    /** @private The game with its defaults. */
    this._plain = new game();
    /** @private */
    this._name = game.name;
    this._checkClass();
    /** @private */
    this._game = this._under({});
    /**
     * The state of the game in progress.
     * @type {any}
     */
    this.state = undefined;
    /**
     * The seats that have forfeited, in this order.
     * @private
     * @type {string[]}
     */
    this._out = [];
    /** @private */
    this._keepsOut = this._mostSeats() > 2 && !this._has("forfeit");
    /** @private Where the kit keeps forfeits beside the state, a view alone is no state. */
    this._isViewState = this._keepsOut && !this._plain.hidden && !this._has("view");
    /**
     * The list of legal actions in the last position.
     * @private
     * @type {any[] | null}
     */
    this._legal = null;
  }

  /**
   * @private
   * @param {keyof Game} method
   */
  _has(method) {
    return this._plain[method] !== Game.prototype[method];
  }

  /** @private */
  _mostSeats() {
    const { seats } = this._plain;
    return isRange(seats) ? Number(seats[1]) : seats.length;
  }

  /** @private */
  _checkClass() {
    const game = this._plain;
    const needs = (/** @type {string} */ what) => new GameError(`${this._name} needs ${what}`);
    if (!game.name) {
      throw needs('a name, as in game.toml: name = "nim"');
    }
    if (game.seats.length === 0) {
      throw needs('seats: seats = ["first", "second"]');
    }
    for (const method of /** @type {const} */ (["start", "turn", "legal", "apply", "outcome"])) {
      if (!this._has(method)) {
        throw needs(`the method ${method}()`);
      }
    }
    if ((this._has("chances") || this._has("draw")) && !this._has("applyChance")) {
      throw needs("the method applyChance(), as it has chance");
    }
    if (game.hidden && !(this._has("view") && this._has("seen"))) {
      throw needs("the methods view() and seen(), as something is hidden");
    }
    if (isRange(game.seats) && game.seatsRule === null && !this._has("seatNames")) {
      throw needs("seatsRule, the rule that sets the number of seats, or the method seatNames()");
    }
  }

  /**
   * Returns the game under these rules.
   *
   * @private
   * @param {Json} rules
   */
  _under(rules) {
    const game = new this._class();
    for (const [name, value] of Object.entries(game.rules)) {
      const given = rules[name] ?? value;
      checkKind(name, given, value);
      game.rules = { ...game.rules, [name]: given };
    }
    game.checkRules();
    game.seats = game.seatNames();
    return game;
  }

  /**
   * Returns the answer to a request; `null` to `quit`.
   *
   * @param {Json} request
   * @returns {Json | null}
   */
  answer(request) {
    try {
      return this._answer(request);
    } catch (error) {
      if (error instanceof Refused) {
        const { message, rule } = error;
        return { type: "refused", message, ...(rule === null ? {} : { rule }) };
      }
      throw error;
    }
  }

  /**
   * @private
   * @param {Json} request
   * @returns {Json | null}
   */
  _answer(request) {
    const game = this._game;
    switch (request.type) {
      case "hello":
        return this._hello();
      case "new":
        this._game = this._under(request.rules ?? {});
        this.state = undefined;
        return {
          type: "rules",
          rules: this._game.rules,
          ...(isRange(this._plain.seats) ? { seats: this._game.seats } : {}),
        };
      case "open":
        return this._open(request);
      case "play":
        return this._play(request);
      case "chance":
        return this._chance(request);
      case "view":
        return { type: "view", view: game.view(this.state, request.seat) };
      case "state":
        return { type: "state", state: this._whole(this.state) };
      case "load":
        this._restore(request.state);
        return this._position(null, null);
      case "playout":
        return { type: "playouts", playouts: this._playouts(request) };
      case "check":
        if (game.outcome(this.state) !== null || game.turn(this.state) !== request.seat) {
          throw new Refused(`it is not the turn of ${request.seat}`);
        }
        this._checked(request.action);
        return { type: "legal" };
      case "forfeit":
        if (this._has("forfeit")) {
          this.state = game.forfeit(this.state, request.seat);
        } else if (!this._out.includes(request.seat)) {
          this._out.push(request.seat);
        }
        return this._position(null, null);
      case "quit":
        return null;
    }
    if (request.type === "text" && this._has("text")) {
      return { type: "text", text: String(game.text(this.state)) };
    }
    if (request.type === "parse" && this._has("parse")) {
      return { type: "action", action: this._outside(request.text, () => game.parse(this.state, request.text)) };
    }
    if (request.type === "draw" && this._has("picture")) {
      return { type: "picture", svg: game.picture(this.state, request.seat ?? null) };
    }
    if (request.type === "determinize" && this._has("determinize")) {
      const { view, seat, random, setup = {} } = request;
      return { type: "state", state: this._whole(game.determinize(view, seat, new Random(random), setup)) };
    }
    if (request.type === "determinize" && this._isViewState) {
      return { type: "state", state: this._whole(request.view) };
    }
    return { type: "unknown" };
  }

  /**
   * @private
   * @param {any} state
   */
  _restore(state) {
    // Where nothing is hidden, bots load views too, which do not say who has forfeited.
    const isWhole = this._keepsOut && Object.keys(state ?? {}).sort().join() === "forfeited,state";
    this._out = isWhole ? [...state.forfeited] : [];
    this.state = isWhole ? state.state : state;
  }

  /**
   * @private
   * @param {Json} request
   */
  _playouts(request) {
    const { count = 1, random: bits } = request;
    if (!Number.isInteger(count) || count < 1 || count > MOST_PLAYOUTS) {
      throw new Refused(`expected 1 to ${MOST_PLAYOUTS} playouts, got ${short(count)}`);
    }
    const [state, out] = [this.state, this._out];
    const whole = dumps(request.state ?? this._whole(state));
    const random = new Random(bits);
    try {
      return Array.from({ length: count }, () => {
        this._restore(JSON.parse(whole));
        return this._playOut(random);
      });
    } finally {
      [this.state, this._out] = [state, out];
    }
  }

  /**
   * Plays random actions to the end of the game, and returns the points; `null` if it is too long.
   *
   * @private
   * @param {Random} random
   * @returns {number[] | null}
   */
  _playOut(random) {
    const game = this._game;
    for (let played = 0; played < LONGEST_PLAYOUT; played++) {
      const ended = this._ended();
      if (ended !== null) {
        return ended.scores;
      }
      const turn = game.turn(this.state);
      if (turn === CHANCE) {
        this.state = game.applyChance(this.state, game.draw(this.state, random));
        continue;
      }
      const legal = this._out.includes(turn) ? [game.passAction(this.state)] : game.legal(this.state);
      if (legal === null) {
        throw new Refused(`expected a position of ${game.name} that lists the legal actions`);
      }
      this.state = game.apply(this.state, random.choice(legal));
    }
    return null;
  }

  /**
   * Returns the line that answers a line, without its newline; `null` to `quit`.
   *
   * @param {string} request
   */
  line(request) {
    const answer = this.answer(JSON.parse(request));
    if (answer === null) {
      return null;
    }
    for (const [key, value] of Object.entries(answer)) {
      const found = flaw(value, key);
      if (found) {
        throw new GameError(`${this._name}: ${found}`);
      }
    }
    return dumps(answer);
  }

  /** @private */
  _hello() {
    const game = this._plain;
    const abilities = ["check", "load"];
    if (game.playouts) {
      abilities.push("playout");
    }
    for (const method of /** @type {const} */ (["text", "parse", "determinize"])) {
      if (this._has(method)) {
        abilities.push(method);
      }
    }
    if (this._isViewState && !abilities.includes("determinize")) {
      abilities.push("determinize");
    }
    if (this._has("picture")) {
      abilities.push("draw");
    }
    if (this._mostSeats() > 2) {
      abilities.push("forfeit");
    }
    const has = (/** @type {Json} */ value) => Object.keys(value).length > 0;
    const plain = has(game.rules) ? { [STANDARD]: { about: "the default rules", rules: {} } } : {};
    const presets = Object.entries(has(game.presets) ? game.presets : plain).map(([name, { about, rules }]) => ({
      name,
      about,
      rules: { ...game.rules, ...rules },
    }));
    return {
      type: "hello",
      rules_protocol: RULES_PROTOCOL,
      name: game.name,
      seats: game.seats,
      ...(game.seatsRule === null ? {} : { seats_rule: game.seatsRule }),
      seats_alike: game.seatsAlike,
      ...(game.version ? { version: game.version } : {}),
      hidden: game.hidden,
      chance: this._has("chances") || this._has("draw"),
      simultaneous: game.simultaneous,
      scores: game.scores,
      ...(game.scoring ? { scoring: game.scoring } : {}),
      ...(presets.length > 0 ? { presets } : {}),
      ...(has(game.schemas) ? { schemas: game.schemas } : {}),
      abilities,
    };
  }

  /**
   * @private
   * @param {Json} request
   */
  _open(request) {
    const game = this._game;
    this._out = [];
    /** @type {any} */
    let opening;
    if (request.random !== undefined) {
      opening = game.opening(new Random(request.random));
      this.state = game.start(opening);
    } else {
      opening = request.opening;
      if (!this._has("opening") && !same(opening, {})) {
        throw new Refused(`expected the opening {}, got ${short(opening)}`);
      }
      this.state = this._outside(opening, () => game.start(opening));
    }
    const position = this._position(OPENING, opening);
    if (!same(opening, {})) {
      position.opening = opening;
    }
    if (this._has("setup")) {
      const setups = Object.fromEntries(game.seats.map((seat) => [seat, game.setup(this.state, seat)]));
      const first = setups[game.seats[0]];
      if (Object.values(setups).every((setup) => same(setup, first))) {
        position.setup = first;
      } else {
        position.setups = setups;
      }
    }
    return position;
  }

  /**
   * @private
   * @param {Json} request
   */
  _play({ seat, action: given }) {
    if (this._game.turn(this.state) !== seat) {
      throw new Refused(`it is not the turn of ${seat}`);
    }
    const isListed = this._legal !== null;
    const action = this._checked(given);
    this.state = this._game.apply(this.state, action);
    const position = this._position(seat, action);
    if (!isListed && !same(action, given)) {
      position.action = action;
    }
    return position;
  }

  /**
   * @private
   * @param {Json} request
   */
  _chance(request) {
    const game = this._game;
    let outcome = request.chance;
    if (request.random !== undefined) {
      outcome = game.draw(this.state, new Random(request.random));
      this.state = game.applyChance(this.state, outcome);
    } else {
      const chances = game.chances(this.state);
      if (chances !== null) {
        const known = chances.filter(([weight]) => weight > 0).map(([, own]) => own);
        if (found(outcome, known) < 0) {
          throw new Refused(`expected one of ${known.length} outcomes: ${some(known)}; got ${short(outcome)}`);
        }
      }
      // A refusal leaves the state as it is.
      const copy = JSON.parse(dumps(this.state));
      this.state = this._outside(outcome, () => game.applyChance(copy, outcome));
    }
    return { ...this._position(CHANCE, outcome), chance: outcome };
  }

  /**
   * Calls a method with JSON from outside, which may be any: an exception is no mistake of the game.
   *
   * @private
   * @template T
   * @param {any} given
   * @param {() => T} method
   * @returns {T}
   */
  _outside(given, method) {
    try {
      return method();
    } catch (error) {
      if (error instanceof Refused || error instanceof GameError) {
        throw error;
      }
      process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
      throw new Refused(`expected something else than ${short(given)}: ${error}`);
    }
  }

  /**
   * @private
   * @param {any} state
   */
  _whole(state) {
    return this._keepsOut ? { forfeited: this._out, state } : state;
  }

  /**
   * Returns an action in the game's own form, or refuses it.
   *
   * @private
   * @param {any} action
   */
  _checked(action) {
    const legal = this._legal;
    const place = legal === null ? -1 : found(action, legal);
    if (legal !== null && place >= 0) {
      return legal[place];
    }
    if (this._has("check")) {
      const own = this._outside(action, () => this._game.check(this.state, action));
      if (legal === null) {
        return own ?? action;
      }
    }
    const known = legal ?? [];
    throw new Refused(`expected one of ${known.length} legal actions: ${some(known)}; got ${short(action)}`);
  }

  /**
   * @private
   * @param {string | null} actor
   * @param {any} event
   * @returns {Json}
   */
  _position(actor, event) {
    const [game, state, name] = [this._game, this.state, this._name];
    if (state === undefined || state === null) {
      throw new GameError(`${name}: the state is ${state}: start() and apply() must return the state`);
    }
    this._legal = null;
    const ended = this._ended();
    const turn = ended === null ? game.turn(state) : OVER;
    /** @type {Json} */
    const position = { type: "position", to_move: turn };
    if (ended !== null) {
      position.outcome = ended;
    } else if (turn === CHANCE) {
      const chances = game.chances(state)?.filter(([weight]) => weight > 0);
      if (chances) {
        const total = chances.reduce((sum, [weight]) => sum + weight, 0);
        position.chances = chances.map(([weight, outcome]) => [weight / total, outcome]);
      }
    } else {
      oneOf(turn, game.seats, `${name}: turn()`);
      const legal = game.legal(state);
      if (legal !== null) {
        if (!Array.isArray(legal) || legal.length === 0) {
          const got = short(legal);
          throw new GameError(
            `${name}: legal(): expected an array with an action, as the game is not over, got ${got}`,
          );
        }
        position.legal = legal;
      } else if (!this._has("check")) {
        throw new GameError(`${name} needs check(), as its legal() returned null`);
      }
      this._legal = legal;
      if (this._out.includes(turn) || (this._has("passAction") && game.seats.length > 2)) {
        position.pass = game.passAction(state);
      }
      position.view = game.view(state, turn);
    }
    if (game.hidden && actor !== null && !(actor === OPENING && same(event, {}))) {
      /** @type {Json} */
      const seen = {};
      for (const seat of game.seats) {
        const copy = game.seen(state, seat, actor, event);
        if (!same(copy, event)) {
          seen[seat] = copy;
        }
      }
      if (Object.keys(seen).length > 0) {
        position.seen = seen;
      }
    }
    return position;
  }

  /**
   * @private
   * @returns {Json | null}
   */
  _ended() {
    const [game, what] = [this._game, `${this._name}: outcome()`];
    const { seats } = game;
    let outcome = game.outcome(this.state);
    const playing = seats.filter((seat) => !this._out.includes(seat));
    if (outcome === undefined) {
      throw new GameError(`${what}: expected an outcome, or null while the game is played, got undefined`);
    }
    if (outcome === null) {
      if (this._out.length === 0 || playing.length > 1) {
        return null;
      }
      const { least, most, sum } = game.scores;
      // The winner has the most points; the others share what is left.
      const rest = sum === null ? least : (sum - most) / (seats.length - 1);
      outcome = new Outcome(seats.map((seat) => (playing.includes(seat) ? most : rest)), "forfeit");
    }
    if (!(outcome instanceof Outcome)) {
      outcome = new Outcome(outcome);
    }
    let { scores, reason, ranks } = outcome;
    if (!Array.isArray(scores)) {
      const by = scores;
      Object.keys(by).forEach((seat) => oneOf(seat, seats, what));
      scores = seats.map((seat) => by[seat] ?? 0);
    }
    if (scores.length !== seats.length) {
      throw new GameError(`${what}: expected ${seats.length} scores, one for each seat, got ${short(scores)}`);
    }
    if (typeof reason !== "string" || !/^[a-z0-9_]{1,40}$/.test(reason)) {
      throw new GameError(`${what}: expected a reason of lower-case letters, digits and '_', got ${short(reason)}`);
    }
    if (this._out.length > 0) {
      [scores, ranks] = afterForfeits(seats, scores, this._out);
    }
    return { scores, reason, ...(ranks === null ? {} : { ranks }) };
  }
}

/**
 * Returns points and places in which the seats that forfeited are the last, the first one to do so behind all others.
 * The points stay the same but go with the places, so their sum and range do too.
 *
 * @param {string[]} seats
 * @param {number[]} scores
 * @param {string[]} out
 * @returns {[number[], number[]]}
 */
function afterForfeits(seats, scores, out) {
  const of = new Map(seats.map((seat, place) => [seat, scores[place]]));
  const points = [...scores].sort((a, b) => b - a);
  const playing = [...new Set(seats.filter((seat) => !out.includes(seat)).map((seat) => of.get(seat)))];
  const order = playing
    .sort((a, b) => Number(b) - Number(a))
    .map((score) => seats.filter((seat) => !out.includes(seat) && of.get(seat) === score));
  order.push(...out.map((seat) => [seat]).reverse());
  const ranks = new Map();
  let place = 0;
  for (const equal of order) {
    const share = points.slice(place, place + equal.length).reduce((sum, one) => sum + one, 0) / equal.length;
    for (const seat of equal) {
      of.set(seat, share);
      ranks.set(seat, place + 1);
    }
    place += equal.length;
  }
  return [seats.map((seat) => Number(of.get(seat))), seats.map((seat) => ranks.get(seat))];
}

/**
 * Is the whole main program of a game: answers the referee on standard input and output until `quit`, and exits.
 *
 * What the game prints goes to standard error. A mistake of the game ends the program with exit code 1 and a message on
 * standard error, which the referee shows.
 *
 * @param {new () => Game} game
 * @returns {Promise<never>}
 */
export async function serve(game) {
  takeStandardOutput("console.error(...)");
  try {
    const program = new Program(game);
    for await (const line of linesOf(process.stdin)) {
      const answer = program.line(line);
      if (answer === null) {
        break;
      }
      writeLine(`${answer}\n`);
    }
  } catch (error) {
    if (/** @type {any} */ (error)?.code === "EPIPE") {
      process.exit(0); // The referee has ended.
    }
    const text = error instanceof GameError ? `botyard: ${error.message}` : error instanceof Error ? error.stack : error;
    process.stderr.write(`${text}\n`);
    process.exit(1);
  }
  process.exit(0);
}
