"""Draughts: takes as much as it can, crowns a man if it can, and keeps the men of its back row at home."""

import json
import sys

BACK_ROW = {"black": range(1, 5), "white": range(29, 33)}
CROWNING_ROW = {"black": range(29, 33), "white": range(1, 5)}


def choose(message):
    side, board = message["seat"], message["view"]["board"]

    def worth(action):
        path = [int(square) for square in action.replace("x", "-").split("-")]
        is_man = board[path[0] - 1] in "bw"
        captured = action.count("x")
        crowns = is_man and path[-1] in CROWNING_ROW[side]
        leaves_home = is_man and path[0] in BACK_ROW[side]
        return (captured, crowns, not leaves_home)

    return max(message["legal"], key=worth)


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "draughts_bot", "games": ["draughts"]})
    elif message["type"] == "start":
        send({"type": "ready"})
    elif message["type"] == "turn":
        send({"type": "move", "turn": message["turn"], "action": choose(message)})
    elif message["type"] == "quit":
        break
