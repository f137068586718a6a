"""Step 6: makes the attack that gains most: regions that grow or fall apart, and areas that it can hold."""

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
        worth = []
        for start, to in self.rules.attacks(view):
            dice = view["dice"][start - 1]
            chance = win_probability(dice, view["dice"][to - 1])
            if chance > 0.5 or dice == MAX_DICE:
                worth.append((chance * (2 + self.gain(view, start, to, me)), [start, to]))
        return {"attack": max(worth)[1]} if worth else END_TURN

    def gain(self, view, start, to, me):
        """Returns what an attack gains if it is won: in regions, and by the probability to hold the area."""
        after, other = self.rules.after_attack(view, start, to, True), view["owners"][to - 1]
        mine, theirs = (after["regions"][who - 1] - view["regions"][who - 1] for who in (me, other))
        return mine - theirs + 4 * self.rules.hold_probability(after, to, after["dice"][to - 1], me)

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
