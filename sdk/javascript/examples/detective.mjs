/**
 * Plays both sides of Scotland Yard by one look ahead.
 *
 * Detectives step where the stations at which Mr. X can be are nearest on average. Mr. X steps where the detectives are
 * far away and where they will know little about his station.
 */

import { Bot, floatOption, main } from "../botyard/index.js";
import { ScotlandYard, spent } from "../botyard/scotland-yard.js";

/** @typedef {import("../botyard/scotland-yard.js").Action} Action */
/** @typedef {import("../botyard/scotland-yard.js").View} View */

/** A distance for what cannot be reached. */
const FAR = 20;

/** @extends {Bot<View, Action>} */
export class Detective extends Bot {
  static options = { safety: floatOption(1, { min: 0, max: 10, about: "weight of the nearest detective for Mr. X" }) };

  games = ["scotland-yard"];
  yard = new ScotlandYard({}, { stations: 0, edges: [], mr_x_starts: [], detective_starts: [] });

  /** @override @param {import("../botyard/index.js").Game} game */
  start(game) {
    this.yard = new ScotlandYard(game.rules, game.setup);
    this.yard.distances(1); // Computes the tables before the clock runs.
  }

  /** @override @param {import("../botyard/index.js").Turn<View, Action>} turn */
  choose(turn) {
    const { view } = turn;
    const actions = turn.legalActions();
    const candidates = this.yard.candidates(view);
    if (turn.seat !== "mr-x") {
      turn.info({ text: `${candidates.length} stations left`, candidates: candidates.slice(0, 20) });
    }
    const scores = actions.map((action) =>
      turn.seat === "mr-x" ? this.scoreOfFlight(view, action, candidates) : this.scoreOfChase(view, action, candidates),
    );
    const best = Math.max(...scores);
    turn.info({ score: best });
    return turn.random.choice(actions.filter((_, n) => scores[n] === best));
  }

  /**
   * Returns how near the detective comes to where Mr. X can be; to step there counts most.
   *
   * @param {View} view
   * @param {Action} action
   * @param {number[]} candidates
   */
  scoreOfChase(view, action, candidates) {
    const { station, tickets } = view.detectives[(action.detective ?? 1) - 1];
    const left = tickets && action.ticket !== "black" ? spent(tickets, action.ticket) : null;
    const able = left === null || left.taxi + left.bus + left.underground > 0;
    const nearer = candidates.map((goal) => this.away(station, goal, true) - this.away(action.to, goal, able));
    const caught = candidates.includes(action.to) ? 2 : 0;
    return caught + nearer.reduce((sum, steps) => sum + steps, 0) / nearer.length;
  }

  /**
   * Returns how safe a station is for Mr. X: how far the nearest detectives are, and how many stations they must search.
   * Black and double tickets are kept for when he needs them.
   *
   * @param {View} view
   * @param {Action} action
   * @param {number[]} candidates
   */
  scoreOfFlight(view, { ticket, to, double }, candidates) {
    const detectives = view.detectives.map(({ station }) => station);
    const distances = detectives.map((station) => this.away(station, to, true));
    const nearest = Math.min(...distances);
    const number = view.log.length + 1;
    const reveal = this.yard.rules.reveals?.includes(number) ?? false;
    const hidden = this.yard.candidatesAfter(candidates, { ticket, station: to, reveal, detectives }).size;
    let score = this.options.safety * Math.min(nearest, 4);
    score += (0.2 * distances.reduce((sum, steps) => sum + steps, 0)) / distances.length;
    score += 0.05 * Math.min(hidden, 30) + 0.03 * this.yard.neighbours(to).length;
    score -= nearest <= 1 ? 5 : 0;
    score -= ticket === "black" && number <= 2 ? 1 : 0;
    return score - (double ? 1.5 : 0);
  }

  /**
   * Returns the distance of two stations; far for a detective off the board or without tickets.
   *
   * @param {number | null} from
   * @param {number} to
   * @param {boolean} able
   */
  away(from, to, able) {
    if (from === null || (!able && from !== to)) {
      return FAR;
    }
    const steps = this.yard.distances(from)[to];
    return steps < 0 ? FAR : steps;
  }
}

main(Detective);
