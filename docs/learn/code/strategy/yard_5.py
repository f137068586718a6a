"""Step 5: each side foresees the other: the detectives' next round, and the stations that Mr. X likes."""

from math import log2

from botyard import Bot, main
from botyard.scotland_yard import BUS, TAXI, UNDERGROUND, ScotlandYard

#: The number of Mr. X's further steps that are counted.
AHEAD = 4


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
        self.likely = self.likelihood(turn.view)
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
        nearest = min(self.yard.distances(at)[station] for at in detectives)
        danger = 8 / len(hidden) if nearest <= 1 else 0
        detectives = self.next_round(hidden, detectives)
        danger += 5 * (station in detectives)
        tables = [self.yard.distances(at) for at in detectives]
        return log2(1 + self.room(station, tables)) + log2(len(hidden)) / 2 + min(nearest, 4) / 4 - danger

    def next_round(self, hidden, detectives):
        """Returns where the detectives are after a round in which each goes to the nearest hidden station that no
        other has taken."""
        goals, after = set(hidden), list(detectives)
        for number, at in enumerate(detectives):
            free = [to for to in self.exits[at] if to not in after]
            if free and goals:
                tables = {to: self.yard.distances(to) for to in free}
                after[number] = min(free, key=lambda to: min(tables[to][goal] for goal in goals))
                goals.discard(after[number])
        return after

    def room(self, station, tables):
        """Returns the number of stations that he can reach before every detective, each counted once a step."""
        reached, room = {station}, 0
        for step in range(1, AHEAD + 1):
            near = {to for at in reached for to in self.exits[at]}
            reached = {to for to in near if all(table[to] > step for table in tables)}
            room += len(reached)
        return room

    def chase(self, view, action):
        if action["to"] in self.likely:
            return 1 + self.likely[action["to"]]
        away = self.yard.distances(action["to"])
        before = self.yard.distances(view["detectives"][action["detective"] - 1]["station"])
        nearer = sum(weight * (before[at] - away[at]) for at, weight in self.likely.items())
        return nearer / sum(self.likely.values())

    def likelihood(self, view):
        """Returns how likely Mr. X is at each candidate: he went where no detective was near."""
        seen = view["log"][-1]["detectives"] if view["log"] else [at["station"] for at in view["detectives"]]
        tables = [self.yard.distances(at) for at in seen]
        return {at: min(5, *(table[at] for table in tables)) ** 2 for at in self.candidates}


if __name__ == "__main__":
    main(Yard)
