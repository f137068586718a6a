"""The engine of Samuel (PyPI: samuel), which has a Python module and no protocol, behind Hub for 32 squares.

    python3 samuel_hub.py PLIES

It searches PLIES deep, without a clock. Needs the package `samuel`, which is compiled when it is installed, and the
Python kit of this repository."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "sdk" / "python" / "src"))

from botyard.draughts import Draughts, Position, fen, position_of_fen  # noqa: E402
from samuel import engine  # noqa: E402

RULES = Draughts()
ATTEMPTS = 5
DATA = Path(sys.prefix) / "share" / "samuel" / "data"


def position_of_hub(text: str) -> Position:
    side, board = text[0], text[1:].replace("e", ".")
    return Position(board=board, to_move="white" if side == "W" else "black")


def words(line: str) -> "dict[str, str]":
    found, rest = {}, line
    while "=" in rest:
        name, rest = rest.split("=", 1)
        if rest.startswith('"'):
            value, rest = rest[1:].split('"', 1)
        else:
            value, _, rest = rest.partition(" ")
        found[name.strip()] = value
    return found


def choose(position: Position) -> str:
    """Returns the move of the engine: the one that leads to its position."""
    moves = RULES.moves(position)
    # Of 100,000 of its answers, some 800 have a piece too many, and the same question is answered right again. Ten stay
    # wrong: it ends a jump before the square where the jump began, for example.
    for _ in range(ATTEMPTS):
        engine.setposfromFEN(fen(position))
        engine.cmove("1" if position.to_move == "black" else "2")
        # A side without pieces has no letter there.
        sides = [side for side in engine.getFEN().rstrip(".").split(":") if side]
        after = position_of_fen(":".join(sides))
        for move in moves:
            if RULES.play(position, move).board == after.board:
                return move
    print(f"no move leads from {fen(position)} to {fen(after)}: {moves[0]} is played", file=sys.stderr)
    return moves[0]


def main() -> None:
    engine.init(*[str(DATA / name) for name in ("opening.gbk", "2pc.cdb", "3pc.cdb", "4pc.cdb")])
    engine.setlevel(3, int(sys.argv[1]), 60)
    position = None
    for line in sys.stdin:
        command, _, rest = line.strip().partition(" ")
        if command == "hub":
            print("id name=Samuel version=0.1.9\nwait", flush=True)
        elif command == "init":
            print("ready", flush=True)
        elif command == "pos":
            given = words(rest)
            position = position_of_hub(given["pos"])
            for move in given.get("moves", "").split():
                position = RULES.play(position, move)
        elif command == "go":
            print(f"done move={choose(position)}", flush=True)
        elif command == "quit":
            break


main()
