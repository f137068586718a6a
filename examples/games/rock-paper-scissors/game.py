"""Rock, paper, scissors over several rounds. The seats of a round decide simultaneously: the referee asks one after the
other, and what the first one has thrown stays hidden until the second one has thrown too."""

from botyard.rules import Game, Refused, serve

THROWS = ["rock", "paper", "scissors"]


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

    def determinize(self, view, seat, random, setup):
        is_hidden = seat == "right" and view["to_move"] == "right"
        return {"rounds": view["rounds"], "thrown": random.choice(THROWS) if is_hidden else view["thrown"]}


if __name__ == "__main__":
    serve(RockPaperScissors)
