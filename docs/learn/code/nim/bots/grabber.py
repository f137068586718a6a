"""Takes the largest heap, all of it."""

import json
import sys


def choose(view, legal):
    return max(legal, key=lambda action: action["take"])


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "grabber", "games": ["nim"]}
    elif message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        answer = {"type": "move", "turn": message["turn"], "action": choose(message["view"], message["legal"])}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
