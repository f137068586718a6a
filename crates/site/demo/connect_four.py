"""A bot for Connect Four: alpha-beta to the depth in `depth.txt`. `demo/make` submits it for several teams."""

import json
import random
import sys
from pathlib import Path

DEPTH = int(Path(__file__).with_name("depth.txt").read_text())
MIDDLE_FIRST = [3, 2, 4, 1, 5, 0, 6]
LINES = [
    [(column + step * across, row + step * up) for step in range(4)]
    for across, up in [(1, 0), (0, 1), (1, 1), (1, -1)]
    for column in range(7)
    for row in range(6)
    if 0 <= column + 3 * across < 7 and 0 <= row + 3 * up < 6
]


def value(board, own):
    """Lines that are still open, by the discs on them, from the view of `own`."""
    total = 0
    for line in LINES:
        discs = [board[column][row] for column, row in line]
        mine, others = discs.count(own), 4 - discs.count(own) - discs.count(".")
        if mine and not others:
            total += mine * mine
        elif others and not mine:
            total -= others * others
    return total


def wins(board, column, row, own):
    return any((column, row) in line and all(board[c][r] == own for c, r in line) for line in LINES)


def search(board, own, other, depth, low, high):
    best, choice = -10000, None
    for column in MIDDLE_FIRST:
        if "." not in board[column]:
            continue
        row = board[column].index(".")
        board[column][row] = own
        if wins(board, column, row, own):
            score = 1000 + depth
        elif all("." not in cells for cells in board):
            score = 0
        elif depth == 1:
            # So that not all games between two bots are alike.
            score = value(board, own) + random.randrange(6)
        else:
            score = -search(board, other, own, depth - 1, -high, -low)[0]
        board[column][row] = "."
        if choice is None or score > best:
            best, choice = score, column
        low = max(low, score)
        if low >= high:
            break
    return best, choice


for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": f"alpha-beta, {DEPTH} plies"}
    elif message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        view = message["view"]
        own, other = ("x", "o") if view["discs"] % 2 == 0 else ("o", "x")
        column = search(view["columns"], own, other, DEPTH, -10000, 10000)[1]
        answer = {"type": "move", "turn": message["turn"], "action": {"column": column + 1}}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
