/**
 * Dice Wars: the types of its views and actions, exact chances of battles, regions, and what an attack leads to.
 *
 * `DiceWars` is the game under one set of rules. Functions that change a view return a copy. The rules and the JSON are
 * described in `docs/games/dice-wars.md`.
 */

import { Rulebook } from "./rulebook.js";

/** The most dice on an area. */
export const MAX_DICE = 8;

/** The most new dice after a turn. */
export const MAX_NEW_DICE = 64;

export const END_TURN = "end_turn";

/**
 * Two areas, from and to.
 *
 * @typedef {[number, number]} Pair
 */

/** @typedef {{ attack: Pair } | { transfer: Pair } | "end_turn"} Action */

/**
 * All of a state; all seats see the same. Area n is at `[n - 1]`, and so is player n.
 *
 * @typedef {object} View
 * @property {number} to_move
 * @property {number[]} owners
 * @property {number[]} dice
 * @property {number[][]} adjacent
 * @property {number[]} reserves
 * @property {number[]} regions
 * @property {(number | null)[]} places
 * @property {number} transfers_left
 * @property {number} turns
 * @property {number} battles
 * @property {number} quiet_turns
 * @property {Pair} [battle]
 * @property {boolean} [reinforcement]
 * @property {string} [over]
 */

/** @typedef {{ id: number, adjacent: number[], cells: Pair[] }} Area */

/**
 * What never changes in a game: the map, and the first owners and dice.
 *
 * @typedef {{ map: { areas: Area[] }, owners: number[], dice: number[] }} Setup
 */

/**
 * Returns in how many rolls the dice have each sum.
 *
 * @param {number} dice
 */
function sumsOf(dice) {
  let rolls = [1];
  for (let die = 0; die < dice; die++) {
    const longer = new Array(rolls.length + 6).fill(0);
    rolls.forEach((count, pips) => {
      for (let face = 1; face <= 6; face++) {
        longer[pips + face] += count;
      }
    });
    rolls = longer;
  }
  return rolls;
}

/**
 * @param {number} attacker
 * @param {number} defender
 */
function probabilityOf(attacker, defender) {
  const theirs = sumsOf(defender);
  let below = 0;
  let wins = 0;
  // All counts are integers below 6 ** 16, so the sums are exact.
  sumsOf(attacker).forEach((count, pips) => {
    wins += count * below;
    below += theirs[pips] ?? 0;
  });
  return wins / 6 ** (attacker + defender);
}

/** `WIN[a][d]`: the probability that `a` dice win against `d`, 1 to 8 each. */
export const WIN = Array.from({ length: MAX_DICE + 1 }, (_, a) =>
  Array.from({ length: MAX_DICE + 1 }, (_, d) => (a && d ? probabilityOf(a, d) : 0)),
);

/**
 * Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact.
 *
 * @param {number} attacker
 * @param {number} defender
 */
export function winProbability(attacker, defender) {
  return WIN[attacker][defender];
}

/**
 * Returns the number of the player in a seat: 2 for `player-2`.
 *
 * @param {string} seat
 */
export function player(seat) {
  return Number(seat.slice("player-".length));
}

/** The game under one set of rules. */
export class DiceWars extends Rulebook {
  static NAME = "dice-wars";

  /**
   * @param {Record<string, any>} [rules]
   * @param {Setup} [setup]
   */
  constructor(rules = {}, setup) {
    super();
    this.rules = rules;
    /** @private */
    this._wear = rules.wear ?? 0;
    /** @private */
    this._maxBattles = rules.max_battles ?? 0;
    /** @private */
    this._transfersBreakQuiet = rules.transfers_break_quiet ?? false;
  }

  /**
   * Returns the legal actions of the player to move: attacks, transfers, and the end of the turn.
   *
   * @param {View} view
   * @returns {Action[]}
   */
  legal(view) {
    if (view.over || view.battle || view.reinforcement) {
      return [];
    }
    return [
      ...this.attacks(view).map((attack) => ({ attack })),
      ...this.transfers(view).map((transfer) => ({ transfer })),
      END_TURN,
    ];
  }

  /**
   * Returns the attacks that a player (the one to move by default) has, from and to, ascending.
   *
   * @param {View} view
   * @param {number} player
   */
  attacks(view, player = view.to_move) {
    return pairsOf(view, player, (to) => view.owners[to - 1] !== player);
  }

  /**
   * Returns the transfers of the player to move, from and to, ascending.
   *
   * @param {View} view
   */
  transfers(view) {
    if (view.transfers_left === 0) {
      return [];
    }
    const { owners, dice, to_move } = view;
    return pairsOf(view, to_move, (to) => owners[to - 1] === to_move && dice[to - 1] < MAX_DICE);
  }

  /**
   * Returns the connected regions of a player, the one with the lowest area first, each ascending.
   *
   * @param {View} view
   * @param {number} player
   */
  regions(view, player) {
    return regionsOf(view.owners, view.adjacent, player);
  }

