"""Rock, paper, scissors over several rounds. The seats of a round decide simultaneously: the referee asks one after the
other, and what the first one has thrown stays hidden until the second one has thrown too."""

from botyard.drawing import circle, path, rect
from botyard.rules import Game, Refused, serve
from botyard.tables import Item, Table, back, slot

THROWS = ["rock", "paper", "scissors"]

# The throws as they are drawn on cards of 80 by 112.
SIGNS = {
    "rock": path("M18 72L22 52 36 40 54 42 64 58 60 74 40 80Z", "#8b8f94", "#4f5358", 2)
    + path("M36 40L42 58 64 58M42 58L40 80M42 58L22 62", "none", "#4f5358", 1.2),
    "paper": rect(22, 34, 36, 46, "#ffffff", stroke="#55606e", stroke_width=2)
    + path("M28 44H52M28 52H52M28 60H52M28 68H44", "none", "#8fa7c4", 2),
    "scissors": path("M28 34L48 66M52 34L32 66", "none", "#6d747c", 5, stroke_linecap="round")
    + "".join(circle(x, 74, 8, "none", stroke="#b5322c", stroke_width=5) for x in (28, 52)),
}


def shown(throw, action=None):
    """A throw as a card."""
    sheet = rect(2, 3, 80, 112, "#000000", rx=7, fill_opacity=0.28)
    sheet += rect(0, 0, 80, 112, "#fdfaf2", rx=7, stroke="#8d8574", stroke_width=1.2)
    return Item(80, 112, sheet + SIGNS[throw], action, throw)


class RockPaperScissors(Game):
    name = "rock-paper-scissors"
    seats = ["left", "right"]
    rules = {"rounds": 10}
    hidden = True
    simultaneous = True
    scoring = "a game is won by the seat that won more rounds; otherwise each seat gets half a point."

    def check_rules(self):
        if not 1 <= self.rules["rounds"] <= 1000:
            raise Refused(f"expected 1 to 1000 rounds, got {self.rules['rounds']}", rule="rounds")

    def start(self, opening):
        return {"rounds": [], "thrown": None}

    def turn(self, state):
        return "left" if state["thrown"] is None else "right"

    def legal(self, state):
        return THROWS

    def apply(self, state, action):
        if state["thrown"] is None:
            state["thrown"] = action
        else:
            state["rounds"].append([state["thrown"], action])
            state["thrown"] = None
        return state

    def outcome(self, state):
        if len(state["rounds"]) < self.rules["rounds"]:
            return None
        # Each throw beats the one before it in the list, and the first one the last.
        ahead = [(THROWS.index(left) - THROWS.index(right)) % 3 for left, right in state["rounds"]]
        left, right = ahead.count(1), ahead.count(2)
        return self.tie() if left == right else self.win("left" if left > right else "right")

    def view(self, state, seat):
        own = state["thrown"] if seat == "left" else None
        return {"rounds": state["rounds"], "thrown": own, "to_move": self.turn(state)}

    def seen(self, state, seat, actor, event):
        if seat == "left":
            return event
        # The end of a round shows right both throws.
        return None if actor == "left" else state["rounds"][-1]

    def picture(self, state, seat):
        table, is_over = Table("Rock, paper, scissors"), len(state["rounds"]) == self.rules["rounds"]
        for place, name in enumerate(self.seats):
            won = sum((THROWS.index(pair[place]) - THROWS.index(pair[1 - place])) % 3 == 1 for pair in state["rounds"])
            cards = [shown(pair[place]) for pair in state["rounds"][-3:]]
            if state["thrown"]:
                own = shown(state["thrown"]) if seat in ("left", None) else back()
                cards.append(own if name == "left" else slot())
            is_next = not is_over and self.turn(state) == name
            table.row(name, cards, note=f"{won} won of {len(state['rounds'])}", active=is_next)
        if not is_over:
            table.row("throw", [shown(throw, action=throw) for throw in THROWS])
        return table.svg()

    def determinize(self, view, seat, random, setup):
        is_hidden = seat == "right" and view["to_move"] == "right"
        return {"rounds": view["rounds"], "thrown": random.choice(THROWS) if is_hidden else view["thrown"]}


if __name__ == "__main__":
    serve(RockPaperScissors)
