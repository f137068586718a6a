"""Connect6, without a list of legal actions: completes six, stops the other side, and builds lines. Needs no library."""

import json
import sys

DIRECTIONS = [(0, 1), (1, 0), (1, 1), (1, -1)]
# What a window of six points with this number of stones of one side is worth.
OWN = [0, 1, 4, 12, 1000, 1000]
OTHER = [0, 1, 4, 10, 300, 300]


def windows(size):
    for row in range(size):
        for column in range(size):
            for down, right in DIRECTIONS:
                last_row, last_column = row + 5 * down, column + 5 * right
                if 0 <= last_row < size and 0 <= last_column < size:
                    yield [(row + step * down) * size + column + step * right for step in range(6)]


def best_point(size, own, other):
    """The empty point that adds most to the lines of either side; the middle first."""
    middle = size // 2
    taken = own | other
    worth = {p: -abs(p // size - middle) - abs(p % size - middle) for p in range(size * size) if p not in taken}
    for window in windows(size):
        mine, theirs = (sum(point in stones for point in window) for stones in (own, other))
        gain = 100 * (OWN[mine] if not theirs else OTHER[theirs] if not mine else 0)
        for point in window:
            if gain and point in worth:
                worth[point] += gain
    return max(worth, key=worth.__getitem__)


def choose(size, view, seat):
    own = set(view["stones"][seat])
    other = set(view["stones"]["white" if seat == "black" else "black"])
    action = []
    for _ in range(2 if own or other else 1):
        point = best_point(size, own, other)
        own.add(point)
        action.append(point)
    return action


for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "lines", "games": ["connect6"]}
    elif message["type"] == "start":
        size = message["rules"]["size"]
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        answer = {"type": "move", "turn": message["turn"], "action": choose(size, message["view"], message["seat"])}
    elif message["type"] == "quit":
        break
    else:
        continue
    print(json.dumps(answer), flush=True)
