"""A small game with hidden cards, for tests of `botyard check-game`: `poker.py [FAULT]`.

Two seats get a card each of six. In each of two rounds a die is cast, and both decide in turn to pass or to bet, after
which the better card takes the pot. The faults are departures from the rules protocol, each for one check."""

import json
import os
import random
import sys
import time

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
SEATS = ["left", "right"]
ACTIONS = ["pass", "bet"]
ROUNDS = 2
FACES = 4
games = 0


def other(seat):
    return SEATS[1 - SEATS.index(seat)]


def rules_of(given):
    rules = {"cards": 6, "rounds": ROUNDS}
    for name, value in given.items():
        if name not in rules:
            if FAULT == "rules":
                rules[name] = value
            continue
        if type(value) is not int or not 2 <= value <= 20:
            return None, name
        rules[name] = value
    return rules, None


def turn_of(state):
    if state["round"] == state["rounds"]:
        return "over"
    if state["die"] is None:
        return "chance"
    return SEATS[len(state["bets"]) % 2]


def view(state, seat):
    seen = {key: state[key] for key in ("round", "die", "bets", "pot")}
    seen["hand"] = state["hands"][seat]
    if FAULT == "repeat" and games > 2:
        seen["pot"] += 1
    if FAULT == "secret_views":
        seen["odd"] = state["hands"][other(seat)] % 2
    return seen


def legal(state, seat):
    actions = list(ACTIONS)
    if FAULT == "secret_legal" and state["hands"][other(seat)] == 5:
        actions.reverse()
    if FAULT == "legal" and state["round"] == 1:
        actions.append("raise")
    return actions


def outcome(state):
    ahead = max(SEATS, key=lambda seat: state["hands"][seat])
    if FAULT == "scores" and state["pot"] > 2:
        return {"scores": [2, -1], "reason": "showdown"}
    return {"scores": [1 if seat == ahead else 0 for seat in SEATS], "reason": "showdown"}


def position(state, **more):
    turn = turn_of(state)
    answer = {"type": "position", "to_move": turn, **more}
    if turn == "over":
        answer["outcome"] = outcome(state)
    elif turn == "chance":
        chance = 1 / FACES if FAULT != "chances" else 0.2
        answer["chances"] = [[chance, {"die": face}] for face in range(1, FACES + 1)]
    else:
        answer["legal"] = legal(state, turn)
        answer["view"] = view(state, turn)
        if FAULT == "deterministic":
            answer["view"]["luck"] = random.random()
        if FAULT == "clock":
            answer["view"]["time"] = int(time.time())
    if FAULT == "positions" and state["round"] == 1:
        del answer["to_move"]
    return answer


def refusal(state, seat, action):
    if action in legal(state, seat) and action != "raise":
        return None
    if FAULT == "refusals" and action is None:
        return None
    if FAULT == "change":
        state["pot"] += 1
    if FAULT == "secret_reasons":
        return f"the other seat has {state['hands'][other(seat)]}"
    return f"{action!r:.40} is no action: expected one of {ACTIONS}"


def opened(state):
    hands = state["hands"]
    if FAULT == "hidden":
        return position(state, opening={"hands": hands})
    seen = {seat: {"hands": {seat: hands[seat]}} for seat in SEATS}
    if FAULT == "secret_copies":
        seen["left"]["odd"] = hands["right"] % 2
    return position(state, opening={"hands": hands}, seen=seen)


def decide(state, action):
    state["bets"].append(action)
    state["pot"] += ACTIONS.index(action)
    if len(state["bets"]) == 2:
        state["bets"] = []
        state["die"] = None
        if FAULT != "ends":
            state["round"] += 1


def start(rules, hands):
    fits = isinstance(hands, dict) and sorted(hands) == SEATS and hands["left"] != hands["right"]
    if not fits or not all(type(card) is int and 0 <= card < rules["cards"] for card in hands.values()):
        return None
    return {"hands": hands, "round": 0, "rounds": rules["rounds"], "die": None, "bets": [], "pot": 0}


