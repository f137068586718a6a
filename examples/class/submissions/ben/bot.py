"""Ben's bot for Scotland Yard on a grid. As Mr. X it keeps away from the detectives; as the detectives it goes to where
Mr. X can be."""

import json
import sys


def candidates(setup, view):
    """The stations at which Mr. X can be, from the log alone: docs/games/scotland-yard.md."""
    neighbours = {}
    for a, b, _ in setup["edges"]:
        neighbours.setdefault(a, []).append(b)
        neighbours.setdefault(b, []).append(a)
    possible = set(setup["mr_x_starts"])
    for entry in view["log"]:
        held = set(entry["detectives"])
        possible = {to for at in possible - held for to in neighbours[at]} - held
        if entry["reveal"]:
            possible = {entry["station"]}
    return possible - {detective["station"] for detective in view["detectives"]}


def distance(width, one, other):
    """Steps between two cells."""
    one, other = one - 1, other - 1
    return abs(one % width - other % width) + abs(one // width - other // width)


def choose(setup, message):
    """The best of the legal actions."""
    view, width = message["view"], setup["width"]
    if view["to_move"] == "mr-x":
        hunters = [detective["station"] for detective in view["detectives"]]
        return max(message["legal"], key=lambda action: min(distance(width, action["to"], at) for at in hunters))
    hidden = candidates(setup, view) or {1}
    return min(message["legal"], key=lambda action: sum(distance(width, action["to"], at) for at in hidden))


def say(message):
    print(json.dumps(message), flush=True)


def main():
    setup = None
    for line in sys.stdin:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say({"type": "hello", "protocol": 1, "name": "ben", "version": "3", "games": ["scotland-yard"]})
            case "start":
                setup = message["setup"]
                say({"type": "ready"})
            case "turn":
                say({"type": "move", "turn": message["turn"], "action": choose(setup, message)})
            case "quit":
                break


if __name__ == "__main__":
    main()
