"""Tic-tac-toe with a drawing in which cells stand for actions."""

import json
import sys

SEATS = ["x", "o"]
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
NAMES = ["top left", "top", "top right", "left", "middle", "right", "bottom left", "bottom", "bottom right"]


def position(cells):
    for a, b, c in LINES:
        if cells[a] and cells[a] == cells[b] == cells[c]:
            scores = [1 if seat == cells[a] else 0 for seat in SEATS]
            return {"to_move": "over", "outcome": {"scores": scores, "reason": "line"}}
    free = [cell for cell in range(9) if not cells[cell]]
    if not free:
        return {"to_move": "over", "outcome": {"scores": [0.5, 0.5], "reason": "full"}}
    return {"to_move": SEATS[(9 - len(free)) % 2], "legal": free, "view": {"cells": cells}}


def draw(cells):
    parts = []
    for cell in range(9):
        x, y = cell % 3 * 100, cell // 3 * 100
        mark = ""
        if cells[cell] == "x":
            mark = f'<path d="M{x+25} {y+25}l50 50m0 -50l-50 50" stroke="#d55e00" stroke-width="12" stroke-linecap="round"/>'
        elif cells[cell] == "o":
            mark = f'<circle cx="{x+50}" cy="{y+50}" r="27" fill="none" stroke="#0072b2" stroke-width="12"/>'
        action = "" if cells[cell] else f' data-action="{cell}" data-label="{NAMES[cell]}"'
        parts.append(f'<g{action}><rect x="{x+4}" y="{y+4}" width="92" height="92" rx="8" fill="currentColor" fill-opacity="0.07"/>{mark}</g>')
    return '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 300">' + "".join(parts) + "</svg>"


for line in sys.stdin:
    request = json.loads(line)
    match request["type"]:
        case "hello":
            answer = {"type": "hello", "rules_protocol": 1, "name": "noughts", "seats": SEATS, "abilities": ["draw"]}
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
        case "draw":
            answer = {"type": "picture", "svg": draw(cells)}
        case "quit":
            break
        case _:
            answer = {"type": "unknown"}
    print(json.dumps(answer), flush=True)
