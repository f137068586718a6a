"""Step 3: brings its dice to the border before it attacks."""

from botyard import Bot, main
from botyard.dice_wars import END_TURN, MAX_DICE, DiceWars, player, win_probability


class Player(Bot):
    games = ["dice-wars"]

    def start(self, game):
        self.rules = DiceWars(game.rules)

    def choose(self, turn):
        view, dice = turn.view, turn.view["dice"]
        transfer = self.to_the_border(view, player(turn.seat))
        if transfer:
            return {"transfer": transfer}
        best, attack = max(
            ((win_probability(dice[start - 1], dice[to - 1]), [start, to]) for start, to in self.rules.attacks(view)),
            default=(0, None),
        )
        good = best > 0.5 or (attack and dice[attack[0] - 1] == MAX_DICE)
        return {"attack": attack} if good else END_TURN

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
