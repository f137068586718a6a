/** Plays every game, choosing any of the legal actions. The smallest bot. */

import { Bot, main } from "../botyard/index.js";

export class Legal extends Bot {
  /** @override @param {import("../botyard/index.js").Turn} turn */
  choose(turn) {
    return turn.random.choice(turn.legalActions());
  }
}

main(Legal);
