"""Step 4: Mr. X counts the stations that he can reach before the detectives."""

from math import log2

from botyard import Bot, main
from botyard.scotland_yard import BUS, TAXI, UNDERGROUND, ScotlandYard

#: The number of Mr. X's further steps that are counted.
AHEAD = 3


class Yard(Bot):
    games = ["scotland-yard"]

    def start(self, game):
        self.yard = ScotlandYard(game.rules, game.setup)
        self.yard.distances(1)  # Computes the tables before the clock runs.
        # The stations one step away, by any ticket that a detective has.
        self.exits = [
            {to for fare in (TAXI, BUS, UNDERGROUND) for to in self.yard.neighbours(at, fare)}
            for at in range(self.yard.stations + 1)
        ]

    def choose(self, turn):
        self.candidates = self.yard.candidates(turn.view)
        score = self.flight if turn.seat == "mr-x" else self.chase
        actions = turn.legal_actions()
        scores = [score(turn.view, action) for action in actions]
        best = max(scores)
        turn.info(score=best, text=f"{len(self.candidates)} stations")
        return turn.random.choice([action for action, of in zip(actions, scores) if of == best])

    def flight(self, view, action):
        detectives = [at["station"] for at in view["detectives"]]
        shown = len(view["log"]) + 1 in self.yard.rules["reveals"]
        entry = {"ticket": action["ticket"], "station": action["to"], "reveal": shown, "detectives": detectives}
        hidden = self.yard.candidates_after(self.candidates, entry)
        if not action.get("double"):
            return self.safety(action["to"], hidden, detectives) - 0.3 * (action["ticket"] == "black")
        # The second step comes before the detectives' next ones.
        hidden = {to for at in hidden for to in self.exits[at]}
        ends = self.exits[action["to"]].difference(detectives)
        return max((self.safety(to, hidden, detectives) for to in ends), default=-20) - 4

    def safety(self, station, hidden, detectives):
        """Returns how safe Mr. X is at a station while the detectives have to search the hidden ones."""
        tables = [self.yard.distances(at) for at in detectives]
        nearest = min(table[station] for table in tables)
        danger = 8 / len(hidden) if nearest <= 1 else 0
        return log2(1 + self.room(station, tables)) + log2(len(hidden)) / 2 + min(nearest, 4) / 4 - danger

    def room(self, station, tables):
        """Returns the number of stations that he can reach before every detective, each counted once a step."""
        reached, room = {station}, 0
        for step in range(1, AHEAD + 1):
            near = {to for at in reached for to in self.exits[at]}
            # The detectives move before his first step, and once more before they are too late.
            reached = {to for to in near if all(table[to] > step + 1 for table in tables)}
            room += len(reached)
        return room

    def chase(self, view, action):
        if action["to"] in self.candidates:
            return 1
        away = self.yard.distances(action["to"])
        before = self.yard.distances(view["detectives"][action["detective"] - 1]["station"])
        return sum(before[at] - away[at] for at in self.candidates) / len(self.candidates)


if __name__ == "__main__":
    main(Yard)
