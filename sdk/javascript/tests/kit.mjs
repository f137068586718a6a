/** What the tests share: a referee's side of a conversation. */

import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { serve } from "../botyard/index.js";

/** @typedef {Record<string, any>} Json */

export const ROOT = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
export const VECTORS = path.join(ROOT, "..", "vectors");
export const KIT = path.join(ROOT, "botyard", "index.js");

export const HELLO = { type: "hello", protocol: 1, limits: { line_bytes: 65536 }, unknown: [1] };
export const QUIT = { type: "quit" };

/** @param {string} game @param {Json} fields */
export function start(game = "any", fields = {}) {
  return { type: "start", game_id: "7-1", game, seats: ["a", "b"], you: ["a"], ...fields };
}

/** @param {number} number @param {any} legal @param {Json} fields */
export function turn(number, legal = undefined, fields = {}) {
  const clock = { kind: "wall", move_ms: 1000, bank_ms: null, increment_ms: 0 };
  return { type: "turn", turn: number, seat: "a", view: {}, clock, ...(legal ? { legal } : {}), ...fields };
}

export function end() {
  const outcome = { kind: "completed", scores: [1.0, 0.0], ranks: [1, 2], reason: "won" };
  return { type: "end", outcome, faults: [], reveal: {} };
}

/** @param {Json[]} messages */
export function lines(...messages) {
  return messages.map((message) => `${JSON.stringify(message)}\n`).join("");
}

/**
 * Returns what a bot says to these messages, in memory.
 *
 * @param {any} bot
 * @param {Json[]} messages
 */
export async function conversation(bot, ...messages) {
  let said = "";
  await serve(bot, (async function* () { yield lines(...messages); })(), (line) => { said += line; });
  return messagesOf(said);
}

/** @param {string} text @returns {any[]} */
export function messagesOf(text) {
  return text.split("\n").filter(Boolean).map((line) => JSON.parse(line));
}

/**
 * Returns what is written to standard error meanwhile.
 *
 * @param {() => Promise<any>} action
 */
export async function errorsOf(action) {
  const { write } = process.stderr;
  let errors = "";
  process.stderr.write = (/** @type {any} */ text) => { errors += text; return true; };
  try {
    await action();
  } finally {
    process.stderr.write = write;
  }
  return errors;
}

/**
 * Runs the source text of a bot as a program that imports the kit.
 *
 * @param {string} source
 * @param {Json[]} messages
 */
export function run(source, ...messages) {
  const program = `import { Bot, main } from ${JSON.stringify(KIT)};\n${source}`;
  const args = ["--input-type=module", "-e", program];
  return spawnSync(process.execPath, args, { input: lines(...messages), encoding: "utf8", timeout: 60_000 });
}
