"""Step 4: takes what it can hold, first beside its largest region."""

from botyard import Bot, main
from botyard.dice_wars import END_TURN, MAX_DICE, DiceWars, player, win_probability


class Player(Bot):
    games = ["dice-wars"]

    def start(self, game):
        self.rules = DiceWars(game.rules)

    def choose(self, turn):
        view, me = turn.view, player(turn.seat)
        transfer = self.to_the_border(view, me)
        if transfer:
            return {"transfer": transfer}
        region = self.rules.largest_region(view, me)
        worth = []
        for start, to in self.rules.attacks(view):
            dice = view["dice"][start - 1]
            chance = win_probability(dice, view["dice"][to - 1])
            chance *= self.rules.hold_probability(view, to, dice - 1, me)
            if chance > 0.2 or dice == MAX_DICE:
                # The largest region brings the new dice.
                worth.append((chance * (3 if start in region else 1), [start, to]))
        return {"attack": max(worth)[1]} if worth else END_TURN

    def to_the_border(self, view, me):
        """Returns the transfer that brings most dice to the border, at least two."""
        owners, dice = view["owners"], view["dice"]

        def is_border(area):
            return any(owners[to - 1] != me for to in view["adjacent"][area - 1])

        moved = [
            (min(MAX_DICE - dice[to - 1], dice[start - 1] - 1), [start, to])
            for start, to in self.rules.transfers(view)
            if is_border(to) and not is_border(start)
        ]
        most, pair = max(moved, default=(0, None))
        return pair if most >= 2 else None


if __name__ == "__main__":
    main(Player)
