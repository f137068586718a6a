/**
 * Scotland Yard: the types of its views and actions, and what every bot of it needs.
 *
 * `ScotlandYard` is the game under one set of rules on one board: the neighbours of a station, distances with given
 * tickets, the stations where Mr. X can be, and the legal actions of a view. The rules and the JSON are described in
 * `docs/games/scotland-yard.md`.
 */

import { Rulebook } from "./rulebook.js";

/** @typedef {"taxi" | "bus" | "underground"} Fare */

/** @typedef {Fare | "ferry"} Kind */

/** @typedef {Fare | "black"} Ticket */

/**
 * The tickets that a detective may hold. Each pays for the edges of the same kind.
 *
 * @type {readonly Fare[]}
 */
export const FARES = ["taxi", "bus", "underground"];

/**
 * The kinds of edges, in the order in which actions are listed.
 *
 * @type {readonly Kind[]}
 */
export const KINDS = [...FARES, "ferry"];

export const BLACK = "black";

/**
 * Counted tickets.
 *
 * @typedef {Record<Fare, number>} Tickets
 */

/**
 * What never changes in a game. `width` and `height` are there on grids only, `coordinates` on London's map only.
 *
 * @typedef {object} Setup
 * @property {number} stations
 * @property {[number, number, Kind][]} edges
 * @property {number} [width]
 * @property {number} [height]
 * @property {number[]} mr_x_starts
 * @property {number[]} detective_starts
 * @property {[number, number][]} [coordinates]
 */

/**
 * Mr. X as a seat sees him.
 *
 * @typedef {{ station: number | null, tickets: Tickets | null, black: number, double: number }} MrX
 */

/**
 * A detective: `tickets` is `null` where they are unlimited.
 *
 * @typedef {{ station: number | null, tickets: Tickets | null, moved: boolean }} Detective
 */

/**
 * A step of Mr. X's.
 *
 * @typedef {{ ticket: Ticket, station: number | null, reveal: boolean, detectives: (number | null)[] }} LogEntry
 */

/**
 * A step. `detective` is there in the detectives' actions, `double` in the first half of a double move.
 *
 * @typedef {{ ticket: Ticket, to: number, detective?: number, double?: boolean }} Action
 */

/**
 * All that a seat may know.
 *
 * @typedef {object} View
 * @property {number} round
 * @property {string | null} to_move
 * @property {boolean} second_leg
 * @property {MrX} mr_x
 * @property {Detective[]} detectives
 * @property {LogEntry[]} log
 * @property {number[]} [candidates]
 * @property {{ first: Action, second: Action[] }[]} [double_moves]
 * @property {string | number[]} [mr_x_starts]
 * @property {string} [over]
 */

/** The game under one set of rules. */
export class ScotlandYard extends Rulebook {
  static NAME = "scotland-yard";

  /**
   * @param {Record<string, any>} rules
   * @param {Setup} setup
   */
  constructor(rules, setup) {
    super();
    this.rules = rules;
    this.setup = setup;
    /** The number of stations, which are numbered from 1. */
    this.stations = setup.stations;
    /** @private */
    this._xMayBlunder = rules.x_onto_detective === "loses";
    /** @private */
    this._nobodyFollows = rules.agent_collision === "pre_move_strict";
    /** @private */
    this._fixedOrder = rules.order === "fixed";
    /** @private */
    this._mostMoves = rules.limit_unit === "x_moves" ? rules.limit ?? 0 : Infinity;
    const byKind = (/** @type {[Kind, number]} */ [a, m], /** @type {[Kind, number]} */ [b, n]) =>
      KINDS.indexOf(a) - KINDS.indexOf(b) || m - n;
    /**
     * @private
     * @type {[Kind, number][][]}
     */
    this._steps = Array.from({ length: this.stations + 1 }, () => []);
    for (const [a, b, kind] of setup.edges) {
      this._steps[a].push([kind, b]);
      if (a !== b) {
        this._steps[b].push([kind, a]);
      }
    }
    this._steps.forEach((steps) => steps.sort(byKind));
    /** @private */
    this._neighbours = this._steps.map((steps) => [...new Set(steps.map(([, to]) => to))].sort((a, b) => a - b));
    /**
     * @private
     * @type {Map<string, number[][]>}
     */
    this._tables = new Map();
  }

