"""Hex with a drawing, a text and a notation: the first seat connects top and bottom, the second left and right."""

import json
import math
import sys

SEATS = ["red", "blue"]
COLOURS = {"red": "#d55e00", "blue": "#0072b2"}
AROUND = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


def name(row, column):
    return f"{chr(97 + column)}{row + 1}"


def connects(cells, size, seat):
    """Whether a chain of the seat's stones leads from its first side to the other one."""
    along = 0 if seat == "red" else 1
    own = {(row, column) for row in range(size) for column in range(size) if cells[row][column] == seat}
    reached = {place for place in own if place[along] == 0}
    new = set(reached)
    while new:
        new = {(row + down, column + right) for row, column in new for down, right in AROUND} & own - reached
        reached |= new
    return any(place[along] == size - 1 for place in reached)


def position(cells, size):
    for seat in SEATS:
        if connects(cells, size, seat):
            scores = [int(its == seat) for its in SEATS]
            return {"to_move": "over", "outcome": {"scores": scores, "reason": "connected"}}
    free = [name(row, column) for row in range(size) for column in range(size) if cells[row][column] == "."]
    return {"to_move": SEATS[(size * size - len(free)) % 2], "legal": free, "view": {"cells": cells}}


def draw(cells, size):
    width, height = 40 * math.sqrt(3), 60
    parts = []
    for row in range(size):
        for column in range(size):
            x, y = (column + row / 2 + 0.5) * width + 20, row * height + 60
            corners = [(x + 39 * math.sin(turn * math.pi / 3), y + 39 * math.cos(turn * math.pi / 3)) for turn in range(6)]
            points = " ".join(f"{a:.1f},{b:.1f}" for a, b in corners)
            stone, place = cells[row][column], name(row, column)
            if stone == ".":
                look = f'fill="currentColor" fill-opacity="0.08" data-action=\'"{place}"\' data-label="{place}"'
            else:
                look = f'fill="{COLOURS[stone]}"'
            parts.append(f'<polygon points="{points}" stroke="currentColor" stroke-width="1.5" {look}/>')
            parts.append(f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle" font-size="15">{place}</text>')
    box = f"0 0 {(1.5 * size - 0.5) * width + 40:.0f} {(size - 1) * height + 120}"
    side = f"M20 12H{20 + size * width:.0f}M{20 + (size - 1) / 2 * width:.0f} {(size - 1) * height + 108}h{size * width:.0f}"
    slope = f"l{(size - 1) / 2 * width:.0f} {(size - 1) * height}"
    other = f"M8 60{slope}M{32 + size * width:.0f} 60{slope}"
    parts += [
        f'<path d="{d}" stroke="{COLOURS[seat]}" stroke-width="7" stroke-linecap="round"/>'
        for seat, d in zip(SEATS, (side, other))
    ]
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{box}">{"".join(parts)}</svg>'


def text(cells):
    return "\n".join(" " * number + " ".join(its[0] for its in row) for number, row in enumerate(cells))


def main():
    size, cells = 5, []
    abilities = ["draw", "text", "parse"]
    for line in sys.stdin:
        request = json.loads(line)
        match request["type"]:
            case "hello":
                hello = {"rules_protocol": 1, "name": "hex", "seats": SEATS, "seats_alike": False}
                small = {"name": "small", "about": "3 by 3", "rules": {"size": 3}}
                standard = {"name": "standard", "about": "5 by 5", "rules": {"size": 5}}
                answer = {"type": "hello", **hello, "abilities": abilities, "presets": [standard, small]}
            case "new":
                size = request["rules"].get("size", 5)
                answer = {"type": "rules", "rules": {"size": size}}
                if type(size) is not int or not 1 <= size <= 19:
                    answer = {"type": "refused", "rule": "size", "message": f"expected a size from 1 to 19, got {size}"}
            case "open":
                cells = [["."] * size for _ in range(size)]
                answer = {"type": "position", **position(cells, size)}
            case "play":
                place = request["action"]
                cells[int(place[1:]) - 1][ord(place[0]) - 97] = request["seat"]
                answer = {"type": "position", **position(cells, size)}
            case "view" | "state" as kind:
                answer = {"type": kind, kind: {"cells": cells}}
            case "draw":
                answer = {"type": "picture", "svg": draw(cells, size)}
            case "text":
                answer = {"type": "text", "text": text(cells)}
            case "parse":
                place = request["text"].strip().lower()
                answer = {"type": "action", "action": place}
                if place not in position(cells, size).get("legal", []):
                    answer = {"type": "refused", "message": f"expected a free cell such as a1, got {place!r}"}
            case "quit":
                break
            case _:
                answer = {"type": "unknown"}
        print(json.dumps(answer), flush=True)


main()
