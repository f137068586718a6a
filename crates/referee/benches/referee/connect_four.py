"""Connect Four as a rules program without a kit: the rules and the views of the built-in game."""

import json
import sys

SEATS = ["yellow", "red"]


def is_won(columns, x):
    """Whether the disc that was dropped last, into column x, is in a line of four."""
    y = max(row for row in range(6) if columns[x][row] != ".")
    disc = columns[x][y]
    for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
        length = 1
        for side in (1, -1):
            a, b = x + side * dx, y + side * dy
            while 0 <= a < 7 and 0 <= b < 6 and columns[a][b] == disc:
                length, a, b = length + 1, a + side * dx, b + side * dy
        if length >= 4:
            return True
    return False


def position(columns, discs, won):
    """Whose turn it is and what they may do, or how the game ended."""
    if won:
        scores = [float(discs % 2 == 1), float(discs % 2 == 0)]
        return {"to_move": "over", "outcome": {"scores": scores, "reason": "four_in_line"}}
    if discs == 42:
        return {"to_move": "over", "outcome": {"scores": [0.5, 0.5], "reason": "full"}}
    legal = [{"column": x + 1} for x in range(7) if columns[x][5] == "."]
    view = {"columns": columns, "discs": discs}
    return {"to_move": SEATS[discs % 2], "legal": legal, "view": view}


for line in sys.stdin:
    request = json.loads(line)
    kind = request["type"]
    if kind == "play":
        column = request["action"]["column"] - 1
        columns[column][columns[column].index(".")] = "xo"[discs % 2]
        discs += 1
        answer = {"type": "position", **position(columns, discs, is_won(columns, column))}
    elif kind == "open":
        columns, discs = [["."] * 6 for _ in range(7)], 0
        answer = {"type": "position", **position(columns, discs, False)}
    elif kind in ("view", "state"):
        answer = {"type": kind, kind: {"columns": columns, "discs": discs}}
    elif kind == "new":
        answer = {"type": "rules", "rules": {}}
    elif kind == "hello":
        answer = {"type": "hello", "rules_protocol": 1, "name": "connect-four", "seats": SEATS}
    else:
        break
    print(json.dumps(answer), flush=True)