  /**
   * Returns the edges at a station as pairs of the kind and the other end, by kind and then by station.
   *
   * @param {number} station
   */
  steps(station) {
    return this._steps[station];
  }

  /**
   * Returns the stations that a ticket leads to, ascending. A black ticket leads along every edge.
   *
   * @param {number} station
   * @param {Ticket} ticket
   */
  neighbours(station, ticket = BLACK) {
    if (ticket === BLACK) {
      return this._neighbours[station];
    }
    return this._steps[station].filter(([kind]) => kind === ticket).map(([, to]) => to);
  }

  /**
   * Returns the number of moves from a station to every other along edges of these kinds.
   *
   * The distance to station n is at `[n]`; -1 where there is no way. The lists of all stations are computed at the first
   * call for these kinds, so make it in `start`.
   *
   * @param {number} station
   * @param {readonly Kind[]} kinds
   */
  distances(station, kinds = FARES) {
    const key = KINDS.filter((kind) => kinds.includes(kind)).join();
    let table = this._tables.get(key);
    if (!table) {
      table = this._steps.map((_, start) => this._search(start, kinds));
      this._tables.set(key, table);
    }
    return table[station];
  }

  /**
   * @private
   * @param {number} start
   * @param {readonly Kind[]} kinds
   */
  _search(start, kinds) {
    const found = new Array(this.stations + 1).fill(-1);
    if (start === 0) {
      return found;
    }
    found[start] = 0;
    const queue = [start];
    for (const at of queue) {
      for (const [kind, to] of this._steps[at]) {
        if (found[to] < 0 && kinds.includes(kind)) {
          found[to] = found[at] + 1;
          queue.push(to);
        }
      }
    }
    return found;
  }

  /**
   * Returns the least number of moves of a detective who holds these tickets; `null` if it cannot arrive. Without
   * tickets they are unlimited. Other pieces on the way are not considered.
   *
   * @param {number} from
   * @param {number} to
   * @param {Tickets | null} tickets
   */
  distance(from, to, tickets = null) {
    if (tickets === null) {
      const least = this.distances(from)[to];
      return least < 0 ? null : least;
    }
    const held = FARES.map((fare) => tickets[fare]);
    const least = this._least(held, from, to);
    if (least < 0) {
      return null;
    }
    if (held.every((count) => count === 0 || count >= least)) {
      return least;
    }
    // Breadth-first over stations and tickets left.
    const seen = new Set([`${from} ${held}`]);
    let frontier = [{ at: from, left: held }];
    for (let steps = 0; frontier.length > 0; steps++) {
      const following = [];
      for (const { at, left } of frontier) {
        if (at === to) {
          return steps;
        }
        for (const [kind, next] of this._steps[at]) {
          const fare = KINDS.indexOf(kind);
          if (!left[fare]) {
            continue; // Nor is there a ticket for ferries.
          }
          const rest = left.map((count, n) => count - (n === fare ? 1 : 0));
          const state = `${next} ${rest}`;
          const needed = this._least(rest, next, to);
          if (!seen.has(state) && needed >= 0 && needed <= rest.reduce((sum, count) => sum + count)) {
            seen.add(state);
            following.push({ at: next, left: rest });
          }
        }
      }
      frontier = following;
    }
    return null;
  }

  /**
   * @private
   * @param {number[]} held
   * @param {number} from
   * @param {number} to
   */
  _least(held, from, to) {
    return this.distances(from, FARES.filter((_, n) => held[n] > 0))[to];
  }

  /**
   * Returns the stations at which Mr. X can be as far as the detectives can know, ascending. It follows from the public
   * log, so it is the same in the views of both sides.
   *
   * @param {View} view
   */
  candidates(view) {
    if (view.over === "caught" && view.mr_x.station !== null) {
      return [view.mr_x.station];
    }
    const starts = view.mr_x_starts ?? this.setup.mr_x_starts;
    /** @type {Set<number>} */
    let possible = new Set(typeof starts === "string" ? this._steps.keys() : starts);
    possible.delete(0);
    for (const entry of view.log) {
      possible = this.candidatesAfter(possible, entry);
    }
    for (const { station } of view.detectives) {
      possible.delete(station ?? 0);
    }
    return [...possible].sort((a, b) => a - b);
  }

