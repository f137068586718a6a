"""What the tests of the environment share. They need the compiled module, NumPy, PettingZoo and jsonschema:
``.ci/run environment`` installs them."""

import os
import random
import sys
from pathlib import Path
from typing import Any, Iterator, List, Tuple

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parents[3]
sys.path.insert(0, str(HERE.parent))

import kit  # noqa: E402,F401 - the kit on the path

from botyard.engine import Game, State, games  # noqa: E402

#: Every game under its default rules, and rules that change what the encodings depend on.
RULES: List[Tuple[str, Any]] = [
    *((name, None) for name in games()),
    ("scotland-yard", "grid-5x5-2"),
    ("scotland-yard", "nijssen"),
    ("scotland-yard", {"preset": "bristol", "seats": "pawns", "detectives": 3, "show_second_legs": True}),
    ("draughts", {"first_mover": "white", "ballots": "none", "compulsory_capture": False, "jump": "one_piece"}),
    ("dice-wars", "classic"),
    ("dice-wars", {"players": 2, "areas": "10-14"}),
    ("liars-dice", {"players": 4, "dice": 2}),
]


def games_of_rules() -> Iterator[Game]:
    """Every game of ``RULES`` with its own encoding, and every game with the one that suits all."""
    for name, rules in RULES:
        yield Game(name, rules)
    for name in games():
        yield Game(name, encoding="hashed")


def random_states(game: Game, count: int, seed: int = 1) -> Iterator[State]:
    """States of random games in progress, none of which the caller may change."""
    choose = random.Random(seed)
    state = game.start(seed)
    for _ in range(count):
        if state.is_terminal:
            seed += 1
            state = game.start(seed)
        yield state
        state.apply_index(choose.choice(state.legal_indices()))


def program() -> str:
    """The program ``botyard``: the variable ``BOTYARD``, or what cargo has built."""
    named = os.environ.get("BOTYARD")
    places = [named] if named else [str(REPOSITORY / f"target/{profile}/botyard") for profile in ("release", "debug")]
    for place in places:
        if os.access(place, os.X_OK):
            return place
    raise FileNotFoundError(f"there is no program botyard at {' or '.join(places)}: build it, or set BOTYARD to its path")
