"""Plays by the theorem of Bouton: a position is lost if the exclusive or of its heaps is 0."""

import json
import sys
from functools import reduce
from operator import xor


def choose(view, legal):
    def after(action):
        heaps = list(view["heaps"])
        heaps[action["heap"] - 1] -= action["take"]
        return reduce(xor, heaps)

    return min(legal, key=after)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "bouton", "games": ["nim"]}
    elif message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        answer = {"type": "move", "turn": message["turn"], "action": choose(message["view"], message["legal"])}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
