/**
 * Returns the tickets that are left when one of them is used.
 *
 * @param {Tickets} tickets
 * @param {Fare} ticket
 * @returns {Tickets}
 */
export function spent(tickets: Tickets, ticket: Fare): Tickets;
/** @typedef {"taxi" | "bus" | "underground"} Fare */
/** @typedef {Fare | "ferry"} Kind */
/** @typedef {Fare | "black"} Ticket */
/**
 * The tickets that a detective may hold. Each pays for the edges of the same kind.
 *
 * @type {readonly Fare[]}
 */
export const FARES: readonly Fare[];
/**
 * The kinds of edges, in the order in which actions are listed.
 *
 * @type {readonly Kind[]}
 */
export const KINDS: readonly Kind[];
export const BLACK: "black";
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
    /**
     * @param {Record<string, any>} rules
     * @param {Setup} setup
     */
    constructor(rules: Record<string, any>, setup: Setup);
    rules: Record<string, any>;
    setup: Setup;
    /** The number of stations, which are numbered from 1. */
    stations: number;
    /** @private */
    private _xMayBlunder;
    /** @private */
    private _nobodyFollows;
    /** @private */
    private _fixedOrder;
    /** @private */
    private _mostMoves;
    /**
     * @private
     * @type {[Kind, number][][]}
     */
    private _steps;
    /** @private */
    private _neighbours;
    /**
     * @private
     * @type {Map<string, number[][]>}
     */
    private _tables;
    /**
     * Returns the edges at a station as pairs of the kind and the other end, by kind and then by station.
     *
     * @param {number} station
     */
    steps(station: number): [Kind, number][];
    /**
     * Returns the stations that a ticket leads to, ascending. A black ticket leads along every edge.
     *
     * @param {number} station
     * @param {Ticket} ticket
     */
    neighbours(station: number, ticket?: Ticket): number[];
    /**
     * Returns the number of moves from a station to every other along edges of these kinds.
     *
     * The distance to station n is at `[n]`; -1 where there is no way. The lists of all stations are computed at the first
     * call for these kinds, so make it in `start`.
     *
     * @param {number} station
     * @param {readonly Kind[]} kinds
     */
    distances(station: number, kinds?: readonly Kind[]): number[];
    /**
     * @private
     * @param {number} start
     * @param {readonly Kind[]} kinds
     */
    private _search;
    /**
     * Returns the least number of moves of a detective who holds these tickets; `null` if it cannot arrive. Without
     * tickets they are unlimited. Other pieces on the way are not considered.
     *
     * @param {number} from
     * @param {number} to
     * @param {Tickets | null} tickets
     */
    distance(from: number, to: number, tickets?: Tickets | null): number | null;
    /**
     * @private
     * @param {number[]} held
     * @param {number} from
     * @param {number} to
     */
    private _least;
    /**
     * Returns the stations at which Mr. X can be as far as the detectives can know, ascending. It follows from the public
     * log, so it is the same in the views of both sides.
     *
     * @param {View} view
     */
    candidates(view: View): number[];
    /**
     * Returns where Mr. X can be after a step, from where he could be before it.
     *
     * @param {Iterable<number>} possible
     * @param {LogEntry} entry
     */
    candidatesAfter(possible: Iterable<number>, entry: LogEntry): Set<number>;
    /**
     * Returns the legal actions of the seat to move. Mr. X's need his own view, which shows his station.
     *
     * @param {View} view
     * @returns {Action[]}
     */
    legal(view: View): Action[];
    /**
     * @private
     * @param {View} view
     */
    private _legalOfDetectives;
    /**
     * @private
     * @param {View} view
     */
    private _legalOfX;
    /**
     * @private
     * @param {number} station
     * @param {Tickets | null} tickets
     * @param {number} black
     */
    private _xSteps;
}
export type Fare = "taxi" | "bus" | "underground";
export type Kind = Fare | "ferry";
export type Ticket = Fare | "black";
/**
 * Counted tickets.
 */
export type Tickets = Record<Fare, number>;
/**
 * What never changes in a game. `width` and `height` are there on grids only, `coordinates` on London's map only.
 */
export type Setup = {
    stations: number;
    edges: [number, number, Kind][];
    width?: number | undefined;
    height?: number | undefined;
    mr_x_starts: number[];
    detective_starts: number[];
    coordinates?: [number, number][] | undefined;
};
/**
 * Mr. X as a seat sees him.
 */
export type MrX = {
    station: number | null;
    tickets: Tickets | null;
    black: number;
    double: number;
};
/**
 * A detective: `tickets` is `null` where they are unlimited.
 */
export type Detective = {
    station: number | null;
    tickets: Tickets | null;
    moved: boolean;
};
/**
 * A step of Mr. X's.
 */
export type LogEntry = {
    ticket: Ticket;
    station: number | null;
    reveal: boolean;
    detectives: (number | null)[];
};
/**
 * A step. `detective` is there in the detectives' actions, `double` in the first half of a double move.
 */
export type Action = {
    ticket: Ticket;
    to: number;
    detective?: number;
    double?: boolean;
};
/**
 * All that a seat may know.
 */
export type View = {
    round: number;
    to_move: string | null;
    second_leg: boolean;
    mr_x: MrX;
    detectives: Detective[];
    log: LogEntry[];
    candidates?: number[] | undefined;
    double_moves?: {
        first: Action;
        second: Action[];
    }[] | undefined;
    mr_x_starts?: string | number[] | undefined;
    over?: string | undefined;
};
import { Rulebook } from "./rulebook.js";
