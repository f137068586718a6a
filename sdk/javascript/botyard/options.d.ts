/**
 * Declares an integer from `min` to `max`, both included.
 *
 * @param {number} value the default
 * @param {{ min: number, max: number } & About} more
 */
export function intOption(value: number, more: {
    min: number;
    max: number;
} & About): Option<number>;
/**
 * Declares a number from `min` to `max`, both included.
 *
 * @param {number} value the default
 * @param {{ min: number, max: number } & About} more
 */
export function floatOption(value: number, more: {
    min: number;
    max: number;
} & About): Option<number>;
/**
 * Declares one of the words in `values`.
 *
 * @template {string} T
 * @param {T} value the default
 * @param {{ values: readonly T[] } & About} more
 * @returns {Option<T>}
 */
export function enumOption<T extends string>(value: T, more: {
    values: readonly T[];
} & About): Option<T>;
/**
 * Declares an option that is `true` or `false`.
 *
 * @param {boolean} value the default
 * @param {About} [more]
 */
export function boolOption(value: boolean, more?: About): Option<boolean>;
/**
 * Declares any text.
 *
 * @param {string} value the default
 * @param {About} [more]
 */
export function textOption(value: string, more?: About): Option<string>;
/**
 * Returns the options that the class of a bot and its base classes declare, by field.
 *
 * @param {object} bot
 * @returns {Map<string, Option<any>>}
 */
export function declared(bot: object): Map<string, Option<any>>;
/**
 * Returns the options as `hello` declares them, by their names in the protocol.
 *
 * @param {object} bot
 */
export function specs(bot: object): Record<string, unknown>;
/**
 * Returns the values of all options when a match sets some of them: all others have their defaults.
 *
 * @param {object} bot
 * @param {Record<string, unknown>} set by name in the protocol
 * @returns {Record<string, any>} by field
 */
export function valuesOf(bot: object, set: Record<string, unknown>): Record<string, any>;
/**
 * The options of a bot: what a match may set, declared in the static field `options` of its class.
 *
 *     class Mine extends Bot {
 *       static options = { depth: intOption(3, { min: 1, max: 9, about: "plies to search" }) };
 *     }
 *
 * `this.options.depth` is the value that the match set, or the default. Options are set before `start` is called.
 */
/** The largest integer that the protocol allows. */
export const MAX_INT: number;
/** An option that the bot did not declare, or a value that it does not allow. */
export class OptionError extends Error {
}
/**
 * An option of a bot.
 */
export type Option<T> = {
    kind: "int" | "float" | "enum" | "bool" | "text";
    default: T;
    /**
     * one line on its effect
     */
    about: string;
    /**
     * its name in the protocol; that of the field if it is empty
     */
    name: string;
    /**
     * the fields of its kind in `hello`
     */
    bounds: Record<string, unknown>;
    /**
     * the allowed values, in words
     */
    expected: string;
    /**
     * whether a match may set this value
     */
    accepts: (value: unknown) => boolean;
};
export type About = {
    about?: string;
    name?: string;
};
/**
 * The values of declared options: `depth: number` for `depth: intOption(...)`. In TypeScript
 * `declare options: OptionValues<typeof Mine.options>` gives `this.options` its type.
 */
export type OptionValues<T extends Record<string, Option<any>>> = { [K in keyof T]: T[K] extends Option<infer V> ? V : never; } & {
    seed: number;
};
