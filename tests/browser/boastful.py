"""A bot that plays at random and reports, logs and prints texts that a page must not run as markup.

With an argument, it waits before each move until that file holds the number of a decision that is not
smaller: so a test decides how far a game has come."""

import json
import random
import sys
import time
from pathlib import Path

NASTY = "<img src=x onerror=alert(1)></script><script>alert(2)</script>\u202edaer\u2028\u0007"

choices = random.Random(3)
turns = 0
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            answer = {"type": "hello", "protocol": 1, "name": "<script>alert(1)</script>", "version": NASTY[:60], "games": []}
        case "start":
            print("started", NASTY, file=sys.stderr, flush=True)
            answer = {"type": "ready"}
        case "turn":
            turns += 1
            while len(sys.argv) > 1 and int(Path(sys.argv[1]).read_text() or 0) < message["turn"]:
                time.sleep(0.02)
            if turns == 2:
                print(json.dumps({"type": "log", "text": NASTY + "y" * 3000}), flush=True)
            info = {"text": NASTY, NASTY: [1, {"deep": NASTY}], "__proto__": {"polluted": True}}
            info["draw"] = [{"point": NASTY[:40], "text": NASTY[:40]}, {"point": 1, "color": "url(//evil)"}, NASTY]
            info["draw"] += [{"arrow": [1, 2, "3"], "text": "<script>alert(3)</script>", "color": "red"}]
            if turns == 1:
                info["long"] = "x" * 10_000
            answer = {"type": "move", "turn": message["turn"], "action": choices.choice(message["legal"]), "info": info}
        case "quit":
            break
        case _:
            continue
    print(json.dumps(answer), flush=True)
