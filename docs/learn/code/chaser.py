"""Version 2: works out where Mr. X can be, and compares distances."""

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


def distance(width, one, other):
    """The number of steps between two cells of the grid."""
    (row, column), (other_row, other_column) = divmod(one - 1, width), divmod(other - 1, width)
    return abs(row - other_row) + abs(column - other_column)


def choose(setup, neighbours, message):
    view, width = message["view"], setup["width"]
    detectives = [detective["station"] for detective in view["detectives"]]
    if view["to_move"] == "mr-x":
        # As far as possible from the nearest detective.
        return max(message["legal"], key=lambda action: min(distance(width, action["to"], d) for d in detectives))
    # As near as possible to the stations at which Mr. X can be, on average.
    hidden = candidates(setup, neighbours, view)
    return min(message["legal"], key=lambda action: sum(distance(width, action["to"], x) for x in hidden))


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "chaser", "games": ["scotland-yard"]})
    elif message["type"] == "start":
        setup = message["setup"]
        neighbours = neighbours_of(setup)
        send({"type": "ready"})
    elif message["type"] == "turn":
        send({"type": "move", "turn": message["turn"], "action": choose(setup, neighbours, message)})
    elif message["type"] == "quit":
        break
