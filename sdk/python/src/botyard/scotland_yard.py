"""Scotland Yard: the types of its views and actions, and the helpers that every bot needs.

:class:`ScotlandYard` is the game under one set of rules on one board: the neighbours of a station, distances
with given tickets, the stations where Mr. X can be, and the legal actions of a view. The rules and the JSON are
described in ``docs/games/scotland-yard.md``.
"""

from typing import Dict, Iterable, List, Optional, Sequence, Set, Tuple, TypedDict, Union

from .bot import Rulebook

TAXI, BUS, UNDERGROUND, FERRY, BLACK = "taxi", "bus", "underground", "ferry", "black"

#: The tickets that a detective may have. Each pays for the edges of the same kind.
FARES = (TAXI, BUS, UNDERGROUND)

#: The kinds of edges, in the order in which actions are listed.
KINDS = (TAXI, BUS, UNDERGROUND, FERRY)


class Tickets(TypedDict):
    """Counted tickets."""

    taxi: int
    bus: int
    underground: int


class Setup(TypedDict, total=False):
    """The constant data of a game. Only grids have ``width`` and ``height``."""

    stations: int
    edges: List[Tuple[int, int, str]]
    width: int
    height: int
    mr_x_starts: List[int]
    detective_starts: List[int]
    coordinates: List[Tuple[float, float]]


class MrX(TypedDict):
    """Mr. X as a seat sees him."""

    station: Optional[int]
    tickets: Optional[Tickets]
    black: int
    double: int


class Detective(TypedDict):
    """A detective: ``tickets`` is ``None`` if unlimited."""

    station: Optional[int]
    tickets: Optional[Tickets]
    moved: bool


class LogEntry(TypedDict):
    """A step of Mr. X."""

    ticket: str
    station: Optional[int]
    reveal: bool
    detectives: List[Optional[int]]


class _Action(TypedDict):
    ticket: str
    to: int


class Action(_Action, total=False):
    """A step. Detectives' actions have ``detective``, first halves of double moves have ``double``."""

    detective: int
    double: bool


class DoubleMove(TypedDict):
    """A double move that Mr. X can begin, with its second steps."""

    first: Action
    second: List[Action]


class _View(TypedDict):
    round: int
    to_move: Optional[str]
    second_leg: bool
    mr_x: MrX
    detectives: List[Detective]
    log: List[LogEntry]


class View(_View, total=False):
    """All that a seat may know."""

    candidates: List[int]
    double_moves: List[DoubleMove]
    mr_x_starts: Union[str, List[int]]
    over: str


