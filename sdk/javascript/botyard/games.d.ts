/**
 * Returns the kit's class for a game under these rules; `null` if the kit does not know the game.
 *
 * @param {string} game
 * @param {any} rules
 * @param {any} setup
 * @returns {Rulebook | null}
 */
export function rulebook(game: string, rules: any, setup: any): Rulebook | null;
import { Rulebook } from "./rulebook.js";
