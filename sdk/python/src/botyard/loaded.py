"""Games whose rules are a program, as Python objects: what a bot trains on is what the referee plays.

::

    from botyard.rules import load

    with load("./nim") as game:
        state = game.new_initial_state(seed=1)
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
        print(state.returns())

The interface is that of the states of OpenSpiel, so algorithms in Python that were written for them run:
:class:`State` says where it differs. ``game.env()`` is an environment of PettingZoo.

The program runs as a child process **without a sandbox**: it can do what you can do. Load your own games, and those
that you trust. One process serves all states of a game, from one thread.
"""

import json
import random as _random
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from ._program import ProgramFailed, RunningProgram, manifest_of
from .rules import CHANCE, RULES_PROTOCOL, Refused

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["LoadedGame", "ProgramFailed", "State", "load"]

Json = Dict[str, Any]

#: What ``State.current_player`` returns at chance and at the end, as in OpenSpiel.
CHANCE_PLAYER, TERMINAL_PLAYER = -1, -4

# Random games that number the actions: they end when this many in a row have shown no new action.
_QUIET_GAMES, _MOST_GAMES, _MOST_DECISIONS = 10, 200, 20_000


def load(directory: Union[str, Path], rules: Any = None, answer_seconds: float = 10) -> "LoadedGame":
    """Starts the program of the game in a directory with a ``game.toml``.

    ``rules`` is the name of a preset, or a dictionary with changed rules, in which the key ``preset`` names another
    preset than the first. The program is ended by ``close()``, by the end of a ``with`` block, or with this process.

    Raises :class:`FileNotFoundError` or :class:`ValueError` if the directory has no game, :class:`Refused` if the
    program refuses the rules, and :class:`ProgramFailed` if it cannot be started or fails.
    """
    return LoadedGame(directory, rules, answer_seconds)


