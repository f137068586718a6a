"""Kuhn poker as a rules program: hidden cards, and a deal by chance."""

import json
import sys

SEATS = ["left", "right"]
DECK = "JQK"
SCORES = {"least": -2, "most": 2, "sum": 0}
# How the stakes of the betting are settled: the points of the winner, and who has folded.
ENDS = {"pp": (1, None), "bb": (2, None), "pbb": (2, None), "bp": (1, 1), "pbp": (1, 0)}


def position(state, **more):
    position = {"type": "position", **more}
    if state["cards"] is None:
        return {**position, "to_move": "chance"}
    bets = "".join(bet[0] for bet in state["bets"])
    if bets in ENDS:
        points, folded = ENDS[bets]
        strengths = [DECK.index(card) for card in state["cards"]]
        loser = folded if folded is not None else int(strengths[1] < strengths[0])
        scores = [-points if seat == loser else points for seat in range(2)]
        reason = "showdown" if folded is None else "fold"
        return {**position, "to_move": "over", "outcome": {"scores": scores, "reason": reason}}
    seat = len(bets) % 2
    return {**position, "to_move": SEATS[seat], "legal": ["pass", "bet"], "view": view(state, seat)}


def view(state, seat):
    return {"card": state["cards"] and state["cards"][seat], "bets": state["bets"]}


state = {}
for line in sys.stdin:
    request = json.loads(line)
    kind = request["type"]
    if kind == "hello":
        answer = {
            "type": "hello",
            "rules_protocol": 1,
            "name": "kuhn-poker",
            "seats": SEATS,
            "hidden": True,
            "chance": True,
            "scores": SCORES,
            "abilities": ["load", "determinize"],
        }
    elif kind == "new":
        answer = {"type": "rules", "rules": {}}
    elif kind == "open":
        state = {"cards": None, "bets": []}
        answer = position(state)
    elif kind == "chance":
        if "chance" in request:
            given = request["chance"]
            cards = [str(given.get(seat)) for seat in SEATS] if type(given) is dict else []
        else:
            left, right = divmod(int(request["random"], 16) % 6, 2)
            cards = [DECK[left], [card for card in DECK if card != DECK[left]][right]]
        if len(set(cards) & set(DECK)) == 2:
            state = {**state, "cards": cards}
            dealt = dict(zip(SEATS, cards))
            seen = {seat: {seat: card} for seat, card in dealt.items()}
            answer = position(state, chance=dealt, seen=seen)
        else:
            answer = {"type": "refused", "message": f"expected two cards, got {json.dumps(request['chance'])}"}
    elif kind == "play":
        state = {**state, "bets": [*state["bets"], request["action"]]}
        answer = position(state)
    elif kind == "load":
        state = request["state"]
        answer = position(state)
    elif kind == "determinize":
        seat, card = SEATS.index(request["seat"]), request["view"]["card"]
        others = [other for other in DECK if other != card]
        cards = [card, card]
        cards[1 - seat] = others[int(request["random"], 16) % 2]
        answer = {"type": "state", "state": {"cards": cards, "bets": request["view"]["bets"]}}
    elif kind == "view":
        answer = {"type": "view", "view": view(state, SEATS.index(request["seat"]))}
    elif kind == "state":
        answer = {"type": "state", "state": state}
    elif kind == "quit":
        break
    else:
        answer = {"type": "unknown"}
    print(json.dumps(answer), flush=True)