class ScotlandYard(Rulebook):
    """The game under one set of rules."""

    NAME = "scotland-yard"

    def __init__(self, rules: "Dict[str, object]", setup: Setup) -> None:
        self.rules = rules
        self.setup = setup
        #: The number of stations, which are numbered from 1.
        self.stations = setup["stations"]
        self._x_may_blunder = rules.get("x_onto_detective") == "loses"
        self._nobody_follows = rules.get("agent_collision") == "pre_move_strict"
        self._fixed_order = rules.get("order") == "fixed"
        self._limit = int(str(rules.get("limit", 0)))
        self._limit_in_moves = rules.get("limit_unit") == "x_moves"
        steps: List[Set[Tuple[int, int]]] = [set() for _ in range(self.stations + 1)]
        for a, b, kind in setup["edges"]:
            steps[a].add((KINDS.index(kind), b))
            steps[b].add((KINDS.index(kind), a))
        self._steps = [[(KINDS[kind], to) for kind, to in sorted(found)] for found in steps]
        self._neighbours = [sorted({to for _, to in found}) for found in self._steps]
        self._tables: Dict[Tuple[str, ...], List[List[int]]] = {}

    def steps(self, station: int) -> List[Tuple[str, int]]:
        """Returns the edges at a station as (kind, other end), by kind and then by station."""
        return self._steps[station]

    def neighbours(self, station: int, ticket: str = BLACK) -> List[int]:
        """Returns the stations that a ticket leads to, ascending. A black ticket leads along every edge."""
        if ticket == BLACK:
            return self._neighbours[station]
        return [to for kind, to in self._steps[station] if kind == ticket]

    def distances(self, station: int, kinds: Sequence[str] = FARES) -> List[int]:
        """Returns the number of moves from a station to every other along edges of these kinds.

        The distance to station n is at ``[n]``; -1 where there is no way. The lists of all stations are computed
        at the first call for these kinds, so make it in ``start()``.
        """
        key = tuple(sorted(kinds))
        if key not in self._tables:
            self._tables[key] = [self._search(start, key) for start in range(self.stations + 1)]
        return self._tables[key][station]

    def _search(self, start: int, kinds: Sequence[str]) -> List[int]:
        found = [-1] * (self.stations + 1)
        if start == 0:
            return found
        found[start] = 0
        queue = [start]
        for at in queue:
            for kind, to in self._steps[at]:
                if found[to] < 0 and kind in kinds:
                    found[to] = found[at] + 1
                    queue.append(to)
        return found

    def distance(self, start: int, goal: int, tickets: Optional[Tickets] = None) -> Optional[int]:
        """Returns the least number of moves of a detective with these tickets; ``None`` if it cannot arrive.

        ``tickets=None`` means unlimited. Other pieces on the way are not considered.
        """
        if tickets is None:
            least = self.distances(start)[goal]
            return None if least < 0 else least
        held = (tickets["taxi"], tickets["bus"], tickets["underground"])
        least = self._least(held, start, goal)
        if least < 0:
            return None
        if all(count == 0 or count >= least for count in held):
            return least
        # Breadth-first search over stations and tickets left.
        seen = {(start, held)}
        frontier = [(start, held)]
        steps = 0
        while frontier:
            following = []
            for at, left in frontier:
                if at == goal:
                    return steps
                for kind, to in self._steps[at]:
                    if kind == FERRY or not left[KINDS.index(kind)]:
                        continue
                    rest = tuple(count - (kind == fare) for fare, count in zip(FARES, left))
                    state = (to, (rest[0], rest[1], rest[2]))
                    if state not in seen and 0 <= self._least(state[1], to, goal) <= sum(rest):
                        seen.add(state)
                        following.append(state)
            frontier = following
            steps += 1
        return None

    def _least(self, held: Tuple[int, int, int], start: int, goal: int) -> int:
        kinds = [fare for fare, count in zip(FARES, held) if count]
        return self.distances(start, kinds)[goal]

    def candidates(self, view: View) -> List[int]:
        """Returns the stations at which Mr. X can be as far as the detectives can know, ascending.

        It follows from the public log, so it is the same in the views of both sides.
        """
        if view.get("over") == "caught" and view["mr_x"]["station"] is not None:
            return [view["mr_x"]["station"]]
        starts = view.get("mr_x_starts", self.setup["mr_x_starts"])
        possible = set(range(1, self.stations + 1)) if isinstance(starts, str) else set(starts)
        for entry in view["log"]:
            possible = self.candidates_after(possible, entry)
        return sorted(possible - {detective["station"] for detective in view["detectives"]})

    def candidates_after(self, possible: Iterable[int], entry: LogEntry) -> Set[int]:
        """Returns the candidates after a step of Mr. X, from those before it."""
        if entry["reveal"] and entry["station"] is not None:
            return {entry["station"]}
        held = set(entry["detectives"])
        reached: Set[int] = set()
        for at in possible:
            if at not in held:
                reached.update(self.neighbours(at, entry["ticket"]))
        return {station for station in reached if station not in held}

    def legal(self, view: View) -> List[Action]:
        """Returns the legal actions of the seat to move.

        Mr. X's need his own view, which shows his station.
        """
        to_move = view["to_move"]
        if to_move is None:
            return []
        return self._legal_of_x(view) if to_move == "mr-x" else self._legal_of_detectives(view)

    def _legal_of_detectives(self, view: View) -> List[Action]:
        taken = {detective["station"] for detective in view["detectives"]}
        if self._nobody_follows and view["log"]:
            taken |= set(view["log"][-1]["detectives"])
        actions: List[Action] = []
        for number, detective in enumerate(view["detectives"], 1):
            station, tickets = detective["station"], detective["tickets"]
            if detective["moved"]:
                continue
            if station is not None:
                for kind, to in self._steps[station]:
                    if kind == FERRY or not _has(tickets, kind):
                        continue
                    if to not in taken or to == station:
                        actions.append({"detective": number, "ticket": kind, "to": to})
            if self._fixed_order:
                break
        return actions

    def _legal_of_x(self, view: View) -> List[Action]:
        mr_x = view["mr_x"]
        station = mr_x["station"]
        if station is None:
            raise ValueError("Mr. X's legal actions need a view that shows his station")
        taken = {detective["station"] for detective in view["detectives"]}
        steps = self._x_steps(station, mr_x["tickets"], mr_x["black"])
        actions: List[Action] = [
            {"ticket": ticket, "to": to} for ticket, to in steps if self._x_may_blunder or to not in taken
        ]
        room = not self._limit_in_moves or len(view["log"]) + 2 <= self._limit
        if view["second_leg"] or not mr_x["double"] or not room:
            return actions
        for ticket, to in steps:
            if to not in taken and self._has_second_leg(mr_x, ticket, to, taken):
                actions.append({"ticket": ticket, "to": to, "double": True})
        return actions

    def _x_steps(self, station: int, tickets: Optional[Tickets], black: int) -> List[Tuple[str, int]]:
        steps = [(kind, to) for kind, to in self._steps[station] if kind != FERRY and _has(tickets, kind)]
        if black:
            steps += [(BLACK, to) for to in self._neighbours[station]]
        return steps

    def _has_second_leg(self, mr_x: MrX, ticket: str, to: int, taken: Set[Optional[int]]) -> bool:
        black, tickets = mr_x["black"], mr_x["tickets"]
        if ticket == BLACK:
            black -= 1
        elif tickets is not None:
            tickets = spent(tickets, ticket)
        steps = self._x_steps(to, tickets, black)
        return any(self._x_may_blunder or at not in taken for _, at in steps)


def _has(tickets: Optional[Tickets], kind: str) -> bool:
    return tickets is None or bool(tickets[kind])  # type: ignore[literal-required]


def spent(tickets: Tickets, ticket: str) -> Tickets:
    """Returns the tickets left after one is used."""
    left: Tickets = {"taxi": tickets["taxi"], "bus": tickets["bus"], "underground": tickets["underground"]}
    left[ticket] -= 1  # type: ignore[literal-required]
    return left


RULEBOOK = ScotlandYard
