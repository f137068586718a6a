"""A bot that plays at random and draws on the board of every game: its move as an arrow, its other choices as numbers, a
line, and a place that no board has."""

import json
import random
import sys

choices = random.Random(5)


def places(action, view):
    """The places of an action, as the game names them."""
    if isinstance(action, str):
        return action.replace("x", "-").split("-")
    if not isinstance(action, dict):
        return [action]
    if "to" in action:
        mover = view["detectives"][action["detective"] - 1] if action.get("detective") else view["mr_x"]
        return [mover["station"], action["to"]]
    if "column" in action:
        return [action["column"]]
    if "bid" in action or action == {}:
        return ["player-1", "player-2"]
    return action.get("attack") or action.get("transfer") or []


def marks(turn, chosen):
    view, way = turn["view"], places(chosen, turn["view"])
    drawn = [{"point": "nowhere", "text": "lost"}]
    if len(way) > 1 and None not in way:
        drawn.append({"arrow": way, "color": "red", "text": "mine"})
    for number, action in enumerate(turn["legal"][:12]):
        its = places(action, view)
        if its and its[-1] is not None and action != chosen:
            drawn.append({"point": its[-1], "text": round(number / 12, 2), "color": ["blue", "#2f7a4c"][number % 2]})
            if len(way) > 1 and way[-1] != its[-1]:
                drawn.append({"line": [way[-1], its[-1]]})
    return drawn


for line in sys.stdin:
    message = json.loads(line)
    match message["type"]:
        case "hello":
            answer = {"type": "hello", "protocol": 1, "name": "draws", "games": []}
        case "start":
            answer = {"type": "ready"}
        case "turn":
            chosen = choices.choice(message["legal"])
            answer = {"type": "move", "turn": message["turn"], "action": chosen, "info": {"draw": marks(message, chosen)}}
        case "quit":
            break
        case _:
            continue
    print(json.dumps(answer), flush=True)
