"""A bot that always plays the first legal action and writes every line it is sent to a file, for tests of what bots
really receive.

    python3 recorder.py FILE
"""

import json
import sys


def main():
    with open(sys.argv[1], "wb") as record:
        for line in sys.stdin.buffer:
            record.write(line)
            record.flush()
            message = json.loads(line)
            match message["type"]:
                case "hello":
                    answer = {"type": "hello", "protocol": 1, "name": "recorder", "games": []}
                case "start":
                    answer = {"type": "ready"}
                case "turn":
                    answer = {"type": "move", "turn": message["turn"], "action": message["legal"][0]}
                case "quit":
                    break
                case _:
                    continue
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
