// One drawing per game, by its name.
import { drawAnyGame } from "./any_game.js";
import { drawConnectFour } from "./connect_four.js";
import { drawDiceWars } from "./dice_wars.js";
import { drawDraughts } from "./draughts.js";
import { drawLiarsDice } from "./liars_dice.js";
import { drawScotlandYard } from "./scotland_yard.js";

const DRAWINGS = {
  "scotland-yard": drawScotlandYard,
  draughts: drawDraughts,
  "dice-wars": drawDiceWars,
  "connect-four": drawConnectFour,
  "liars-dice": drawLiarsDice,
};

// Makes the drawing of a game. It has
//
// * `element`, the board, and `side`, elements beside it;
// * `draw(index)`, which shows the position after a decision;
// * `describe(event)`, a sentence, and `label(event, turn)`, an entry of the list of moves;
// * perhaps `isReveal(index)`: whether something hidden was shown at this decision;
// * perhaps `isFine`: its places are small on a narrow screen; `about(index)`: the element that a
//   position is about;
// * perhaps `labels()`, the names of actions by their keys, and `offer` of `program_drawing.js`, where the drawing marks what
//   can be picked;
// * perhaps `spot(place, index)`: where a place that a bot names is, as `x`, `y`, the radius `r` of a circle on
//   it, and whether it `hasText` there;
// * perhaps `target(place)`: an element that covers a place of the board which a person can pick.
export function drawingOf(game) {
  const isKnown = Object.hasOwn(DRAWINGS, game.data.game) && game.views.some((view) => view !== null);
  return (isKnown ? DRAWINGS[game.data.game] : drawAnyGame)(game);
}