class LoadedGame:
    """A game under one set of rules, as its program describes it: see :func:`load`."""

    def __init__(self, directory: Union[str, Path], rules: Any = None, answer_seconds: float = 10) -> None:
        self.directory = Path(directory)
        manifest = manifest_of(self.directory)
        self._given = (rules, answer_seconds)
        self._process = RunningProgram(manifest["run"], self.directory, answer_seconds)
        try:
            self._describe(manifest, rules)
        except BaseException:
            self.close()
            raise
        self._abilities = set(self.description.get("abilities", []))
        self._numbers: Dict[str, int] = {}
        self._actions: List[Any] = []
        self._distinct: Optional[int] = None
        # The state that the program has now.
        self._holder: "Callable[[], Optional[State]]" = lambda: None

    def _describe(self, manifest: Json, rules: Any) -> None:
        #: The answer of the program to ``hello``.
        self.description = self._process.ask({"type": "hello", "rules_protocol": RULES_PROTOCOL}, "hello")
        #: The name of the game.
        self.name = str(self.description.get("name"))
        if self.name != manifest["name"] or self.description.get("rules_protocol") != RULES_PROTOCOL:
            raise self._process.failed(
                f"expected the name {manifest['name']!r}, as in game.toml, and the rules protocol {RULES_PROTOCOL}; "
                f"got {self.name!r} and {self.description.get('rules_protocol')!r}"
            )
        changes = _changes(rules, [*self.description.get("presets", []), *_presets(manifest)])
        resolved = self._process.ask({"type": "new", "rules": changes}, "rules")
        #: Every rule with its value.
        self.rules: Json = resolved["rules"]
        unknown = sorted(set(changes) - set(self.rules))
        if unknown:
            raise ValueError(f"expected rules of {', '.join(self.rules) or 'a game without any'}, got {unknown[0]!r}")
        #: The names of the seats.
        self.seats: List[str] = resolved.get("seats") or self.description.get("seats") or []
        if not self.seats or not all(isinstance(seat, str) for seat in self.seats):
            raise self._process.failed(f"expected the names of the seats from hello or new, got {self.seats!r}")
        scores = {"least": 0, "most": 1, "sum": 1, **(resolved.get("scores") or self.description.get("scores") or {})}
        #: The least and the most points of a seat.
        self.least, self.most = scores["least"], scores["most"]
        self._sum = scores["sum"]

    def close(self) -> None:
        """Ends the program. Does nothing if it was ended before."""
        self._process.close()

    def __enter__(self) -> "LoadedGame":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"load({str(self.directory)!r}, {self.rules!r})"

    def num_players(self) -> int:
        """Returns the number of seats."""
        return len(self.seats)

    def new_initial_state(self, seed: Optional[int] = None, opening: Any = None) -> "State":
        """Returns the state with which a game begins: that of an opening, or of one that is drawn from the seed.

        The same seed gives the same game for the same actions. Where outcomes of chance are listed, they are yours to
        choose, as in OpenSpiel.
        """
        return State(self, _random.Random(seed), opening)

    def new_initial_states(self) -> "List[State]":
        return [self.new_initial_state()]

    def min_utility(self) -> float:
        return float(self.least)

    def max_utility(self) -> float:
        return float(self.most)

    def get_type(self) -> Any:
        """Returns the type of the game as OpenSpiel's ``GameType``, for its algorithms. Needs ``pyspiel``."""
        import pyspiel

        of, has = pyspiel.GameType, self.description.get
        sums = {None: of.Utility.GENERAL_SUM, 0: of.Utility.ZERO_SUM}
        utility = sums.get(self._sum, of.Utility.CONSTANT_SUM)
        return of(
            short_name=self.name,
            long_name=self.name,
            dynamics=of.Dynamics.SEQUENTIAL,
            chance_mode=of.ChanceMode.EXPLICIT_STOCHASTIC if has("chance") else of.ChanceMode.DETERMINISTIC,
            information=of.Information.IMPERFECT_INFORMATION if has("hidden") else of.Information.PERFECT_INFORMATION,
            utility=utility,
            reward_model=of.RewardModel.TERMINAL,
            max_num_players=self.num_players(),
            min_num_players=self.num_players(),
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=False,
        )

    @property
    def actions(self) -> List[Any]:
        """The actions by number: those of the JSON Schema ``action`` if that is an ``enum``, otherwise those that are
        legal in some random games, which are always the same."""
        self._number()
        return list(self._actions[: self._distinct])

    def num_distinct_actions(self) -> int:
        """Returns the length of :attr:`actions`. Actions with greater numbers can turn up in rare positions."""
        return self._number()

    def env(
        self, render_mode: Optional[str] = None, observe: "Optional[Callable[[Any, str], npt.ArrayLike]]" = None
    ) -> Any:
        """Returns an environment of PettingZoo with its checks: an illegal action ends the game.

        It starts a program of its own, which ``close()`` of the environment ends. ``observe`` turns the view of a seat
        and its name into an array that always has the same shape; by default it is
        :func:`botyard.features.features`. Needs PettingZoo and NumPy, and a game that lists its actions.
        """
        from .env.aec import wrapped

        return wrapped(self.raw_env(render_mode, observe))

    def raw_env(
        self, render_mode: Optional[str] = None, observe: "Optional[Callable[[Any, str], npt.ArrayLike]]" = None
    ) -> Any:
        """Returns the environment without the checks."""
        try:
            from .env.programs import ProgramEnv
        except ModuleNotFoundError as error:
            if error.name is None or not error.name.startswith(__package__ or "botyard"):
                raise
            raise ImportError("a copied kit has no environments: pip install botyard") from error
        self._number()
        own = LoadedGame(self.directory, *self._given)
        own._actions, own._numbers, own._distinct = list(self._actions), dict(self._numbers), self._distinct
        return ProgramEnv(own, render_mode, observe)

    def _number(self) -> int:
        if self._distinct is not None:
            return self._distinct
        schema = (self.description.get("schemas") or {}).get("action") or {}
        listed = schema.get("enum")
        if listed is not None:
            for action in listed:
                self._number_of(action)
        else:
            self._explore()
        self._distinct = len(self._actions)
        return self._distinct

    def _explore(self) -> None:
        quiet = decisions = 0
        for seed in range(_MOST_GAMES):
            if quiet >= _QUIET_GAMES or decisions >= _MOST_DECISIONS:
                return
            known, state, choose = len(self._actions), self.new_initial_state(seed), _random.Random(seed)
            while not state.is_terminal():
                if state.is_chance_node():
                    state.draw_chance()
                    continue
                legal = state.legal()
                for action in legal:
                    self._number_of(action)
                state.apply(choose.choice(legal))
                decisions += 1
                if decisions >= _MOST_DECISIONS:
                    break
            quiet = quiet + 1 if len(self._actions) == known else 0

    def _number_of(self, action: Any) -> int:
        key = _canonical(action)
        number = self._numbers.get(key)
        if number is None:
            number = self._numbers[key] = len(self._actions)
            self._actions.append(action)
        return number


