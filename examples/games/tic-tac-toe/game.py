import json, sys

SEATS = ["x", "o"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def position(cells):
    """Whose turn it is and what they may do, or how the game ended."""
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            scores = [1 if seat == cells[a] else 0 for seat in SEATS]
            return {"to_move": "over", "outcome": {"scores": scores, "reason": "line"}}
    free = [cell for cell in range(9) if not cells[cell]]
    if not free:
        return {"to_move": "over", "outcome": {"scores": [0.5, 0.5], "reason": "full"}}
    return {"to_move": SEATS[(9 - len(free)) % 2], "legal": free, "view": {"cells": cells}}


for line in sys.stdin:
    request = json.loads(line)
    match request["type"]:
        case "hello":
            answer = {"type": "hello", "rules_protocol": 1, "name": "tic-tac-toe", "seats": SEATS}
        case "new":
            answer = {"type": "rules", "rules": {}}
        case "open":
            cells = [None] * 9
            answer = {"type": "position", **position(cells)}
        case "play":
            cells[request["action"]] = request["seat"]
            answer = {"type": "position", **position(cells)}
        case "view" | "state" as kind:
            answer = {"type": kind, kind: {"cells": cells}}
        case "quit":
            break
        case _:
            answer = {"type": "unknown"}
    print(json.dumps(answer), flush=True)
