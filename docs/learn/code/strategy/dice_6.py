"""Step 6: values positions, attacks where the value rises most on average, and brings dice to where they count."""

from botyard import Bot, main
from botyard.dice_wars import END_TURN, MAX_DICE, DiceWars, player, win_probability


class Player(Bot):
    games = ["dice-wars"]

    def start(self, game):
        self.rules = DiceWars(game.rules)

    def choose(self, turn):
        view, me = turn.view, player(turn.seat)
        transfer = self.to_the_border(view, me) or self.along_the_border(view, me)
        if transfer:
            return {"transfer": transfer}
        now, worth = self.value(view, me), []
        for start, to in self.rules.attacks(view):
            dice = view["dice"][start - 1]
            chance = win_probability(dice, view["dice"][to - 1])
            won, lost = (self.value(self.rules.after_attack(view, start, to, won), me) for won in (True, False))
            gain = chance * won + (1 - chance) * lost - now
            if gain > 0 or dice == MAX_DICE:
                worth.append((gain, [start, to]))
        return {"attack": max(worth)[1]} if worth else END_TURN

    def value(self, view, me):
        """Returns the value of a position: regions, some of the dice, and the areas that can be held."""
        value = self.held(view, me)
        for owner, dice in zip(view["owners"], view["dice"]):
            value += 0.2 * dice if owner == me else -0.2 * dice
        for who, region in enumerate(view["regions"], 1):
            value += region if who == me else -region
        return value

    def held(self, view, me):
        """Returns how many of the own areas withstand the attacks of their neighbours, on average."""
        areas = enumerate(zip(view["owners"], view["dice"]), 1)
        return sum(self.rules.hold_probability(view, area, dice, me) for area, (owner, dice) in areas if owner == me)

    def along_the_border(self, view, me):
        """Returns the transfer after which the border holds best, and has the best attacks."""

        def border(view):
            best = {}
            for start, to in self.rules.attacks(view, me):
                chance = win_probability(view["dice"][start - 1], view["dice"][to - 1])
                best[to] = max(best.get(to, 0), chance)
            return self.held(view, me) + sum(best.values()) / 2

        worth = [(border(self.rules.after_transfer(view, *pair)), pair) for pair in self.rules.transfers(view)]
        most, pair = max(worth, default=(0, None))
        return pair if most > border(view) + 0.15 else None

    def to_the_border(self, view, me):
        """Returns the transfer that brings dice nearest to the border, at least two."""
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
            more = min(MAX_DICE - dice[to - 1], dice[start - 1] - 1)
            if more >= 2 and away.get(to, 0) < away.get(start, 0):
                # Where most dice of others are.
                threat = sum(dice[at - 1] for at in adjacent[to - 1] if owners[at - 1] != me)
                moved.append((-away[to], more, threat, [start, to]))
        return max(moved)[3] if moved else None


if __name__ == "__main__":
    main(Player)
