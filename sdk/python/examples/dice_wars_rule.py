"""Plays Dice Wars by one rule, that of the bot ``dw-stei``.

It makes the attack that it most probably wins and then holds until its next turn, if that is likely enough.
Attacks from its largest region count more, because that region brings the new dice.
"""

from typing import List, Optional, Tuple

from botyard import BoolOption, Bot, FloatOption, Game, Turn, main
from botyard.dice_wars import END_TURN, MAX_DICE, Action, DiceWars, View, player, win_probability


class Rule(Bot[View, Action]):
    name = "rule"
    games = ["dice-wars"]
    least = FloatOption(0.4, min=0.0, max=1.0, about="the least probability to win and hold, with three players or more")
    transfers = BoolOption(True, about="bring dice to the border before attacks")

    def start(self, game: Game) -> None:
        self.rules = DiceWars(game.rules)
        self.players = len(game.seats)

    def choose(self, turn: Turn[View, Action]) -> Action:
        view, me = turn.view, player(turn.seat)
        transfer = self.to_the_border(view, me) if self.transfers else None
        if transfer is not None:
            return {"transfer": transfer}
        least, weight = (0.2, 3.0) if self.players == 2 else (self.least, 2.0)
        region = self.rules.largest_region(view, me)
        worth: List[Tuple[float, Tuple[int, int]]] = []
        for start, to in self.rules.attacks(view):
            dice = view["dice"][start - 1]
            chance = win_probability(dice, view["dice"][to - 1])
            chance *= self.rules.hold_probability(view, to, dice - 1, me)
            if chance >= least or dice == MAX_DICE:
                worth.append((chance * (weight if start in region else 1.0), (start, to)))
        if not worth:
            return END_TURN
        best, pair = max(worth)
        turn.info(score=best)
        return {"attack": pair}

    def to_the_border(self, view: View, me: int) -> Optional[Tuple[int, int]]:
        """Returns the transfer that brings most dice to the border, at least two."""
        owners, dice = view["owners"], view["dice"]
        border = {area for area in range(1, len(owners) + 1) if any(owners[to - 1] != me for to in view["adjacent"][area - 1])}
        moved = [
            (min(MAX_DICE - dice[to - 1], dice[start - 1] - 1), (start, to))
            for start, to in self.rules.transfers(view)
            if start not in border and to in border
        ]
        most, pair = max(moved, default=(0, (0, 0)))
        return pair if most >= 2 else None


if __name__ == "__main__":
    main(Rule)
