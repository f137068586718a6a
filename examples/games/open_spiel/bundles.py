"""The games of bundles: one of OpenSpiel's games alone, or all of them."""

import json
from typing import Any, Mapping, Type

from botyard.rules import Game, Refused
from loading import defaults_of, draws_in_secret, is_secret, load, parsed, scores_of, type_of, types
from names import SLOW_TO_LOAD
from spiel import MOST_SEATS, SEED, OpenSpiel


def single(name: str, game: str) -> Type[OpenSpiel]:
    """Returns the game of a bundle that has this game alone, under this name."""
    given = parsed(game, "game")
    kind = type_of(str(given.pop("name")))
    defaults = {**defaults_of(kind), **{key: value for key, value in given.items() if not isinstance(value, dict)}}
    loaded = load(kind.short_name, {key: value for key, value in defaults.items()})
    kind = loaded.get_type()
    least, most = kind.min_num_players, min(kind.max_num_players, MOST_SEATS)
    is_ranged = "players" in defaults and least < most and all(_has_players(loaded, defaults, n) for n in (least, most))
    if is_ranged:
        defaults["players"] = loaded.num_players()
    else:
        defaults.pop("players", None)
    if draws_in_secret(loaded):
        defaults.pop(SEED, None)
    only = kind.short_name
    attributes = {
        "name": name,
        "only": only,
        "rules": {**defaults, "tensors": False},
        "presets": {"standard": (about(kind), {})},
        "hidden": is_secret(loaded),
        "chance": kind.chance_mode == kind.ChanceMode.EXPLICIT_STOCHASTIC,
        "simultaneous": kind.dynamics == kind.Dynamics.SIMULTANEOUS,
        "seats_rule": "players" if is_ranged else None,
        "scores": scores_of(loaded),
    }
    if kind.information == kind.Information.IMPERFECT_INFORMATION:
        attributes["determinize"] = Game.determinize  # OpenSpiel has none that needs only what a player knows.
    made: Type[OpenSpiel] = type("OnlyGame", (OpenSpiel,), attributes)
    if is_ranged:
        made.seats = (least, most)
    else:
        made.seats = made({}).seats
    return made


def about(kind: Any) -> str:
    """Returns one line about a game."""
    least, most = kind.min_num_players, min(kind.max_num_players, MOST_SEATS)
    players = f"{least} to {most} players" if least < most else f"{least} player{'s' if least > 1 else ''}"
    facts = {
        "chance": kind.chance_mode != kind.ChanceMode.DETERMINISTIC,
        "hidden information": kind.information == kind.Information.IMPERFECT_INFORMATION,
        "simultaneous": kind.dynamics == kind.Dynamics.SIMULTANEOUS,
    }
    return ", ".join([f"{kind.long_name} of OpenSpiel: {players}", *(fact for fact, is_so in facts.items() if is_so)])


def _has_players(game: Any, parameters: Mapping[str, Any], players: int) -> bool:
    """Whether a game can have this number of players, which in some follows from another parameter."""
    try:
        return bool(load(game.get_type().short_name, {**parameters, "players": players}).num_players() == players)
    except Refused:
        return False


def description(game: Type[OpenSpiel]) -> str:
    """Returns the line about the only game of a bundle, and its rules as a table of Markdown."""
    seats = game({}).seats
    lines = [about(game({}).kind), "", f"Seats: {', '.join(seats)}.", "", "| rule | default |", "| --- | --- |"]
    cells = ((name, json.dumps(default).replace("|", "\\|")) for name, default in game.rules.items())
    return "\n".join([*lines, *(f"| `{name}` | `{default}` |" for name, default in cells)])


def every() -> Type[OpenSpiel]:
    """Returns the game of the bundle that has all games: a preset for each that needs no parameters."""
    names = sorted(name for name, kind in types().items() if kind.default_loadable and name not in SLOW_TO_LOAD)
    names.sort(key=lambda name: name != OpenSpiel.rules["game"])
    OpenSpiel.presets = {name: (about(types()[name]), {"game": name}) for name in names}
    return OpenSpiel
