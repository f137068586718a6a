"""A bot that plays random legal actions and remembers Mr. X's start: as Mr. X it records his station with those of
the detectives; as the detectives it looks for a game with the same start, and logs `Mr. X began at N` if it knows one.
It keeps its records in memory and in every directory named on its command line. Each game's log begins with
`process T`, where T differs in every process of the bot.

    python3 rememberer.py [DIRECTORY...]
"""

import json
import os
import random
import sys

NOTES = "where-mr-x-began.json"


def load(directories):
    notes = {}
    for directory in directories:
        try:
            with open(os.path.join(directory, NOTES)) as file:
                notes.update(json.load(file))
        except OSError:
            pass
    return notes


def save(notes, directories):
    for directory in directories:
        try:
            with open(os.path.join(directory, NOTES), "w") as file:
                json.dump(notes, file)
        except OSError:
            pass


def say(message):
    print(json.dumps(message), flush=True)


def log(text):
    say({"type": "log", "text": text})


def main():
    directories = sys.argv[1:]
    process = os.urandom(8).hex()
    notes = load(directories)
    is_first = True
    for line in sys.stdin.buffer:
        message = json.loads(line)
        match message["type"]:
            case "hello":
                say({"type": "hello", "protocol": 1, "name": "rememberer", "games": []})
            case "start":
                is_first = True
                log(f"process {process}")
                say({"type": "ready"})
            case "turn":
                view = message["view"]
                if is_first and "mr_x" in view:
                    start = str([detective["station"] for detective in view["detectives"]])
                    if message["seat"] == "mr-x":
                        notes[start] = view["mr_x"]["station"]
                        save(notes, directories)
                    elif start in notes:
                        log(f"Mr. X began at {notes[start]}")
                is_first = False
                say({"type": "move", "turn": message["turn"], "action": random.choice(message["legal"])})
            case "quit":
                break


if __name__ == "__main__":
    main()
