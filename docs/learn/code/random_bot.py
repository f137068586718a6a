"""Version 1: plays a random legal action."""

import json
import random
import sys


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "random_bot", "games": ["scotland-yard"]})
    elif message["type"] == "start":
        random.seed(message["game_id"])
        send({"type": "ready"})
    elif message["type"] == "turn":
        action = random.choice(message["legal"])
        send({"type": "move", "turn": message["turn"], "action": action})
    elif message["type"] == "quit":
        break
