"""What OpenSpiel does not say about its games."""

from typing import Dict, Tuple

#: The names of seats, in OpenSpiel's order of players, where people have words for them.
SEATS: Dict[str, Tuple[str, ...]] = {
    "amazons": ("black", "white"),
    "breakthrough": ("black", "white"),
    "checkers": ("light", "dark"),
    "chess": ("black", "white"),
    "clobber": ("white", "black"),
    "connect_four": ("x", "o"),
    "dark_chess": ("black", "white"),
    "dark_hex": ("black", "white"),
    "go": ("black", "white"),
    "gomoku": ("black", "white"),
    "havannah": ("black", "white"),
    "hex": ("black", "white"),
    "kriegspiel": ("black", "white"),
    "lines_of_action": ("black", "white"),
    "nine_mens_morris": ("white", "black"),
    "othello": ("black", "white"),
    "phantom_go": ("black", "white"),
    "phantom_ttt": ("x", "o"),
    "rbc": ("black", "white"),
    "tic_tac_toe": ("x", "o"),
    "ultimate_tic_tac_toe": ("x", "o"),
    "y": ("black", "white"),
}

#: Games of the registry that cannot be played, and why.
LEFT_OUT: Dict[str, str] = {
    **dict.fromkeys(
        ("mfg_crowd_modelling", "mfg_crowd_modelling_2d", "mfg_dynamic_routing", "mfg_garnet"),
        "it is a mean field game, whose players are a distribution",
    ),
    "crossword": "OpenSpiel lists no actions for it",
}

#: Games whose returns leave the range that OpenSpiel states: the least and the most points that were met.
CORRECTED_SCORES: Dict[str, Tuple[float, float]] = {}

#: Games without a preset, as a command resolves every preset before it begins, and these take longer than all others.
SLOW_TO_LOAD = {"colored_trails"}