  /**
   * Returns where Mr. X can be after a step, from where he could be before it.
   *
   * @param {Iterable<number>} possible
   * @param {LogEntry} entry
   */
  candidatesAfter(possible, entry) {
    if (entry.reveal && entry.station !== null) {
      return new Set([entry.station]);
    }
    /** @type {Set<number>} */
    const reached = new Set();
    for (const at of possible) {
      if (!entry.detectives.includes(at)) {
        for (const to of this.neighbours(at, entry.ticket)) {
          if (!entry.detectives.includes(to)) {
            reached.add(to);
          }
        }
      }
    }
    return reached;
  }

  /**
   * Returns the legal actions of the seat to move. Mr. X's need his own view, which shows his station.
   *
   * @param {View} view
   * @returns {Action[]}
   */
  legal(view) {
    if (view.to_move === null) {
      return [];
    }
    return view.to_move === "mr-x" ? this._legalOfX(view) : this._legalOfDetectives(view);
  }

  /**
   * @private
   * @param {View} view
   */
  _legalOfDetectives(view) {
    const taken = new Set(view.detectives.map(({ station }) => station));
    if (this._nobodyFollows && view.log.length > 0) {
      view.log[view.log.length - 1].detectives.forEach((station) => taken.add(station));
    }
    /** @type {Action[]} */
    const actions = [];
    for (const [index, { station, tickets, moved }] of view.detectives.entries()) {
      if (moved) {
        continue;
      }
      for (const [ticket, to] of station === null ? [] : this._steps[station]) {
        if (ticket !== "ferry" && has(tickets, ticket) && (!taken.has(to) || to === station)) {
          actions.push({ detective: index + 1, ticket, to });
        }
      }
      if (this._fixedOrder) {
        break;
      }
    }
    return actions;
  }

  /**
   * @private
   * @param {View} view
   */
  _legalOfX(view) {
    const { station, tickets, black, double } = view.mr_x;
    if (station === null) {
      throw new Error("Mr. X's legal actions need a view that shows his station");
    }
    const taken = new Set(view.detectives.map(({ station }) => station));
    const free = (/** @type {Action} */ { to }) => this._xMayBlunder || !taken.has(to);
    const steps = this._xSteps(station, tickets, black);
    const actions = steps.filter(free);
    if (view.second_leg || double === 0 || view.log.length + 2 > this._mostMoves) {
      return actions;
    }
    for (const step of steps) {
      const spentBlack = step.ticket === BLACK;
      const left = tickets && step.ticket !== BLACK ? spent(tickets, step.ticket) : tickets;
      const second = () => this._xSteps(step.to, left, black - (spentBlack ? 1 : 0));
      if (!taken.has(step.to) && second().some(free)) {
        actions.push({ ...step, double: true });
      }
    }
    return actions;
  }

  /**
   * @private
   * @param {number} station
   * @param {Tickets | null} tickets
   * @param {number} black
   */
  _xSteps(station, tickets, black) {
    /** @type {Action[]} */
    const steps = [];
    for (const [ticket, to] of this._steps[station]) {
      if (ticket !== "ferry" && has(tickets, ticket)) {
        steps.push({ ticket, to });
      }
    }
    if (black > 0) {
      steps.push(...this._neighbours[station].map((to) => ({ ticket: /** @type {Ticket} */ (BLACK), to })));
    }
    return steps;
  }
}

/**
 * @param {Tickets | null} tickets
 * @param {Fare} kind
 */
const has = (tickets, kind) => tickets === null || tickets[kind] > 0;

/**
 * Returns the tickets that are left when one of them is used.
 *
 * @param {Tickets} tickets
 * @param {Fare} ticket
 * @returns {Tickets}
 */
export function spent(tickets, ticket) {
  return { ...tickets, [ticket]: tickets[ticket] - 1 };
}
