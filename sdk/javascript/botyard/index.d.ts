export { rulebook } from "./games.js";
export { Random } from "./random.js";
export { Rulebook } from "./rulebook.js";
/**
 * The type of `this.options` for declared options: see `options.js`.
 */
export type OptionValues<T extends Record<string, import("./options.js").Option<any>>> = import("./options.js").OptionValues<T>;
export type AnyBot = import("./bot.js").AnyBot;
export { Bot, Clock, Game, NoLegalActions, Outcome, Reading, Session, Turn, main, run, serve } from "./bot.js";
export { OptionError, boolOption, enumOption, floatOption, intOption, textOption } from "./options.js";
