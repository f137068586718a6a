"""A small simultaneous game for 2 to 4 seats without a list of legal actions, for tests of `botyard check-game`:
`auction.py [FAULT]`.

In each round every seat bids up to what it has left; the highest bid alone takes the lot. The faults are departures
from the rules protocol, each for one check."""

import json
import sys

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
MONEY = 9


def is_over(state):
    return state["round"] == 3 or len(state["out"]) == len(state["seats"])


def view(state):
    seen = {key: state[key] for key in ("seats", "money", "lots", "round", "last", "out")}
    seen["done"] = len(state["bids"])
    if FAULT in ("simultaneous", "view"):
        seen["bids"] = state["bids"]
    return seen


def position(state, **more):
    if is_over(state):
        best = max(state["lots"])
        scores = [int(lots == best) for lots in state["lots"]]
        return {"type": "position", "to_move": "over", "outcome": {"scores": scores}, **more}
    turn = state["seats"][len(state["bids"])]
    answer = {"type": "position", "to_move": turn, "view": view(state), "pass": 0, **more}
    if FAULT == "pass":
        del answer["pass"]
    return answer


def refusal(state, seat, bid):
    left = state["money"][state["seats"].index(seat)]
    if type(bid) is int and 0 <= bid <= left:
        return None
    return f"expected a bid from 0 to {left}"


def play(state, bid):
    state["bids"].append(bid)
    if len(state["bids"]) < len(state["seats"]):
        return
    best = max(state["bids"])
    if state["bids"].count(best) == 1:
        state["lots"][state["bids"].index(best)] += 1
    state["money"] = [money - bid for money, bid in zip(state["money"], state["bids"])]
    state["last"], state["bids"] = state["bids"], []
    state["round"] += 1


def main():
    seats, state = [], None
    for line in sys.stdin:
        request = json.loads(line)
        match request["type"]:
            case "hello":
                answer = {"type": "hello", "rules_protocol": 1, "name": "auction", "seats": [2, 4],
                          "seats_rule": "players", "hidden": True, "simultaneous": True,
                          "scores": {"least": 0, "most": 1, "sum": None}, "abilities": ["check", "forfeit"],
                          "schemas": {"action": {"type": "integer", "minimum": 0, "maximum": MONEY}}}
                if FAULT == "unchecked":
                    answer["abilities"].remove("check")
            case "new":
                players = request["rules"].get("players", 3)
                if type(players) is int and 2 <= players <= 4:
                    seats = [f"bidder-{number}" for number in range(1, players + 1)]
                    answer = {"type": "rules", "rules": {"players": players}, "seats": seats}
                else:
                    answer = {"type": "refused", "rule": "players", "message": "expected 2 to 4 players"}
            case "open":
                if request.get("opening", {}) != {}:
                    answer = {"type": "refused", "message": "every game begins alike"}
                else:
                    state = {"seats": seats, "money": [MONEY] * len(seats), "lots": [0] * len(seats), "bids": [],
                             "last": [], "round": 0, "out": []}
                    answer = position(state)
            case "check" | "play" as kind:
                seat, bid = request["seat"], request["action"]
                reason = refusal(state, seat, bid)
                if kind == "check":
                    answer = {"type": "refused", "message": reason} if reason else {"type": "legal"}
                elif reason and not (FAULT == "play" and bid == -1):
                    if FAULT == "change":
                        state["money"][0] -= 1
                    answer = {"type": "refused", "message": reason}
                else:
                    is_open = len(state["bids"]) + 1 == len(state["seats"])
                    play(state, bid)
                    seen = {other: {"bid": None} for other in seats if other != seat and not is_open}
                    answer = position(state, **({"seen": seen} if FAULT != "simultaneous" else {}))
            case "forfeit":
                if FAULT == "forfeits":
                    answer = {"type": "refused", "message": "no one leaves an auction"}
                else:
                    state["out"].append(request["seat"])
                    answer = position(state)
            case "view":
                answer = {"type": "view", "view": view(state)}
            case "state":
                answer = {"type": "state", "state": state}
            case "quit":
                break
            case _:
                answer = {"type": "unknown"}
        print(json.dumps(answer), flush=True)


main()
