/** The games that the kit knows. A new game is a module with a `Rulebook`, and a line here. */

import { ConnectFour } from "./connect-four.js";
import { DiceWars } from "./dice-wars.js";
import { Draughts } from "./draughts.js";
import { LiarsDice } from "./liars-dice.js";
import { Rulebook } from "./rulebook.js";
import { ScotlandYard } from "./scotland-yard.js";

/** @type {(new (rules: any, setup: any) => Rulebook)[]} */
const GAMES = [ConnectFour, DiceWars, Draughts, LiarsDice, ScotlandYard];

/**
 * Returns the kit's class for a game under these rules; `null` if the kit does not know the game.
 *
 * @param {string} game
 * @param {any} rules
 * @param {any} setup
 * @returns {Rulebook | null}
 */
export function rulebook(game, rules, setup) {
  const known = GAMES.find((one) => /** @type {any} */ (one).NAME === game);
  return known ? new known(rules, setup) : null;
}
