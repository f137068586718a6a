/**
 * Returns the lines that the bot in a seat was sent: those of `botyard replay stdin`.
 *
 * @param {string} file a replay, or a file with the output of that command
 * @param {string} seat
 * @param {string} [botyard] the program
 */
export function sentLines(file: string, seat: string, botyard?: string): string[];
/**
 * Returns the recorded actions of a replay, by the number of the decision; none for another kind of file.
 *
 * @param {string} file
 */
export function recordedActions(file: string): Map<any, any>;
/**
 * Runs the command line of this module. Returns the exit code.
 *
 * @param {import("./bot.js").AnyBot} bot
 * @param {string[]} args
 */
export function replay(bot: import("./bot.js").AnyBot, args: string[]): Promise<0 | 1>;
