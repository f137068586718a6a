"""Liar's Dice: the types of its views and actions, legal actions, and the probability of a bid.

The rules and the JSON are described in ``docs/games/liars-dice.md``.
"""

from math import factorial
from typing import Dict, List, Optional, Tuple, TypedDict, Union

from .bot import Rulebook

LIAR = "liar"
FACES = 6


class BidFields(TypedDict):
    """At least ``count`` of all dice show ``face``."""

    count: int
    face: int


class Bid(TypedDict):
    """A bid."""

    bid: BidFields


#: A bid, or ``"liar"``.
Action = Union[Bid, str]


class View(TypedDict):
    """For each seat the number of its dice that show 1 to 6 (``None`` if hidden), the last bid as (count, face), the
    number of bids, and the loser (the number of the seat from 0, and the reason)."""

    cups: List[Optional[List[int]]]
    bid: Optional[Tuple[int, int]]
    bids: int
    lost: Optional[Tuple[int, str]]


class LiarsDice(Rulebook):
    """The game under one set of rules."""

    NAME = "liars-dice"

    def __init__(self, rules: "Dict[str, object]", setup: "Dict[str, object]") -> None:
        self.players = int(str(rules.get("players", 2)))
        self.dice = int(str(rules.get("dice", 5)))

    def legal(self, view: View) -> List[Action]:
        """Returns the legal actions: ``"liar"`` after a bid, and the higher bids."""
        if view["lost"] is not None:
            return []
        last = tuple(view["bid"]) if view["bid"] is not None else (0, 0)
        actions: List[Action] = [LIAR] if view["bid"] is not None else []
        for count in range(1, self.players * self.dice + 1):
            for face in range(1, FACES + 1):
                if (count, face) > last:
                    actions.append({"bid": {"count": count, "face": face}})
        return actions

    def truth(self, view: View, count: int, face: int) -> float:
        """Returns the probability that at least ``count`` of all dice show ``face``, given the cups in the view.

        The hidden dice are taken as fair: nothing is concluded from the bids.
        """
        seen = sum(cup[face - 1] for cup in view["cups"] if cup is not None)
        hidden = self.dice * sum(cup is None for cup in view["cups"])
        needed = max(count - seen, 0)
        ways = sum(_choose(hidden, hits) * 5 ** (hidden - hits) for hits in range(needed, hidden + 1))
        return float(ways / 6**hidden)


def _choose(n: int, k: int) -> int:
    return factorial(n) // (factorial(k) * factorial(n - k))


RULEBOOK = LiarsDice
