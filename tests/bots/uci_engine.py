"""A stand-in engine for tests: speaks a UCI for draughts.

    python3 uci_engine.py [MODE]

Plays the last of its legal moves, which it writes as a path or as start and end. A MODE is a way to fail."""

import sys

from english import START, legal, play, read_fen

mode = sys.argv[1] if len(sys.argv) > 1 else ""


def say(line):
    print(line, flush=True)


def written(move, moves):
    """Start and end, if that is one move, else the whole path."""
    start, landings, captured = move
    if not captured:
        return f"{start}-{landings[-1]}"
    ends = [(other[0], other[1][-1]) for other in moves]
    if ends.count((start, landings[-1])) == 1 or mode == "ambiguous":
        return f"{start}x{landings[-1]}"
    return "x".join(map(str, [start, *landings]))


def main():
    position = None
    for line in sys.stdin:
        words = line.split()
        if words == ["uci"]:
            if mode == "exits":
                sys.exit(0)
            say("id name Stand In UCI")
            say("id author A. Tester")
            say("option name Hash type spin default 16 min 1 max 1024")
            say("option name Clear Hash type button")
            say("option name Style type combo default Normal var Solid var Normal")
            say("uciok")
        elif words[:1] == ["setoption"]:
            print(line.strip(), file=sys.stderr, flush=True)
        elif words == ["isready"]:
            if mode == "never-ready":
                continue
            say("readyok")
        elif words[:1] == ["position"]:
            moves = words.index("moves") if "moves" in words else len(words)
            position = START if words[1] == "startpos" else read_fen(words[2])
            for text in words[moves + 1 :]:
                start, to = map(int, text.split("-"))
                position = play(*position, (start, [to], []))
        elif words[:1] == ["go"]:
            print(line.strip(), file=sys.stderr, flush=True)
            moves = legal(*position)
            if mode == "ambiguous" and len(moves) > 1:
                say("bestmove 17x3")
                continue
            if mode in ("silent", "waits-for-stop"):
                continue
            if mode == "floods":
                for _ in range(3000):
                    say("thinking hard")
            say("info string a book move")
            say(f"info depth 5 seldepth 9 score cp 42 nodes 99 nps 1000 pv {written(moves[-1], moves)} 1-32")
            say(f"bestmove {written(moves[-1], moves)} ponder 1-5")
        elif words == ["stop"]:
            if mode == "waits-for-stop":
                moves = legal(*position)
                say(f"bestmove {written(moves[0], moves)}")
        elif words == ["quit"]:
            return


main()
