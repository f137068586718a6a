/**
 * Yields the lines of a stream, without their newlines.
 *
 * @param {AsyncIterable<Uint8Array | string>} input
 * @returns {AsyncGenerator<string>}
 */
export function linesOf(input: AsyncIterable<Uint8Array | string>): AsyncGenerator<string>;
/** Writes what was held back: this is no program that speaks a protocol. */
export function release(): void;
/**
 * Has everything that is written to `process.stdout` go to standard error, with one warning.
 *
 * @param {string} instead what the warning recommends
 */
export function takeStandardOutput(instead: string): void;
/**
 * Writes a line to standard output, all of it, before it returns.
 *
 * @param {string} line
 */
export function writeLine(line: string): void;
