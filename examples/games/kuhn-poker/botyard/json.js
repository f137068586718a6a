/** JSON as the kit writes and compares it. */

/**
 * Returns JSON as the referee accepts it: on one line, in ASCII. Half a surrogate pair becomes `?`.
 *
 * @param {unknown} value
 */
export function dumps(value) {
  const escaped = (/** @type {string} */ unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  // JSON.stringify writes half a pair as an escape, and all other characters beyond ASCII as they are.
  const text = JSON.stringify(value).replace(/\\\\|\\u[dD][89a-fA-F]../g, (found) => (found === "\\\\" ? found : "?"));
  return text.replace(/[\u007f-\uffff]/g, escaped);
}

/**
 * Returns the text of a value with the keys of all objects sorted: equal JSON has equal texts.
 *
 * @param {any} value
 * @returns {string}
 */
export function canonical(value) {
  return JSON.stringify(value, (_, item) =>
    item && typeof item === "object" && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
