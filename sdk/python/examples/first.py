# A first bot: any game, any legal action. Needs Python 3.10 or later and nothing else.
import json, random, sys
for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello": answer = {"type": "hello", "protocol": 1, "name": "first", "games": []}
        case "start": answer = {"type": "ready"}
        case "turn" if "legal" not in message:
            sys.exit("first.py needs the legal actions: play without --no-legal")
        case "turn":  answer = {"type": "move", "turn": message["turn"], "action": random.choice(message["legal"])}
        case "quit":  break
        case _:       continue
    print(json.dumps(answer), flush=True)
