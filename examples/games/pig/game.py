"""Pig, for two to five: roll a die as often as you like and hold to keep what you have rolled in this turn. A one loses
it, and the turn. The first one with 100 points wins."""

from botyard.rules import CHANCE, Game, Refused, serve
from botyard.tables import Table, die, meter, slot, tile


class Pig(Game):
    name = "pig"
    seats = (2, 5)
    seats_rule = "players"
    rules = {"players": 3, "target": 100, "rounds": 100}
    presets = {"standard": ("three players, 100 points", {}), "short": ("three players, 20 points", {"target": 20})}
    scoring = "the first seat at the target gets the point; after the last round the seats with most points share it."

    def check_rules(self):
        for rule, least, most in [("players", 2, 5), ("target", 2, 1000), ("rounds", 1, 1000)]:
            if not least <= self.rules[rule] <= most:
                raise Refused(f"expected {least} to {most}, got {self.rules[rule]}", rule=rule)

    def start(self, opening):
        return {"points": [0] * len(self.seats), "place": 0, "rolled": 0, "eyes": None, "round": 1, "rolls": False}

    def turn(self, state):
        return CHANCE if state["rolls"] else self.seats[state["place"]]

    def legal(self, state):
        # A seat that has forfeited plays the first one.
        return ["hold", "roll"]

    def apply(self, state, action):
        return self.next(state, state["rolled"], None) if action == "hold" else {**state, "rolls": True}

    def chances(self, state):
        return [(1, eyes) for eyes in range(1, 7)]

    def apply_chance(self, state, eyes):
        state = {**state, "rolls": False, "rolled": state["rolled"] + eyes, "eyes": eyes}
        return self.next(state, 0, eyes) if eyes == 1 else state

    def next(self, state, gained, eyes):
        place = state["place"]
        points = [*state["points"][:place], state["points"][place] + gained, *state["points"][place + 1 :]]
        is_last = place + 1 == len(points)
        place, number = (0, state["round"] + 1) if is_last else (place + 1, state["round"])
        return {"points": points, "place": place, "rolled": 0, "eyes": eyes, "round": number, "rolls": False}

    def outcome(self, state):
        best = max(state["points"])
        if best < self.rules["target"] and state["round"] <= self.rules["rounds"]:
            return None
        winners = [seat for seat, points in zip(self.seats, state["points"]) if points == best]
        return self.win(*winners, reason="target" if best >= self.rules["target"] else "rounds")

    def text(self, state):
        lines = [f"{seat}: {points}" for seat, points in zip(self.seats, state["points"])]
        return "\n".join([*lines, f"{self.seats[state['place']]} has rolled {state['rolled']}"])

    def picture(self, state, seat):
        table, target = Table("Pig"), self.rules["target"]
        for place, (name, points) in enumerate(zip(self.seats, state["points"])):
            is_playing = place == state["place"]
            table.row(name, [meter(points, target, width=344)], note=f"{points} of {target}", active=is_playing)
        die_or_none = die(state["eyes"], "red" if state["eyes"] == 1 else "white") if state["eyes"] else slot("roll")
        actions = [tile("roll", "green", action="roll"), tile("hold", "yellow", action="hold")]
        table.row("", [die_or_none, *actions], note=f"rolled in this turn: {state['rolled']}")
        return table.svg()


if __name__ == "__main__":
    serve(Pig)
