"""Version 1 with another mistake: it takes the third legal action, and there may be only two."""

import json
import sys


def send(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        send({"type": "hello", "protocol": 1, "name": "crashing_bot", "games": ["scotland-yard"]})
    elif message["type"] == "start":
        send({"type": "ready"})
    elif message["type"] == "turn":
        print("turn", message["turn"], "legal", len(message["legal"]), file=sys.stderr)
        action = message["legal"][2]
        send({"type": "move", "turn": message["turn"], "action": action})
    elif message["type"] == "quit":
        break
