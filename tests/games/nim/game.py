"""Nim as a rules program. Its views are its states, so that bots with a model can load them."""

import json
import random
import sys

SEATS = ["first", "second"]


def position(state):
    heaps, to_move = state["heaps"], state["to_move"]
    if not any(heaps):
        # The seat to move has lost.
        scores = [0 if seat == to_move else 1 for seat in SEATS]
        return {"type": "position", "to_move": "over", "outcome": {"scores": scores, "reason": "last_taken"}}
    legal = [{"heap": heap, "take": take} for heap, size in enumerate(heaps) for take in range(1, size + 1)]
    return {"type": "position", "to_move": to_move, "legal": legal, "view": state}


def after(state, action):
    heaps = list(state["heaps"])
    heaps[action["heap"]] -= action["take"]
    return {"heaps": heaps, "to_move": SEATS[1 - SEATS.index(state["to_move"])]}


def play_out(state, draw):
    while True:
        reached = position(state)
        if reached["to_move"] == "over":
            return reached["outcome"]["scores"]
        state = after(state, draw.choice(reached["legal"]))


rules, state = {}, {}
for line in sys.stdin:
    request = json.loads(line)
    kind = request["type"]
    if kind == "hello":
        answer = {
            "type": "hello",
            "rules_protocol": 1,
            "name": "nim",
            "seats": SEATS,
            "presets": [{"name": "three-heaps", "about": "3, 4 and 5", "rules": {"heaps": [3, 4, 5]}}],
            "abilities": ["load", "playout"],
        }
    elif kind == "new":
        heaps = request["rules"].get("heaps", [3, 4, 5])
        if type(heaps) is list and heaps and all(type(heap) is int and 1 <= heap <= 20 for heap in heaps):
            rules = {"heaps": heaps}
            answer = {"type": "rules", "rules": rules}
        else:
            message = f"expected heaps of 1 to 20, got {json.dumps(heaps)}"
            answer = {"type": "refused", "rule": "heaps", "message": message}
    elif kind == "open":
        state = {"heaps": list(rules["heaps"]), "to_move": "first"}
        answer = position(state)
    elif kind == "play":
        state = after(state, request["action"])
        answer = position(state)
    elif kind == "playout":
        draw, begin = random.Random(request["random"]), request.get("state", state)
        answer = {"type": "playouts", "playouts": [play_out(begin, draw) for _ in range(request["count"])]}
    elif kind == "load":
        state = request["state"]
        answer = position(state)
    elif kind in ("view", "state"):
        answer = {"type": kind, kind: state}
    elif kind == "quit":
        break
    else:
        answer = {"type": "unknown"}
    print(json.dumps(answer), flush=True)
