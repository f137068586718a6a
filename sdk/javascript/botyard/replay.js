/**
 * Runs a bot on a recorded game: `node bot.mjs --replay FILE --seat SEAT [--turn N]`.
 *
 * The bot is sent what it was sent in the game, and each of its choices is printed beside the recorded one. Standard
 * input and output are the terminal's, so `console.log` and every debugger work: `node inspect bot.mjs --replay ...
 * --turn N` stops before the decision.
 */

import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { performance } from "node:perf_hooks";
import { gunzipSync } from "node:zlib";
import { Session, canonical, dumps, trace } from "./bot.js";

/** Something that the command line or the file lacks, for its author. */
class Usage extends Error {}

const USAGE = `usage: node BOT.mjs --replay FILE [--seat SEAT] [--turn N] [--option KEY=VALUE]... [--botyard PATH]

Run this bot on a recorded game.

  --replay FILE       replay, or output of \`botyard replay stdin\`
  --seat SEAT         seat of the bot: its name, or its number from 1 (default: 1)
  --turn N            ask for decision N only; a debugger stops before it
  --option KEY=VALUE  set an option of the bot
  --botyard PATH      the program botyard
`;

/**
 * Returns the lines of a file, which may be compressed by gzip.
 *
 * @param {string} file
 * @returns {string[]}
 */
function readLines(file) {
  const data = fs.readFileSync(file);
  const compressed = data[0] === 0x1f && data[1] === 0x8b;
  return (compressed ? gunzipSync(data) : data).toString("utf8").split("\n").filter(Boolean);
}

/**
 * Returns the lines that the bot in a seat was sent: those of `botyard replay stdin`.
 *
 * @param {string} file a replay, or a file with the output of that command
 * @param {string} seat
 * @param {string} [botyard] the program
 */
export function sentLines(file, seat, botyard) {
  const lines = readLines(file);
  if (lines.length > 0 && JSON.parse(lines[0]).type !== "header") {
    return lines;
  }
  const program = botyard || process.env.BOTYARD || "botyard";
  const found = spawnSync(program, ["replay", "stdin", file, "--seat", seat], {
    encoding: "utf8",
    maxBuffer: 2 ** 30,
    stdio: ["ignore", "pipe", "inherit"],
  });
  if (found.error) {
    const code = /** @type {any} */ (found.error).code;
    if (code !== "ENOENT" && code !== "EACCES") {
      throw found.error;
    }
    throw new Usage(
      `cannot start the program ${program}, which reads replays: name it by --botyard PATH or the environment ` +
        "variable BOTYARD, or give --replay the output of `botyard replay stdin FILE --seat SEAT`",
    );
  }
  if (found.status !== 0) {
    throw new Usage(`${program} replay stdin failed`);
  }
  return found.stdout.split("\n").filter(Boolean);
}

/**
 * Returns the recorded actions of a replay, by the number of the decision; none for another kind of file.
 *
 * @param {string} file
 */
export function recordedActions(file) {
  const messages = readLines(file).map((line) => JSON.parse(line));
  if (messages[0]?.type !== "header") {
    return new Map();
  }
  return new Map(messages.filter(({ type }) => type === "move").map(({ turn, action }) => [turn, action]));
}

/** A session that prints what the bot chooses. */
class Replaying extends Session {
  /**
   * @param {import("./bot.js").AnyBot} bot
   * @param {Map<number, any>} recorded
   * @param {number | null} only
   */
  constructor(bot, recorded, only) {
    super(bot, (line) => this.answer(line));
    this.recorded = recorded;
    this.only = only;
    this.millis = 0;
    this.asked = 0;
    this.different = 0;
  }

  /**
   * @override
   * @param {string} line
   */
  async handle(line) {
    const message = JSON.parse(line);
    if (this.only !== null && message.type === "turn" && message.turn !== this.only) {
      return true;
    }
    return super.handle(line);
  }

