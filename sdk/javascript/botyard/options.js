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
export const MAX_INT = 2 ** 53;

/** An option that the bot did not declare, or a value that it does not allow. */
export class OptionError extends Error {
  name = "OptionError";
}

/**
 * An option of a bot.
 *
 * @template T
 * @typedef {object} Option
 * @property {"int" | "float" | "enum" | "bool" | "text"} kind
 * @property {T} default
 * @property {string} about one line on its effect
 * @property {string} name its name in the protocol; that of the field if it is empty
 * @property {Record<string, unknown>} bounds the fields of its kind in `hello`
 * @property {string} expected the allowed values, in words
 * @property {(value: unknown) => boolean} accepts whether a match may set this value
 */

/** @typedef {{ about?: string, name?: string }} About */

/**
 * The values of declared options: `depth: number` for `depth: intOption(...)`. In TypeScript
 * `declare options: OptionValues<typeof Mine.options>` gives `this.options` its type.
 *
 * @template {Record<string, Option<any>>} T
 * @typedef {{ [K in keyof T]: T[K] extends Option<infer V> ? V : never } & { seed: number }} OptionValues
 */

/**
 * @template T
 * @param {Option<T>["kind"]} kind
 * @param {T} value
 * @param {About} more
 * @param {Record<string, unknown>} bounds
 * @param {string} expected
 * @param {(value: any) => boolean} accepts
 * @returns {Option<T>}
 */
function option(kind, value, more, bounds, expected, accepts) {
  if (!accepts(value)) {
    throw new OptionError(`default: expected ${expected}, got ${JSON.stringify(value)}`);
  }
  return { kind, default: value, about: more.about ?? "", name: more.name ?? "", bounds, expected, accepts };
}

/**
 * Declares an integer from `min` to `max`, both included.
 *
 * @param {number} value the default
 * @param {{ min: number, max: number } & About} more
 */
export function intOption(value, more) {
  const { min, max } = more;
  const accepts = (/** @type {any} */ value) => Number.isInteger(value) && min <= value && value <= max;
  return option("int", value, more, { min, max }, `an integer from ${min} to ${max}`, accepts);
}

/**
 * Declares a number from `min` to `max`, both included.
 *
 * @param {number} value the default
 * @param {{ min: number, max: number } & About} more
 */
export function floatOption(value, more) {
  const { min, max } = more;
  const accepts = (/** @type {any} */ value) => Number.isFinite(value) && min <= value && value <= max;
  return option("float", value, more, { min, max }, `a number from ${min} to ${max}`, accepts);
}

/**
 * Declares one of the words in `values`.
 *
 * @template {string} T
 * @param {T} value the default
 * @param {{ values: readonly T[] } & About} more
 * @returns {Option<T>}
 */
export function enumOption(value, more) {
  const values = [...more.values];
  return option("enum", value, more, { values }, `one of ${values.join(", ")}`, (value) => values.includes(value));
}

/**
 * Declares an option that is `true` or `false`.
 *
 * @param {boolean} value the default
 * @param {About} [more]
 */
export function boolOption(value, more = {}) {
  return option("bool", value, more, {}, "true or false", (value) => typeof value === "boolean");
}

/**
 * Declares any text.
 *
 * @param {string} value the default
 * @param {About} [more]
 */
export function textOption(value, more = {}) {
  return option("text", value, more, {}, "a text", (value) => typeof value === "string");
}

/**
 * Returns the options that the class of a bot and its base classes declare, by field.
 *
 * @param {object} bot
 * @returns {Map<string, Option<any>>}
 */
export function declared(bot) {
  /** @type {Record<string, Option<any>>[]} */
  const found = [];
  for (let cls = bot.constructor; typeof cls === "function"; cls = Object.getPrototypeOf(cls)) {
    if (Object.hasOwn(cls, "options")) {
      found.unshift(/** @type {any} */ (cls).options);
    }
  }
  return new Map(found.flatMap((options) => Object.entries(options)));
}

/**
 * Returns the options as `hello` declares them, by their names in the protocol.
 *
 * @param {object} bot
 */
export function specs(bot) {
  /** @type {Record<string, unknown>} */
  const specs = {};
  for (const [field, option] of declared(bot)) {
    const about = option.about ? { about: option.about } : {};
    specs[option.name || field] = { kind: option.kind, ...option.bounds, default: option.default, ...about };
  }
  return specs;
}

/**
 * Returns the values of all options when a match sets some of them: all others have their defaults.
 *
 * @param {object} bot
 * @param {Record<string, unknown>} set by name in the protocol
 * @returns {Record<string, any>} by field
 */
export function valuesOf(bot, set) {
  /** @type {Record<string, any>} */
  const values = {};
  const fields = new Map();
  for (const [field, option] of declared(bot)) {
    values[field] = option.default;
    fields.set(option.name || field, [field, option]);
  }
  for (const [name, value] of Object.entries(set)) {
    if (!fields.has(name)) {
      const known = [...fields.keys()].sort().join(", ") || "none";
      throw new OptionError(`there is no option ${name}; the options of this bot are: ${known}`);
    }
    const [field, option] = fields.get(name);
    if (!option.accepts(value)) {
      throw new OptionError(`option ${name}: expected ${option.expected}, got ${JSON.stringify(value)}`);
    }
    values[field] = value;
  }
  return values;
}
