"""Step 2: makes the attack with the best odds while they are good."""

from botyard import Bot, main
from botyard.dice_wars import END_TURN, MAX_DICE, DiceWars, win_probability


class Player(Bot):
    games = ["dice-wars"]

    def start(self, game):
        self.rules = DiceWars(game.rules)

    def choose(self, turn):
        dice = turn.view["dice"]
        best, attack = max(
            ((win_probability(dice[start - 1], dice[to - 1]), [start, to]) for start, to in self.rules.attacks(turn.view)),
            default=(0, None),
        )
        good = best > 0.5 or (attack and dice[attack[0] - 1] == MAX_DICE)
        return {"attack": attack} if good else END_TURN


if __name__ == "__main__":
    main(Player)
