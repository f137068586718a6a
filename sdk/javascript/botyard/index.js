/**
 * The JavaScript kit for Botyard bots.
 *
 * A bot is a subclass of `Bot` with a method `choose`; `main` connects it to the referee:
 *
 *     import { Bot, main } from "./botyard/index.js";
 *
 *     class Mine extends Bot {
 *       choose(turn) {
 *         return turn.random.choice(turn.legalActions());
 *       }
 *     }
 *
 *     main(Mine);
 *
 * Each game has a module with the types of its views and actions and with helper functions: `scotland-yard.js`,
 * `draughts.js`, `dice-wars.js`, `connect-four.js` and `liars-dice.js`.
 */

export { Bot, Clock, Game, NoLegalActions, Outcome, Reading, Session, Turn, main, run, serve } from "./bot.js";
export { rulebook } from "./games.js";
export { OptionError, boolOption, enumOption, floatOption, intOption, textOption } from "./options.js";
export { Random } from "./random.js";
export { Rulebook } from "./rulebook.js";

/**
 * The type of `this.options` for declared options: see `options.js`.
 *
 * @template {Record<string, import("./options.js").Option<any>>} T
 * @typedef {import("./options.js").OptionValues<T>} OptionValues
 */

/** @typedef {import("./bot.js").AnyBot} AnyBot */