  /**
   * Returns the largest connected region of a player; of several, that with the area of the lowest number.
   *
   * @param {View} view
   * @param {number} player
   */
  largestRegion(view, player) {
    return this.regions(view, player).reduce((best, region) => (region.length > best.length ? region : best), []);
  }

  /**
   * Returns how many dice a player would get if its turn ended now, those of its reserve included.
   *
   * @param {View} view
   * @param {number} player
   */
  newDice(view, player) {
    return Math.min(view.reserves[player - 1] + view.regions[player - 1], MAX_NEW_DICE);
  }

  /**
   * Returns the view after an attack that was won or lost.
   *
   * @param {View} view
   * @param {number} from
   * @param {number} to
   * @param {boolean} won
   */
  afterAttack(view, from, to, won) {
    const after = copyOf(view);
    const { owners, dice } = after;
    const [winner, loser] = [owners[from - 1], owners[to - 1]];
    if (won) {
      owners[to - 1] = winner;
      dice[to - 1] = dice[from - 1] - 1;
    } else {
      const wear = this._wear ? Math.floor(dice[from - 1] / this._wear) : 0;
      dice[to - 1] = Math.max(dice[to - 1] - wear, 1);
    }
    dice[from - 1] = 1;
    after.battles += 1;
    after.quiet_turns = 0;
    if (won) {
      for (const who of [winner, loser]) {
        after.regions[who - 1] = this.largestRegion(after, who).length;
      }
      if (!owners.includes(loser)) {
        eliminate(after, loser);
      }
    }
    if (!after.over && this._maxBattles && after.battles >= this._maxBattles) {
      after.over = "max_battles";
    }
    return after;
  }

  /**
   * Returns the view after a transfer.
   *
   * @param {View} view
   * @param {number} from
   * @param {number} to
   */
  afterTransfer(view, from, to) {
    const after = copyOf(view);
    const moved = Math.min(MAX_DICE - after.dice[to - 1], after.dice[from - 1] - 1);
    after.dice[from - 1] -= moved;
    after.dice[to - 1] += moved;
    after.transfers_left -= 1;
    if (this._transfersBreakQuiet) {
      after.quiet_turns = 0;
    }
    return after;
  }

  /**
   * Returns the view after an attack whose end is drawn with its exact chances.
   *
   * @param {View} view
   * @param {number} from
   * @param {number} to
   * @param {import("./random.js").Random} random
   */
  attackAtRandom(view, from, to, random) {
    const chance = WIN[view.dice[from - 1]][view.dice[to - 1]];
    return this.afterAttack(view, from, to, random.next() < chance);
  }

  /**
   * Returns the probability that an area of a player with these dice withstands one attack by each neighbour that is
   * another player's and has more than one die.
   *
   * @param {View} view
   * @param {number} area
   * @param {number} dice
   * @param {number} player
   */
  holdProbability(view, area, dice, player) {
    let hold = 1;
    for (const other of view.adjacent[area - 1]) {
      if (view.owners[other - 1] !== player && view.dice[other - 1] > 1) {
        hold *= 1 - WIN[view.dice[other - 1]][dice];
      }
    }
    return hold;
  }
}

/**
 * @param {View} view
 * @param {number} player
 * @param {(to: number) => boolean} allowed
 */
function pairsOf(view, player, allowed) {
  /** @type {Pair[]} */
  const pairs = [];
  view.owners.forEach((owner, n) => {
    if (owner === player && view.dice[n] > 1) {
      for (const to of view.adjacent[n]) {
        if (allowed(to)) {
          pairs.push([n + 1, to]);
        }
      }
    }
  });
  return pairs;
}

/**
 * @param {View} view
 * @returns {View}
 */
function copyOf(view) {
  const { owners, dice, regions, places } = view;
  return { ...view, owners: [...owners], dice: [...dice], regions: [...regions], places: [...places] };
}

/**
 * @param {number[]} owners
 * @param {number[][]} adjacent
 * @param {number} player
 */
function regionsOf(owners, adjacent, player) {
  const seen = new Set();
  /** @type {number[][]} */
  const regions = [];
  owners.forEach((owner, n) => {
    if (owner !== player || seen.has(n + 1)) {
      return;
    }
    const region = [n + 1];
    seen.add(n + 1);
    for (const at of region) {
      for (const to of adjacent[at - 1]) {
        if (owners[to - 1] === player && !seen.has(to)) {
          seen.add(to);
          region.push(to);
        }
      }
    }
    regions.push(region.sort((a, b) => a - b));
  });
  return regions;
}

/**
 * @param {View} view
 * @param {number} player
 */
function eliminate(view, player) {
  const { places, owners } = view;
  const open = () => places.filter((place) => place === null).length;
  places[player - 1] ??= open();
  if (open() === 1) {
    const last = places.indexOf(null) + 1;
    view.over = owners.every((owner) => owner === last) ? "conquest" : "forfeit";
  }
}
