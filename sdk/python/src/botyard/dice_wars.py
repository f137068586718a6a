"""Dice Wars: the types of its views and actions, exact probabilities of battles, regions, and the results of attacks.

:class:`DiceWars` is the game under one set of rules. Functions that change a view return a copy. The rules and the
JSON are described in ``docs/games/dice-wars.md``.
"""

import random
from typing import Dict, List, Optional, Sequence, Set, Tuple, TypedDict, Union

from .bot import Rulebook

#: The largest number of dice on an area.
MAX_DICE = 8

#: The largest number of new dice after a turn.
MAX_NEW_DICE = 64

END_TURN = "end_turn"


class Attack(TypedDict):
    """An attack, from and to."""

    attack: Tuple[int, int]


class Transfer(TypedDict):
    """A transfer, from and to."""

    transfer: Tuple[int, int]


#: An attack, a transfer, or ``"end_turn"``.
Action = Union[Attack, Transfer, str]


class _View(TypedDict):
    to_move: int
    owners: List[int]
    dice: List[int]
    adjacent: List[List[int]]
    reserves: List[int]
    regions: List[int]
    places: List[Optional[int]]
    transfers_left: int
    turns: int
    battles: int
    quiet_turns: int


class View(_View, total=False):
    """The whole state; all seats have the same view. Area n is at ``[n - 1]``, and so is player n."""

    battle: Tuple[int, int]
    reinforcement: bool
    over: str


class Area(TypedDict):
    """An area of a map."""

    id: int
    adjacent: List[int]
    cells: List[Tuple[int, int]]


class Map(TypedDict):
    """A map."""

    areas: List[Area]


class Setup(TypedDict):
    """The constant data of a game: the map, and the first owners and dice."""

    map: Map
    owners: List[int]
    dice: List[int]


def _sums(dice: int) -> List[int]:
    """Returns the number of rolls of the dice by their sum."""
    rolls = [1]
    for _ in range(dice):
        longer = [0] * (len(rolls) + 6)
        for pips, count in enumerate(rolls):
            for face in range(1, 7):
                longer[pips + face] += count
        rolls = longer
    return rolls


def _probability(attacker: int, defender: int) -> float:
    mine, theirs = _sums(attacker), _sums(defender)
    wins = sum(count * sum(theirs[:pips]) for pips, count in enumerate(mine))
    return float(wins / 6 ** (attacker + defender))


#: ``WIN[a][d]``: the probability that ``a`` dice win against ``d``, 1 to 8 each.
WIN: List[List[float]] = [
    [_probability(a, d) if a and d else 0.0 for d in range(MAX_DICE + 1)] for a in range(MAX_DICE + 1)
]


def win_probability(attacker: int, defender: int) -> float:
    """Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact."""
    return WIN[attacker][defender]


def player(seat: str) -> int:
    """Returns the number of the player in a seat: 2 for ``player-2``."""
    return int(seat[len("player-") :])


