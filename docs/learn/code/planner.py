"""Version 3: solves the chase with Mr. X in sight, and plays by the result while he is hidden.

For two detectives on a grid.
"""

import json
import sys


def neighbours_of(setup):
    """The stations that one step leads to, for each station."""
    neighbours = {station: [] for station in range(1, setup["stations"] + 1)}
    for a, b, _ticket in setup["edges"]:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def candidates(setup, neighbours, view):
    """Every station at which Mr. X can be, as far as the detectives know."""
    possible = set(setup["mr_x_starts"])
    for entry in view["log"]:
        held = set(entry["detectives"])
        possible = {to for at in possible - held for to in neighbours[at]} - held
        if entry["reveal"]:
            possible = {entry["station"]}
    return possible - {detective["station"] for detective in view["detectives"]}


class Chase:
    """How many more steps Mr. X makes if both sides see everything and play well.

    A position is (x, a, b): the stations of Mr. X, detective 1 and detective 2. There is a table for
    each player that may move next: `x_moves`, `first_moves` and `second_moves`.
    """

    def __init__(self, neighbours, rounds):
        stations = list(neighbours)
        positions = [(x, a, b) for x in stations for a in stations for b in stations if len({x, a, b}) == 3]
        # With no round left he makes no more steps. Each pass adds a round.
        self.x_moves = dict.fromkeys(positions, 0)
        for _ in range(rounds):
            before = self.x_moves
            self.second_moves = {
                (x, a, b): min(
                    [0 if to == x else before[x, a, to] for to in neighbours[b] if to != a] or [before[x, a, b]]
                )
                for x, a, b in positions
            }
            self.first_moves = {
                (x, a, b): min(
                    [0 if to == x else self.second_moves[x, to, b] for to in neighbours[a] if to != b]
                    or [self.second_moves[x, a, b]]
                )
                for x, a, b in positions
            }
            self.x_moves = {
                (x, a, b): max([1 + self.first_moves[to, a, b] for to in neighbours[x] if to not in (a, b)] or [0])
                for x, a, b in positions
            }
            if self.x_moves == before:
                break


def choose(setup, neighbours, chase, message):
    view = message["view"]
    a, b = (detective["station"] for detective in view["detectives"])
    hidden = candidates(setup, neighbours, view)

    def escape(action):
        """For Mr. X: how long he lasts, then how little the detectives know."""
        to = action["to"]
        if to in (a, b):
            return (-1, 0)
        could_be = {after for at in hidden for after in neighbours[at]} - {a, b}
        return (chase.first_moves[to, a, b], len(could_be))

    def remaining(action):
        """For a detective: how long Mr. X lasts, over all stations at which he can be."""
        to = action["to"]
        if action["detective"] == 1:
            return sum(0 if x == to else chase.second_moves[x, to, b] for x in hidden)
        return sum(0 if x == to else chase.x_moves[x, a, to] for x in hidden)

    if view["to_move"] == "mr-x":
        return max(message["legal"], key=escape)
    return min(message["legal"], key=remaining)


def send(message):
    print(json.dumps(message), flush=True)


solved = {}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "planner", "games": ["scotland-yard"]})
    elif message["type"] == "start":
        setup = message["setup"]
        neighbours = neighbours_of(setup)
        # The same board has the same tables: solve it once, not in every game.
        board = json.dumps(setup["edges"])
        if board not in solved:
            solved[board] = Chase(neighbours, message["rules"]["limit"])
        send({"type": "ready"})
    elif message["type"] == "turn":
        action = choose(setup, neighbours, solved[board], message)
        send({"type": "move", "turn": message["turn"], "action": action})
    elif message["type"] == "quit":
        break
