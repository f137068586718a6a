/** JSON as the kit writes and compares it. */
/**
 * Returns JSON as the referee accepts it: on one line, in ASCII. Half a surrogate pair becomes `?`.
 *
 * @param {unknown} value
 */
export function dumps(value: unknown): string;
/**
 * Returns the text of a value with the keys of all objects sorted: equal JSON has equal texts.
 *
 * @param {any} value
 * @returns {string}
 */
export function canonical(value: any): string;
