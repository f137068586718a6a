"""Plays both sides of Scotland Yard, looking one action ahead.

Detectives step to where the mean distance to Mr. X's candidates is least. Mr. X steps to where the detectives are far
away and where he has many candidates.
"""

from typing import List, Optional

from botyard import Bot, FloatOption, Game, Turn, main
from botyard.scotland_yard import Action, ScotlandYard, View, spent

#: The distance of unreachable stations.
FAR = 20


class Detective(Bot[View, Action]):
    name = "detective"
    games = ["scotland-yard"]
    safety = FloatOption(1.0, min=0.0, max=10.0, about="weight of the nearest detective for Mr. X")

    def start(self, game: Game) -> None:
        self.yard = ScotlandYard(game.rules, game.setup)  # type: ignore[arg-type]
        self.yard.distances(1)  # Computes the tables before the clock runs.

    def choose(self, turn: Turn[View, Action]) -> Action:
        actions = turn.legal_actions()
        if turn.seat == "mr-x":
            scores = [self.score_of_flight(turn.view, action) for action in actions]
        else:
            candidates = self.yard.candidates(turn.view)
            turn.info(text=f"{len(candidates)} stations left", candidates=candidates[:20])
            scores = [self.score_of_chase(turn.view, action, candidates) for action in actions]
        best = max(scores)
        turn.info(score=best)
        return turn.random.choice([action for action, score in zip(actions, scores) if score == best])

    def score_of_chase(self, view: View, action: Action, candidates: List[int]) -> float:
        """Returns how near the detective comes to Mr. X's candidates; a step onto one counts most."""
        detective = view["detectives"][action["detective"] - 1]
        tickets = detective["tickets"]
        left = tickets and spent(tickets, action["ticket"])
        away = [self.away(action["to"], station, left is None or sum(left.values()) > 0) for station in candidates]  # type: ignore[arg-type]
        caught = 2.0 if action["to"] in candidates else 0.0
        before = [self.away(detective["station"], station, True) for station in candidates]
        return caught + sum(before) / len(before) - sum(away) / len(away)

    def score_of_flight(self, view: View, action: Action) -> float:
        """Returns how safe a station is for Mr. X: how far the nearest detectives are, and how many stations they
        must search. Black and double tickets are reserved for emergencies."""
        detectives = [detective["station"] for detective in view["detectives"]]
        distances = sorted(self.away(station, action["to"], True) for station in detectives)
        number = len(view["log"]) + 1
        reveals = self.yard.rules.get("reveals", [])
        shown = isinstance(reveals, list) and number in reveals
        entry = {"ticket": action["ticket"], "station": action["to"], "reveal": shown, "detectives": detectives}
        before = self.yard.candidates(view)
        hidden = len(self.yard.candidates_after(before, entry))  # type: ignore[arg-type]
        score = self.safety * min(distances[0], 4) + 0.2 * sum(distances) / len(distances)
        score += 0.05 * min(hidden, 30)
        score += 0.03 * len(self.yard.neighbours(action["to"]))
        if distances[0] <= 1:
            score -= 5.0
        if action["ticket"] == "black" and number <= 2:
            score -= 1.0
        return score - (1.5 if action.get("double") else 0.0)

    def away(self, start: Optional[int], goal: int, able: bool) -> float:
        """Returns the distance of two stations; far for a detective off the board or without tickets."""
        if start is None or (not able and start != goal):
            return FAR
        steps = self.yard.distances(start)[goal]
        return FAR if steps < 0 else steps


if __name__ == "__main__":
    main(Detective)
