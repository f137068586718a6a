/** The standard streams of a program that speaks a protocol over them. */

import fs from "node:fs";

/**
 * Yields the lines of a stream, without their newlines.
 *
 * @param {AsyncIterable<Uint8Array | string>} input
 * @returns {AsyncGenerator<string>}
 */
export async function* linesOf(input) {
  /** @type {Uint8Array[]} */
  let parts = [];
  for await (const chunk of input) {
    let rest = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    for (let end = rest.indexOf(10); end >= 0; end = rest.indexOf(10)) {
      yield Buffer.concat([...parts, rest.subarray(0, end)]).toString("utf8");
      parts = [];
      rest = rest.subarray(end + 1);
    }
    parts.push(rest);
  }
  const last = Buffer.concat(parts).toString("utf8");
  if (last.trim()) {
    yield last;
  }
}

// What is printed between the import of the kit and `main` is held back: it belongs to standard error if this turns
// out to be a program that speaks a protocol, and to standard output otherwise. If it does not begin to do so while the
// modules are evaluated, this is another program that imports the kit.
const writeOut = process.stdout.write;
/** @type {any[][] | null} */
let held = [];
process.stdout.write = (/** @type {any[]} */ ...args) => {
  if (held) {
    held.push(args);
    return true;
  }
  return writeOut.apply(process.stdout, /** @type {any} */ (args));
};
setImmediate(release);
process.once("exit", release);

/** Writes what was held back: this is no program that speaks a protocol. */
export function release() {
  const printed = held ?? [];
  if (held) {
    held = null;
    process.stdout.write = writeOut;
  }
  for (const args of printed) {
    process.stdout.write(.../** @type {[any]} */ (args));
  }
}

/**
 * Has everything that is written to `process.stdout` go to standard error, with one warning.
 *
 * @param {string} instead what the warning recommends
 */
export function takeStandardOutput(instead) {
  const printed = held ?? [];
  held = null;
  let warned = false;
  process.stdout.write = (/** @type {any[]} */ ...args) => {
    if (!warned) {
      warned = true;
      process.stderr.write(
        "botyard: standard output belongs to the protocol; what you print goes to standard error. " +
          `Use ${instead}\n`,
      );
    }
    return process.stderr.write(.../** @type {[any]} */ (args));
  };
  for (const args of printed) {
    process.stdout.write(.../** @type {[any]} */ (args));
  }
}

/**
 * Writes a line to standard output, all of it, before it returns.
 *
 * @param {string} line
 */
export function writeLine(line) {
  const data = Buffer.from(line, "latin1");
  for (let at = 0; at < data.length; ) {
    try {
      at += fs.writeSync(1, data, at);
    } catch (error) {
      if (/** @type {any} */ (error).code !== "EAGAIN") {
        throw error;
      }
      // A full pipe: wait a millisecond.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1);
    }
  }
}
