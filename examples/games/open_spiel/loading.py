"""OpenSpiel's games by their names and parameters. What it cannot load is refused in its own words."""

import difflib
import functools
import os
import signal
import sys
from typing import Any, Dict, Mapping, Optional, Tuple

from botyard.rules import Refused
from names import CORRECTED_SCORES, LEFT_OUT

try:
    import pyspiel
except ImportError as error:
    sys.exit(
        f"this game needs OpenSpiel ({error}): run `pip install open_spiel` for the python3 that comes first in PATH, "
        "or activate the virtual environment that has it; programs in the sandbox can read the installations in PATH"
    )

Json = Any

#: The time in which a game with unusual parameters must be loaded, in seconds.
LONGEST_LOAD = 4


@functools.lru_cache(maxsize=64)
def types() -> Dict[str, Any]:
    """Returns the types of all games that can be played here, by name."""
    return {kind.short_name: kind for kind in pyspiel.registered_games() if kind.short_name not in LEFT_OUT}


def type_of(name: str) -> Any:
    """Returns the type of a game. Refuses a name that there is not."""
    if name in LEFT_OUT:
        raise Refused(f"{name} cannot be played here: {LEFT_OUT[name]}", rule="game")
    found = types().get(name)
    if found is None:
        near = difflib.get_close_matches(name, types(), 3) or list(types())[:3]
        raise Refused(f"OpenSpiel has no game {name!r}: expected one of its names, such as {', '.join(near)}", rule="game")
    return found


def parsed(text: str, rule: str) -> Dict[str, Any]:
    """Returns the parameters of a game in OpenSpiel's notation, ``hex(board_size=5)``, with its name as ``name``."""
    try:
        return dict(pyspiel.game_parameters_from_string(text))
    except RuntimeError as error:
        raise Refused(f"expected a game in OpenSpiel's notation, such as hex(board_size=5), got {text!r}: {error}", rule)


@functools.lru_cache(maxsize=8)
def _loaded(name: str, parameters: Tuple[Tuple[str, Any], ...]) -> Any:
    values = {key: parsed(value, key) if is_game else value for key, (value, is_game) in parameters}
    if values:
        try_first(name, values)
    return _begun(name, values)


def _begun(name: str, values: Mapping[str, Any]) -> Any:
    game = pyspiel.load_game(name, values)
    # Some games look at their parameters only now, and some accept what leaves nothing to do.
    state = game.new_initial_state()
    if draws_in_secret(game):
        while state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
    players = range(game.num_players()) if state.is_simultaneous_node() else [state.current_player()]
    if state.is_terminal() or not any(state.legal_actions(player) for player in players):
        raise ValueError("there is no legal action at its beginning")
    return game


def try_first(name: str, values: Mapping[str, Any]) -> None:
    """Loads a game in a child process, as parameters that some games do not expect end the process or never return.
    Raises :class:`ValueError` with what it printed. Does nothing where the sandbox allows no child processes."""
    sys.stderr.flush()
    reading, writing = os.pipe()
    try:
        child = os.fork()
    except OSError:
        os.close(reading)
        os.close(writing)
        return
    if child == 0:
        os.dup2(writing, 2)
        signal.alarm(LONGEST_LOAD)
        try:
            _begun(name, values)
        except Exception:
            pass  # The parent process will see it, too.
        os._exit(0)
    os.close(writing)
    with open(reading, encoding="utf-8", errors="replace") as printed:
        lines = printed.read().strip().split("\n")
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGALRM:
        raise ValueError(f"it was not loaded within {LONGEST_LOAD} seconds")
    if status != 0:
        raise ValueError(lines[-1] or "the process ended")


def load(name: str, parameters: Mapping[str, Any]) -> Any:
    """Returns OpenSpiel's game with these parameters, and its defaults for all others."""
    defaults = defaults_of(type_of(name))
    given = {}
    for key, value in parameters.items():
        if key not in defaults:
            known = ", ".join(defaults) or "none"
            raise Refused(f"{name} has no parameter {key!r}: its parameters are {known}", rule="parameters")
        default = defaults[key]
        if isinstance(default, float) and type(value) is int:
            value = float(value)
        if type(value) is not type(default):
            raise Refused(f"{name}: expected {key} as {type(default).__name__}, got {value!r}", rule="parameters")
        if value != default:
            given[key] = (value, isinstance(type_of(name).parameter_specification[key], dict))
    try:
        return _loaded(name, tuple(sorted(given.items())))
    except (ArithmeticError, MemoryError, RuntimeError, ValueError) as error:
        raise Refused(f"OpenSpiel cannot load {name}: {_first_line(error)}", rule="parameters") from error


def defaults_of(kind: Any) -> Dict[str, Any]:
    """Returns the parameters of a type with their defaults; games as parameters are texts in OpenSpiel's notation."""
    return {
        key: "" if isinstance(default, dict) else default
        for key, default in sorted(kind.parameter_specification.items())
    }


def draws_in_secret(game: Any) -> bool:
    """Whether chance is a generator of the game's own, which shows no outcomes."""
    kind = game.get_type()
    return bool(kind.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC)


def is_secret(game: Any) -> bool:
    """Whether something is hidden from a player: a card, or a decision of the same round."""
    kind = game.get_type()
    imperfect = kind.information == kind.Information.IMPERFECT_INFORMATION
    return bool(imperfect or kind.dynamics == kind.Dynamics.SIMULTANEOUS)


def _first_line(error: BaseException) -> str:
    return str(error).strip().split("\n")[0]


def scores_of(game: Any) -> Dict[str, Optional[float]]:
    """Returns the range of a player's points."""
    name = game.get_type().short_name
    least, most = CORRECTED_SCORES.get(name, (game.min_utility(), game.max_utility()))
    try:
        # Some games say 0 of a player alone.
        total = game.utility_sum() if game.num_players() > 1 else None
    except RuntimeError:
        total = None
    return {"least": least, "most": most if most > least else least + max(1, abs(least)), "sum": total}
