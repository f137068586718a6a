"""Dario's bot: it thinks for five seconds per move, whatever its clock."""

import json
import sys
import time


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say({"type": "hello", "protocol": 1, "name": "dario", "version": "1", "games": ["scotland-yard"]})
        case "start":
            say({"type": "ready"})
        case "turn":
            time.sleep(5)
            say({"type": "move", "turn": message["turn"], "action": message["legal"][0]})
        case "quit":
            break
