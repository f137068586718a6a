"""Carla's bot, submitted too early: it fails at its first turn."""

import json
import sys


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say({"type": "hello", "protocol": 1, "name": "carla", "version": "0.1", "games": ["scotland-yard"]})
        case "start":
            say({"type": "ready"})
        case "turn":
            say({"type": "move", "turn": message["turn"], "action": message["legal"][message["best"]]})
        case "quit":
            break
