"""Step 5: brings dice to the border from anywhere, over several areas."""

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
        """Returns the transfer that brings most dice nearer to the border, at least two."""
        owners, dice, adjacent = view["owners"], view["dice"], view["adjacent"]
        mine = [area for area, owner in enumerate(owners, 1) if owner == me]
        away = {area: 0 for area in mine if any(owners[to - 1] != me for to in adjacent[area - 1])}
        queue = list(away)
        for area in queue:
            for to in adjacent[area - 1]:
                if owners[to - 1] == me and to not in away:
                    away[to] = away[area] + 1
                    queue.append(to)
        moved = []
        for start, to in self.rules.transfers(view):
            if away.get(to, 0) < away.get(start, 0):
                # To the border rather than within, and where most dice of others are.
                threat = sum(dice[at - 1] for at in adjacent[to - 1] if owners[at - 1] != me)
                moved.append((min(MAX_DICE - dice[to - 1], dice[start - 1] - 1), -away[to], threat, [start, to]))
        most, _, _, pair = max(moved, default=(0, 0, 0, None))
        return pair if most >= 2 else None


if __name__ == "__main__":
    main(Player)
