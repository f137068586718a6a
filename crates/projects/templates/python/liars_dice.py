"""Plays Liar's Dice by the probability of each bid, given its own dice.

It makes the bid that is most probably true, or calls the last bid a lie if that is more probable.
"""

from botyard import Bot, Game, Turn, main
from botyard.liars_dice import Action, LiarsDice, View


class Counter(Bot[View, Action]):
    name = "counter"
    games = ["liars-dice"]

    def start(self, game: Game) -> None:
        self.rules = LiarsDice(game.rules, {})

    def choose(self, turn: Turn[View, Action]) -> Action:
        return max(turn.legal_actions(), key=lambda action: self.chance(turn.view, action))

    def chance(self, view: View, action: Action) -> float:
        """Returns the probability that an action is right."""
        if isinstance(action, str):
            last = view["bid"]
            return 1.0 - self.rules.truth(view, last[0], last[1]) if last is not None else 0.0
        return self.rules.truth(view, action["bid"]["count"], action["bid"]["face"])


if __name__ == "__main__":
    main(Counter)
