"""A bot that fails at random, in ways that cost no time: for tests of the adjudication.

    python3 capricious.py SEED PERCENT

The same seed and the same questions give the same answers.
"""

import json
import os
import random
import sys


def say(*messages):
    lines = [m if isinstance(m, str) else json.dumps(m) for m in messages]
    sys.stdout.write("".join(line + "\n" for line in lines))
    sys.stdout.flush()


def main():
    luck, percent = random.Random(int(sys.argv[1])), int(sys.argv[2])
    if luck.randrange(100) < percent // 4:
        sys.exit(7)
    while line := sys.stdin.readline():
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say({"type": "hello", "protocol": 1, "name": "capricious", "games": []})
            case "start":
                say("what?" if luck.randrange(100) < percent // 4 else {"type": "ready"})
            case "turn":
                answer = {"type": "move", "turn": message["turn"], "action": luck.choice(message["legal"])}
                mode = luck.choice(["illegal", "illegal", "garbage", "garbage", "twice", "turn", "exit", "close"])
                if luck.randrange(100) >= percent:
                    mode = "good"
                match mode:
                    case "good":
                        say(answer)
                    case "illegal":
                        say({**answer, "action": "castle"})
                    case "garbage":
                        say("I would rather not say")
                    case "twice":
                        say(answer, answer)
                    case "turn":
                        say({**answer, "turn": message["turn"] + 1})
                    case "exit":
                        sys.exit(3)
                    case "close":
                        os.close(1)
                        sys.stdin.read()
            case "quit":
                break


if __name__ == "__main__":
    main()
