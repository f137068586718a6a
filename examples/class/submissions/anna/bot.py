"""Anna's bot: any legal action, drawn from a seed, so that her games can be reproduced."""

import json
import random
import sys

DICE = random.Random(7)


def say(message):
    print(json.dumps(message), flush=True)


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            say({"type": "hello", "protocol": 1, "name": "anna", "version": "1.2", "games": ["scotland-yard"]})
        case "start":
            DICE.seed(message["game_id"])
            say({"type": "ready"})
        case "turn":
            say({"type": "move", "turn": message["turn"], "action": DICE.choice(message["legal"])})
        case "quit":
            break
