"""Step 3: detectives go to where Mr. X can be; Mr. X also counts where he can be."""

from botyard import Bot, main
from botyard.scotland_yard import ScotlandYard


class Yard(Bot):
    games = ["scotland-yard"]

    def start(self, game):
        self.yard = ScotlandYard(game.rules, game.setup)
        self.yard.distances(1)  # Computes the tables before the clock runs.

    def choose(self, turn):
        self.candidates = self.yard.candidates(turn.view)
        score = self.flight if turn.seat == "mr-x" else self.chase
        actions = turn.legal_actions()
        scores = [score(turn.view, action) for action in actions]
        best = max(scores)
        turn.info(score=best, text=f"{len(self.candidates)} stations")
        return turn.random.choice([action for action, of in zip(actions, scores) if of == best])

    def flight(self, view, action):
        stations = [at["station"] for at in view["detectives"]]
        nearest = min(self.yard.distances(station)[action["to"]] for station in stations)
        shown = len(view["log"]) + 1 in self.yard.rules["reveals"]
        entry = {"ticket": action["ticket"], "station": action["to"], "reveal": shown, "detectives": stations}
        hidden = len(self.yard.candidates_after(self.candidates, entry))
        # Double and black tickets are few.
        price = 2 * bool(action.get("double")) + (action["ticket"] == "black")
        return min(nearest, 3) + 0.05 * min(hidden, 30) - price

    def chase(self, view, action):
        if action["to"] in self.candidates:
            return 1
        away = self.yard.distances(action["to"])
        before = self.yard.distances(view["detectives"][action["detective"] - 1]["station"])
        return sum(before[at] - away[at] for at in self.candidates) / len(self.candidates)


if __name__ == "__main__":
    main(Yard)
