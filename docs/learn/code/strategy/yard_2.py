"""Step 2: detectives go to where Mr. X was last seen; Mr. X keeps away from the nearest detective."""

from botyard import Bot, main
from botyard.scotland_yard import ScotlandYard


class Yard(Bot):
    games = ["scotland-yard"]

    def start(self, game):
        self.yard = ScotlandYard(game.rules, game.setup)
        self.yard.distances(1)  # Computes the tables before the clock runs.

    def choose(self, turn):
        score = self.flight if turn.seat == "mr-x" else self.chase
        actions = turn.legal_actions()
        scores = [score(turn.view, action) for action in actions]
        best = max(scores)
        return turn.random.choice([action for action, of in zip(actions, scores) if of == best])

    def flight(self, view, action):
        return min(self.yard.distances(at["station"])[action["to"]] for at in view["detectives"])

    def chase(self, view, action):
        seen = [entry["station"] for entry in view["log"] if entry["station"] is not None]
        return -self.yard.distances(action["to"])[seen[-1]] if seen else 0


if __name__ == "__main__":
    main(Yard)
