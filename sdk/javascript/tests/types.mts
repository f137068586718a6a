// What the declarations promise: checked by `tsc`, not run.

import { Bot, intOption, main, type OptionValues, type Turn } from "../botyard/index.js";
import { Draughts, captured, type Action, type View } from "../botyard/draughts.js";

class Mine extends Bot<View, Action> {
  static options = { depth: intOption(4, { min: 1, max: 9 }) };
  declare options: OptionValues<typeof Mine.options>;
  games = ["draughts"];
  rules = new Draughts();

  choose(turn: Turn<View, Action>): Action {
    const depth: number = this.options.depth + this.options.seed;
    turn.info({ depth });
    // @ts-expect-error: the board is a string
    const board: number = turn.view.board;
    // @ts-expect-error: there is no such option
    const width = this.options.width;
    return turn.legalActions().sort((a, b) => captured(b).length - captured(a).length)[0];
  }
}

main(Mine);