  /**
   * @override
   * @param {import("./bot.js").Turn} turn
   */
  async choose(turn) {
    const began = performance.now();
    try {
      if (this.only !== null) {
        debugger; // Step into choose() on the next line. Without a debugger this does nothing.
        return await this.bot.choose(turn);
      }
      return await this.bot.choose(turn);
    } finally {
      this.millis = performance.now() - began;
    }
  }

  /** @param {string} line */
  answer(line) {
    const message = JSON.parse(line);
    if (message.type === "log") {
      console.log(`  log: ${message.text}`);
    }
    if (message.type !== "move") {
      return;
    }
    const { turn, action } = message;
    this.asked += 1;
    let text = `turn ${turn}: ${dumps(action)}`;
    if (this.recorded.has(turn)) {
      const same = canonical(this.recorded.get(turn)) === canonical(action);
      this.different += same ? 0 : 1;
      text += same ? "  as recorded" : `  recorded: ${dumps(this.recorded.get(turn))}`;
    }
    console.log(`${text}  (${(this.millis / 1000).toFixed(3)} s)`);
    if (message.info) {
      console.log(`  info: ${dumps(message.info)}`);
    }
  }
}

/**
 * Returns the arguments of this command line; those that the kit does not know are the bot's.
 *
 * @param {string[]} args
 */
function parse(args) {
  /** @type {{ replay: string, seat: string, turn: number | null, botyard?: string, options: Record<string, any> }} */
  const parsed = { replay: "", seat: "1", turn: null, options: {} };
  for (let at = 0; at < args.length; at++) {
    const [, name, , inline] = /^--(replay|seat|turn|option|botyard)(=(.*))?$/s.exec(args[at]) ?? [];
    if (!name) {
      continue;
    }
    const value = inline ?? args[++at];
    if (value === undefined || (name === "turn" && !/^\d+$/.test(value))) {
      throw new Usage(`--${name} needs ${name === "turn" ? "a number" : "a value"}\n${USAGE}`);
    }
    if (name === "option") {
      const [key, ...rest] = value.split("=");
      try {
        parsed.options[key] = JSON.parse(rest.join("="));
      } catch {
        parsed.options[key] = rest.join("=");
      }
    } else if (name === "turn") {
      parsed.turn = Number(value);
    } else {
      parsed[/** @type {"replay" | "seat" | "botyard"} */ (name)] = value;
    }
  }
  return parsed;
}

/**
 * Runs the command line of this module. Returns the exit code.
 *
 * @param {import("./bot.js").AnyBot} bot
 * @param {string[]} args
 */
export async function replay(bot, args) {
  if (args.includes("--help") || args.includes("-h")) {
    console.log(USAGE);
    return 0;
  }
  try {
    return await replayed(bot, parse(args));
  } catch (error) {
    console.error(error instanceof Usage ? error.message : trace(error));
    return 1;
  }
}

/**
 * @param {import("./bot.js").AnyBot} bot
 * @param {ReturnType<typeof parse>} args
 */
async function replayed(bot, args) {
  const lines = sentLines(args.replay, args.seat, args.botyard);
  const recorded = recordedActions(args.replay);
  const session = new Replaying(bot, recorded, args.turn);
  for (let line of lines) {
    const message = JSON.parse(line);
    if (message.type === "start") {
      line = dumps({ ...message, options: { ...message.options, ...args.options } });
    }
    if (!(await session.handle(line))) {
      break;
    }
  }
  if (args.turn !== null && session.asked === 0) {
    const turns = lines.map((line) => JSON.parse(line)).filter((message) => message.type === "turn");
    const known = turns.length > 0
      ? `: its first is ${turns[0].turn}, its last ${turns[turns.length - 1].turn}`
      : ", which was never to move";
    console.error(`there is no decision ${args.turn} of this seat${known}`);
    return 1;
  }
  console.log(`${session.asked} decisions${recorded.size > 0 ? `, ${session.different} differ from the record` : ""}`);
  return 0;
}
