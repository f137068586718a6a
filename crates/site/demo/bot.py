"""A bot for any game: it chooses a legal action by the rule in `strategy.txt`."""

import json
import random
import sys
from pathlib import Path

strategy = Path(__file__).with_name("strategy.txt").read_text().strip()


def choose(legal):
    if strategy == "middle":
        return legal[len(legal) // 2]
    if strategy == "last":
        return legal[-1]
    if strategy.startswith("random"):
        return random.choice(legal)
    return legal[0]


turns = 0
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": strategy}
    elif message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        turns += 1
        if strategy == "crash" and turns == 20:
            raise SystemExit("no idea what to do next")
        answer = {"type": "move", "turn": message["turn"], "action": choose(message["legal"])}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
