"""A stand-in engine for tests: speaks Hub, version 2, as its page describes it, for English draughts on 32 squares.

    python3 hub_engine.py [MODE]

Plays the middle one of its legal moves. A MODE is a way to fail or a dialect; see the code."""

import sys
import time

from english import legal, play

mode = sys.argv[1] if len(sys.argv) > 1 else ""


def say(line):
    print(line, flush=True)


def read_arguments(text):
    """The arguments of a line: NAME=VALUE, with quotes around a value that has spaces."""
    arguments, rest = {}, text
    while rest.strip():
        rest = rest.lstrip()
        name = rest.split("=")[0].split(" ")[0]
        rest = rest[len(name) :]
        value = ""
        if rest.startswith('="'):
            value, rest = rest[2:].split('"', 1)
        elif rest.startswith("="):
            value = rest[1:].split(" ")[0]
            rest = rest[1 + len(value) :]
        arguments[name] = value
    return arguments


def read_position(text):
    assert len(text) == 33, f"a side and 32 squares, got {text}"
    return text[0], {n: piece for n, piece in enumerate(text) if n > 0 and piece != "e"}


def written(move):
    """From, to, and the captured pieces, in the order in which they are captured."""
    start, landings, captured = move
    if not captured:
        return f"{start}-{landings[-1]}"
    if mode == "path":
        return "x".join(map(str, [start, *landings]))
    if mode == "short":
        return f"{start}x{landings[-1]}"
    return "x".join(map(str, [start, landings[-1], *captured]))


def main():
    values = {"variant": "normal", "depth": "4", "book": "true"}
    position = None
    seen = []
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        arguments = read_arguments(rest)
        seen.append(command)
        if command == "hub":
            if mode == "not-hub":
                say("I play draughts")
                continue
            variants = "normal killer" if mode == "international" else "normal english"
            if mode == "chatter":
                say("loading the book ...")
            say('id name="Stand In" version=1.2 author="A. Tester" country=Nowhere')
            say(f'param name=variant value=normal type=enum values="{variants}"')
            say("param name=depth value=4 type=int min=1 max=20")
            say("param name=book value=true type=bool")
            say("param name=seed value=none type=string")
            say("wait")
        elif command == "set-param":
            if arguments["name"] not in values:
                say(f'error message="no parameter {arguments["name"]}"')
            values[arguments["name"]] = arguments["value"]
            print(f"set {arguments['name']}={arguments['value']}", file=sys.stderr, flush=True)
        elif command == "init":
            if mode == "dies-at-init":
                sys.exit(7)
            say("reading endgame tables")
            say("ready")
        elif command == "pos":
            position = read_position(arguments["pos"])
            for text in arguments.get("moves", "").split():
                start, to = map(int, text.split("-"))
                position = play(*position, (start, [to], []))
        elif command == "level":
            print(f"level {rest}", file=sys.stderr, flush=True)
        elif command == "go":
            assert values["variant"] == "english" and "init" in seen and "new-game" in seen, seen
            moves = legal(*position)
            best = moves[len(moves) // 2]
            if mode == "dies":
                print("out of memory", file=sys.stderr, flush=True)
                sys.exit(3)
            if mode == "slow" and len(position[1]) == 20:
                time.sleep(3)
            if mode == "error":
                say('error message="my search is broken"')
            if mode == "no-move":
                say("done ponder=1-5")
            if mode == "illegal":
                say("done move=1-32")
            if mode in ("silent", "waits-for-stop"):
                continue
            say(f'info depth={values["depth"]} mean-depth=3.5 score=-0.25 nodes=1234 time=0.01 nps=0.1 pv="{written(best)} 99-98"')
            say(f"done move={written(best)}")
        elif command == "stop":
            if mode == "waits-for-stop":
                say(f"done move={written(legal(*position)[0])}")
        elif command == "ping":
            say("pong")
        elif command == "quit":
            print("left by quit", file=sys.stderr, flush=True)
            return


main()