class State:
    """A state of a loaded game, with the methods of OpenSpiel's.

    * Actions are numbers: :meth:`action` is the game's own, :meth:`apply` plays one of those. At chance, numbers are
      places among the listed outcomes.
    * Seats that decide simultaneously have one turn after the other, as in the protocol.
    * :meth:`observation_string` and :meth:`information_state_string` are both what a seat may know: its view.
    """

    def __init__(self, game: LoadedGame, random: _random.Random, opening: Any = None) -> None:
        self._game = game
        self._random = random
        self._history: List[int] = []
        self._events: List[Json] = []
        self._saved: Any = None
        request: Json = {"type": "open"}
        if opening is None:
            request["random"] = _bits(random)
        else:
            request["opening"] = opening
        self._leave()
        position = self._ask(request)
        #: The opening, as JSON.
        self.opening: Any = position.get("opening", opening if opening is not None else {})
        self._setup = position.get("setup", {})
        self._setups: Json = position.get("setups", {})
        self._hold(position)

    # Whose turn it is.

    def current_player(self) -> int:
        """Returns the place of the seat to move, -1 at chance, and -4 at the end."""
        to_move = self._position["to_move"]
        if to_move == "over":
            return TERMINAL_PLAYER
        return CHANCE_PLAYER if to_move == CHANCE else self._game.seats.index(to_move)

    def is_terminal(self) -> bool:
        return bool(self._position["to_move"] == "over")

    def is_chance_node(self) -> bool:
        return bool(self._position["to_move"] == CHANCE)

    def is_simultaneous_node(self) -> bool:
        return False

    # Actions.

    def legal(self) -> List[Any]:
        """Returns the legal actions as the game writes them. Raises :class:`ValueError` if it lists none."""
        if self.current_player() < 0:
            return []
        if "legal" not in self._position:
            raise ValueError(
                f"{self._game.name} does not list its legal actions here: apply() plays an action, and refuses others"
            )
        return list(self._position["legal"])

    def legal_actions(self, player: Optional[int] = None) -> List[int]:
        """Returns the numbers of the legal actions, ascending; none for a player who is not to move."""
        if self.is_chance_node():
            return [number for number, _ in self.chance_outcomes()]
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        self._game._number()
        return sorted(self._game._number_of(action) for action in self.legal())

    def legal_actions_mask(self, player: Optional[int] = None) -> List[int]:
        """Returns 1 for each legal action, and 0 for the others, by number."""
        mask = [0] * self._game.num_distinct_actions()
        if not self.is_chance_node():
            for number in self.legal_actions(player):
                if number < len(mask):
                    mask[number] = 1
        return mask

    def action(self, number: int) -> Any:
        """Returns the action, or here the outcome of chance, with this number, as the game writes it."""
        if self.is_chance_node():
            listed = [outcome for _, outcome in self._position.get("chances", [])]
        else:
            self._game._number()
            listed = self._game._actions
        if not 0 <= number < len(listed):
            raise ValueError(f"expected the number of an action from 0 to {len(listed) - 1}, got {number}")
        return listed[number]

    def action_to_string(self, player: int, number: Optional[int] = None) -> str:
        """Returns an action as text: ``action_to_string(player, number)``, or ``action_to_string(number)``."""
        action = self.action(player if number is None else number)
        return action if isinstance(action, str) else _canonical(action)

    def apply_action(self, number: int) -> None:
        """Plays the legal action with this number, or applies that outcome of chance."""
        if self.is_chance_node():
            if "chances" not in self._position and number == 0:
                self.draw_chance()
                return
            self._go({"type": "chance", "chance": self.action(number)}, number)
        else:
            self.apply(self.action(number))

    def apply(self, action: Any) -> None:
        """Plays an action in the game's own JSON. Raises :class:`Refused` with the reason if it is not legal."""
        if self.current_player() < 0:
            raise Refused(f"no seat is to move: it is {self._position['to_move']}")
        legal = self._position.get("legal")
        if legal is not None:
            wanted = _canonical(action)
            found = [one for one in legal if _canonical(one) == wanted]
            if not found:
                more = ", ..." if len(legal) > 10 else ""
                some = ", ".join(_canonical(one) for one in legal[:10]) + more
                raise Refused(f"expected one of {len(legal)} legal actions: {some}; got {wanted}")
            action = found[0]
        number = self._game._number_of(action) if self._game._distinct is not None else -1
        self._go({"type": "play", "seat": self._position["to_move"], "action": action}, number)

    def chance_outcomes(self) -> List[Tuple[int, float]]:
        """Returns the numbers of the outcomes of chance with their probabilities. Where the game does not list them,
        there is one, 0, which draws."""
        if not self.is_chance_node():
            raise ValueError(f"nothing is drawn now: it is the turn of {self._position['to_move']}")
        chances = self._position.get("chances")
        if chances is None:
            return [(0, 1.0)]
        return [(number, float(probability)) for number, (probability, _) in enumerate(chances)]

    def draw_chance(self) -> None:
        """Lets the game draw the outcome of chance, from the seed of this state."""
        if not self.is_chance_node():
            raise ValueError(f"nothing is drawn now: it is the turn of {self._position['to_move']}")
        self._go({"type": "chance", "random": _bits(self._random)}, None)

    def history(self) -> List[int]:
        """Returns the numbers of all actions and outcomes so far; -1 for what had no number."""
        return list(self._history)

    def history_str(self) -> str:
        return ", ".join(map(str, self._history))

    # What is known, and the end.

    def view(self, player: Union[int, str, None] = None) -> Any:
        """Returns all that a seat may know, as JSON: by default the seat to move."""
        seat = self._seat(player)
        if seat not in self._views:
            if seat == self._position["to_move"]:
                self._views[seat] = self._position["view"]
            else:
                self._enter()
                self._views[seat] = self._game._process.ask({"type": "view", "seat": seat}, "view")["view"]
        return self._views[seat]

    def setup(self, player: Union[int, str, None] = None) -> Any:
        """Returns what never changes in this game, as far as a seat may know it."""
        return self._setups.get(self._seat(player), self._setup)

    def observation_string(self, player: Union[int, str, None] = None) -> str:
        """Returns what a seat may know, as text: equal for states that it cannot tell apart."""
        setup = self.setup(player)
        return _canonical([setup, self.view(player)] if setup else self.view(player))

    def information_state_string(self, player: Union[int, str, None] = None) -> str:
        """Returns what :meth:`observation_string` does, after the name of the seat."""
        return f"{self._seat(player)} {self.observation_string(player)}"

    def outcome(self) -> Optional[Json]:
        """Returns the outcome as the game writes it: ``scores``, ``reason``, ``ranks``; ``None`` before the end."""
        return self._position.get("outcome")

    def returns(self) -> List[float]:
        """Returns the points of each seat; zeros before the end."""
        outcome = self.outcome()
        return [float(score) for score in outcome["scores"]] if outcome else [0.0] * len(self._game.seats)

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def rewards(self) -> List[float]:
        """Returns the points of each seat from -1, the least, to 1, the most; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * len(self._game.seats)
        least, span = self._game.least, self._game.most - self._game.least
        return [(score - least) / span * 2 - 1 if span else 0.0 for score in self.returns()]

    def json(self) -> Any:
        """Returns the whole state as JSON, with all that is hidden."""
        self._save()
        return self._saved

    def picture(self, player: Union[int, str, None] = None) -> Optional[str]:
        """Returns the state as an SVG document, as far as a seat may see it; ``None`` if the game draws nothing."""
        if "draw" not in self._game._abilities:
            return None
        self._enter()
        seat = {} if player is None else {"seat": self._seat(player)}
        return str(self._game._process.ask({"type": "draw", **seat}, "picture")["svg"])

    def __str__(self) -> str:
        if "text" not in self._game._abilities:
            return _canonical(self.json())
        self._enter()
        return str(self._game._process.ask({"type": "text"}, "text")["text"])

    # Copies.

    def get_game(self) -> LoadedGame:
        return self._game

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def clone(self) -> "State":
        """Returns a state that continues apart from this one, and draws the same."""
        if "load" in self._game._abilities:
            self._save()
        other = State.__new__(State)
        other.__dict__.update(self.__dict__)
        other._history, other._events, other._views = list(self._history), list(self._events), dict(self._views)
        other._random = _random.Random()
        other._random.setstate(self._random.getstate())
        return other

    def child(self, number: int) -> "State":
        """Returns the state after an action, or after an outcome of chance."""
        other = self.clone()
        other.apply_action(number)
        return other

    # The program has one state at a time: that of the state object that holds it.

    def _go(self, request: Json, number: Optional[int]) -> None:
        self._enter()
        chances = self._position.get("chances")
        position = self._ask(request)
        if request["type"] == "chance":
            outcome = position.get("chance", request.get("chance"))
            request = {"type": "chance", "chance": outcome}
            if number is None:
                listed = [_canonical(one) for _, one in chances] if chances else []
                number = listed.index(_canonical(outcome)) if _canonical(outcome) in listed else -1
        elif "action" in position:
            request = {**request, "action": position["action"]}
        self._events.append(request)
        self._history.append(-1 if number is None else number)
        self._hold(position)

    def _hold(self, position: Json) -> None:
        self._position = position
        self._views: Dict[str, Any] = {}
        self._saved = None
        self._game._holder = weakref.ref(self)

    def _enter(self) -> None:
        """Gives the program this state."""
        if self._game._holder() is self:
            return
        self._leave()
        if self._saved is not None and "load" in self._game._abilities:
            self._ask({"type": "load", "state": self._saved})
        else:
            self._ask({"type": "open", "opening": self.opening})
            for event in self._events:
                self._ask(event)
        self._game._holder = weakref.ref(self)

    def _leave(self) -> None:
        """Asks the program for the state that it has, if that is needed again."""
        holder = self._game._holder()
        if holder is not None and "load" in self._game._abilities:
            holder._save()
        self._game._holder = lambda: None

    def _save(self) -> None:
        if self._saved is None:
            self._enter()
            self._saved = self._game._process.ask({"type": "state"}, "state")["state"]

    def _ask(self, request: Json) -> Json:
        process, seats = self._game._process, self._game.seats
        position = process.ask(request, "position")
        if position.get("to_move") not in (*seats, CHANCE, "over"):
            raise process.failed(
                f"expected to_move to be {', '.join(seats)}, {CHANCE} or over after {request['type']}, got "
                f"{position.get('to_move')!r}"
            )
        return position

    def _seat(self, player: Union[int, str, None]) -> str:
        seats = self._game.seats
        if player is None:
            player = self.current_player()
            if player < 0:
                raise ValueError("no seat is to move: name one")
        if isinstance(player, str):
            if player not in seats:
                raise ValueError(f"expected a seat of {', '.join(seats)}, got {player!r}")
            return player
        if not 0 <= player < len(seats):
            raise ValueError(f"expected a player from 0 to {len(seats) - 1}, got {player}")
        return seats[player]


def _presets(manifest: Json) -> List[Json]:
    return [{"name": name, "rules": preset.get("rules", {})} for name, preset in manifest.get("presets", {}).items()]


def _changes(rules: Any, presets: Sequence[Json]) -> Json:
    """Returns the rules with which the program is asked for a game."""
    named = {str(preset["name"]): preset.get("rules", {}) for preset in presets}
    changes = dict(rules) if isinstance(rules, Mapping) else {} if rules is None else {"preset": rules}
    preset = changes.pop("preset", None)
    if preset is None:
        return {**next(iter(named.values()), {}), **changes}
    if preset not in named and preset != "standard":
        raise ValueError(f"expected a preset of {', '.join(named) or 'standard'}, got {preset!r}")
    return {**named.get(preset, {}), **changes}


def _canonical(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _bits(random: _random.Random) -> str:
    return f"{random.getrandbits(256):064x}"