class DiceWars(Rulebook):
    """The game under one set of rules."""

    NAME = "dice-wars"

    def __init__(self, rules: "Dict[str, object]", setup: Optional[Setup] = None) -> None:
        self.rules = rules
        self._wear = int(str(rules.get("wear", 0)))
        self._max_battles = int(str(rules.get("max_battles", 0)))
        self._transfers_break_quiet = rules.get("transfers_break_quiet") is True

    def legal(self, view: View) -> List[Action]:
        """Returns the legal actions of the player to move: attacks, transfers, and the end of the turn."""
        if "over" in view or "battle" in view or view.get("reinforcement"):
            return []
        actions: List[Action] = [{"attack": pair} for pair in self.attacks(view)]
        actions += [{"transfer": pair} for pair in self.transfers(view)]
        actions.append(END_TURN)
        return actions

    def attacks(self, view: View, player: Optional[int] = None) -> List[Tuple[int, int]]:
        """Returns the attacks of a player (by default the one to move): from and to, ascending."""
        owners, dice = view["owners"], view["dice"]
        me = view["to_move"] if player is None else player
        return [
            (area, to)
            for area, owner in enumerate(owners, 1)
            if owner == me and dice[area - 1] > 1
            for to in view["adjacent"][area - 1]
            if owners[to - 1] != me
        ]

    def transfers(self, view: View) -> List[Tuple[int, int]]:
        """Returns the transfers of the player to move: from and to, ascending."""
        if not view["transfers_left"]:
            return []
        owners, dice, me = view["owners"], view["dice"], view["to_move"]
        return [
            (area, to)
            for area, owner in enumerate(owners, 1)
            if owner == me and dice[area - 1] > 1
            for to in view["adjacent"][area - 1]
            if owners[to - 1] == me and dice[to - 1] < MAX_DICE
        ]

    def regions(self, view: View, player: int) -> List[List[int]]:
        """Returns the connected regions of a player, the one with the lowest area first, each ascending."""
        return _regions(view["owners"], view["adjacent"], player)

    def largest_region(self, view: View, player: int) -> List[int]:
        """Returns the largest connected region of a player; if several are largest, the one with the lowest area."""
        return max(self.regions(view, player), key=len, default=[])

    def new_dice(self, view: View, player: int) -> int:
        """Returns the number of dice that a player would get if its turn ended now, including its reserve."""
        return min(view["reserves"][player - 1] + view["regions"][player - 1], MAX_NEW_DICE)

    def after_attack(self, view: View, start: int, to: int, won: bool) -> View:
        """Returns the view after an attack that was won or lost."""
        after = _copy(view)
        owners, dice = after["owners"], after["dice"]
        if won:
            loser = owners[to - 1]
            owners[to - 1] = owners[start - 1]
            dice[to - 1] = dice[start - 1] - 1
        else:
            wear = dice[start - 1] // self._wear if self._wear else 0
            dice[to - 1] = max(dice[to - 1] - wear, 1)
        dice[start - 1] = 1
        after["battles"] += 1
        after["quiet_turns"] = 0
        if won:
            for who in {owners[start - 1], loser}:
                sizes = [len(region) for region in _regions(owners, after["adjacent"], who)]
                after["regions"][who - 1] = max(sizes, default=0)
            if loser not in owners:
                _eliminate(after, loser)
        if "over" not in after and self._max_battles and after["battles"] >= self._max_battles:
            after["over"] = "max_battles"
        return after

    def after_transfer(self, view: View, start: int, to: int) -> View:
        """Returns the view after a transfer."""
        after = _copy(view)
        dice = after["dice"]
        moved = min(MAX_DICE - dice[to - 1], dice[start - 1] - 1)
        dice[start - 1] -= moved
        dice[to - 1] += moved
        after["transfers_left"] -= 1
        if self._transfers_break_quiet:
            after["quiet_turns"] = 0
        return after

    def attack_at_random(self, view: View, start: int, to: int, rng: random.Random) -> View:
        """Returns the view after an attack with a random winner, drawn with the exact probability."""
        chance = WIN[view["dice"][start - 1]][view["dice"][to - 1]]
        return self.after_attack(view, start, to, rng.random() < chance)

    def hold_probability(self, view: View, area: int, dice: int, player: int) -> float:
        """Returns the probability that an area of a player with these dice withstands one attack by each
        neighbour that is another player's and has more than one die."""
        hold = 1.0
        for other in view["adjacent"][area - 1]:
            if view["owners"][other - 1] != player and view["dice"][other - 1] > 1:
                hold *= 1.0 - WIN[view["dice"][other - 1]][dice]
        return hold


def _copy(view: View) -> View:
    after = view.copy()
    after["owners"] = list(view["owners"])
    after["dice"] = list(view["dice"])
    after["regions"] = list(view["regions"])
    after["places"] = list(view["places"])
    return after


def _regions(owners: Sequence[int], adjacent: Sequence[Sequence[int]], player: int) -> List[List[int]]:
    seen: Set[int] = set()
    regions = []
    for area, owner in enumerate(owners, 1):
        if owner != player or area in seen:
            continue
        region = [area]
        seen.add(area)
        for at in region:
            for to in adjacent[at - 1]:
                if owners[to - 1] == player and to not in seen:
                    seen.add(to)
                    region.append(to)
        regions.append(sorted(region))
    return regions


def _eliminate(view: View, player: int) -> None:
    places = view["places"]
    if places[player - 1] is None:
        places[player - 1] = places.count(None)
    if places.count(None) == 1:
        last = places.index(None) + 1
        view["over"] = "conquest" if all(owner == last for owner in view["owners"]) else "forfeit"


RULEBOOK = DiceWars