def main():
    global games
    rules, state = rules_of({})[0], None
    if FAULT == "exit":
        sys.exit("no rules today")
    for line in sys.stdin:
        request = json.loads(line)
        if FAULT == "strict" and set(request) - {"type", "rules", "random", "opening", "seat", "action", "state"} \
                and request["type"] not in ("hello", "determinize", "parse", "chance", "playout"):
            sys.exit(f"an unknown field in {line}")
        match request["type"]:
            case "hello":
                name = "bridge" if FAULT == "name" else "poker"
                can = ["check", "text", "load", "determinize", "parse", "draw"] + ["playout"] * (FAULT != "ends")
                answer = {"type": "hello", "rules_protocol": 1, "name": name, "seats": SEATS, "hidden": True,
                          "chance": True, "abilities": can}
                if FAULT in ("hidden", "seen"):
                    answer["hidden"] = False
            case "new":
                rules, wrong = rules_of(request["rules"])
                if rules is None:
                    rules = rules_of({})[0]
                    answer = {"type": "refused", "rule": wrong, "message": f"expected 2 to 20 as {wrong}"}
                else:
                    answer = {"type": "rules", "rules": rules}
            case "open":
                if "opening" in request:
                    given = request["opening"]
                    hands = given.get("hands") if isinstance(given, dict) else None
                else:
                    draw = random.Random(request["random"])
                    hands = dict(zip(SEATS, draw.sample(range(rules["cards"]), 2)))
                new = start(rules, hands)
                if FAULT == "opening" and "opening" in request and new:
                    new["hands"] = {"left": 0, "right": 1}
                if new is None:
                    answer = {"type": "refused", "message": "expected two different cards as hands"}
                else:
                    games += 1
                    state = new
                    answer = opened(state)
            case "check":
                reason = refusal(state, request["seat"], request["action"])
                answer = {"type": "refused", "message": reason} if reason else {"type": "legal"}
            case "play":
                if request["action"] not in ACTIONS:
                    answer = {"type": "refused", "message": "no such action"}
                else:
                    decide(state, request["action"])
                    if FAULT == "slow":
                        time.sleep(0.5)
                    if FAULT == "crash" and state["round"] == 1:
                        raise ValueError("a bad hand")
                    answer = position(state)
            case "chance":
                if "chance" in request:
                    drawn = request["chance"]
                    faces = range(1, FACES + 1)
                    if not isinstance(drawn, dict) or drawn.get("die") not in faces or list(drawn) != ["die"]:
                        print(json.dumps({"type": "refused", "message": f"expected a die of {FACES} faces"}), flush=True)
                        continue
                    if FAULT == "replay":
                        drawn = {"die": 1}
                else:
                    face = int(request["random"], 16) % (FACES - (FAULT == "draws"))
                    if FAULT == "loaded":
                        face = int(request["random"], 16) % 5 % FACES
                    drawn = {"die": face + 1}
                state["die"] = drawn["die"]
                answer = position(state, chance=drawn)
            case "view":
                answer = {"type": "view", "view": view(state, request["seat"])}
                if FAULT == "views":
                    state["pot"] += 1
            case "state":
                answer = {"type": "state", "state": state}
            case "text":
                answer = {"type": "text", "text": "" if FAULT == "text" else f"round {state['round']}, {state['hands']}"}
            case "load":
                state = request["state"]
                if FAULT == "load":
                    state["bets"] = []
                answer = position(state)
            case "determinize":
                seen, draw = request["view"], random.Random(request["random"])
                cards = [card for card in range(rules["cards"]) if card != seen["hand"]]
                hands = {request["seat"]: seen["hand"], other(request["seat"]): draw.choice(cards)}
                guess = {key: seen[key] for key in ("round", "die", "bets", "pot")}
                if FAULT == "determinize":
                    guess["pot"] += 1
                answer = {"type": "state", "state": {"hands": hands, "rounds": rules["rounds"], **guess}}
            case "playout":
                draw, played = random.Random(request["random"]), []
                for _ in range(request["count"]):
                    copy = json.loads(json.dumps(request.get("state", state)))
                    while turn_of(copy) != "over":
                        if turn_of(copy) == "chance":
                            copy["die"] = draw.randint(1, FACES)
                        else:
                            decide(copy, draw.choice(ACTIONS))
                    played.append(outcome(copy)["scores"])
                if FAULT == "playout":
                    played[0] = [2, 0]
                if FAULT == "playout_state":
                    state["pot"] += 1
                answer = {"type": "playouts", "playouts": played}
            case "parse":
                known = request["text"].strip('"') in ACTIONS
                answer = {"type": "action", "action": request["text"].strip('"')}
                if not known:
                    answer = {"type": "refused", "message": "" if FAULT == "parse" else "expected pass or bet"}
            case "draw":
                shown = state["hands"].get(request.get("seat"), "")
                svg = f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><text>{shown}</text></svg>"
                if FAULT == "secret_pictures":
                    svg = svg.replace("9 9", f"9 {9 + state['hands']['right']}")
                if FAULT == "draw_dropped":
                    svg = svg.replace("<text>", "<script>alert(1)</script><text style='fill:red'>")
                answer = {"type": "picture", "svg": "a card" if FAULT == "draw" else svg}
            case "quit":
                break
            case _:
                if FAULT == "unknown":
                    sys.exit("an unknown request")
                answer = {"type": "unknown"}
        print(json.dumps(answer), flush=True)


main()
