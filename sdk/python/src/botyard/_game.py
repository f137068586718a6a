"""The rules of a game as a class, and what its methods need: random numbers, outcomes, refusals. :mod:`botyard.rules`
makes a program of it, and has all public names of this module."""

import hashlib
import json
import struct
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, TypeVar

#: The version of the rules protocol.
RULES_PROTOCOL = 1

#: What :meth:`Game.turn` returns when an outcome of chance is to be drawn.
CHANCE = "chance"

#: The actor of the opening in :meth:`Game.seen`.
OPENING = "opening"

ItemT = TypeVar("ItemT")


class Refused(Exception):
    """An action, an opening or a rule that cannot be played. ``message`` says what was expected and what came."""

    def __init__(self, message: str, rule: Optional[str] = None) -> None:
        super().__init__(message)
        self.message = message
        #: The name of the rule, if it is about rules.
        self.rule = rule


class GameError(Exception):
    """A mistake of the game: one of its methods returned what it must not return."""


class Outcome(NamedTuple):
    """The end of a game."""

    #: The points of each seat, in seat order, or by seat.
    scores: Any
    #: The reason for the end: a word of lower-case letters, digits and ``_``.
    reason: str = "completed"
    #: The place of each seat, from 1, in seat order; by default they follow from the points.
    ranks: Optional[Sequence[int]] = None


class Random:
    """Random numbers from the bits of the referee. The same bits give the same numbers, in every version of this
    kit and of the one for JavaScript.

    The bits are 32 bytes. Block ``n``, from 0, is the SHA-256 of these bytes and of ``n`` as 8 bytes, big end first.
    It is read as eight words of 32 bits, big end first. ``sdk/vectors/rules/random.json`` has examples.
    """

    def __init__(self, bits: str) -> None:
        """Begins with the field ``random`` of a request: 64 hexadecimal digits."""
        self._seed = bytes.fromhex(bits)
        self._block = 0
        self._words: List[int] = []

    def word(self) -> int:
        """Returns the next 32 bits, a number from 0 to 2**32 - 1."""
        if not self._words:
            digest = hashlib.sha256(self._seed + struct.pack(">Q", self._block)).digest()
            self._block += 1
            self._words = list(reversed(struct.unpack(">8I", digest)))
        return self._words.pop()

    def below(self, limit: int) -> int:
        """Returns a number from 0 to ``limit`` - 1, each with the same probability; ``limit`` is at most 2**32.

        It is the next word modulo ``limit``; words from the greatest multiple of ``limit`` on are skipped.
        """
        if not 1 <= limit <= 1 << 32:
            raise ValueError(f"expected a limit from 1 to 2**32, got {limit!r}")
        end = (1 << 32) // limit * limit
        while True:
            word = self.word()
            if word < end:
                return word % limit

    def number(self) -> float:
        """Returns a number from 0 (included) to 1 (excluded): 27 bits of a word, then 26 of the next one."""
        return ((self.word() >> 5) * 67108864 + (self.word() >> 6)) / 9007199254740992

    def choice(self, items: Sequence[ItemT]) -> ItemT:
        """Returns the item at the place ``below(len(items))``."""
        if not items:
            raise ValueError("expected items to choose from, got none")
        return items[self.below(len(items))]

    def shuffled(self, items: Sequence[ItemT]) -> List[ItemT]:
        """Returns the items in random order: from the last place down to the second, each is exchanged with
        that at ``below(place + 1)``, where places begin with 0."""
        shuffled = list(items)
        for last in range(len(shuffled) - 1, 0, -1):
            other = self.below(last + 1)
            shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
        return shuffled

    def weighted(self, weights: Sequence[float]) -> int:
        """Returns a place, with a probability in proportion to its weight: the first one at which the sum of the
        weights exceeds ``below(sum of all)`` if all are whole numbers, and ``number() * sum of all`` otherwise."""
        total = sum(weights)
        if not weights or min(weights) < 0 or not total > 0:
            raise ValueError(f"expected weights of at least 0 with a sum above 0, got {list(weights)!r}")
        whole = all(weight == int(weight) for weight in weights)
        drawn: float = self.below(int(total)) if whole else self.number() * total
        so_far: float = 0
        for place, weight in enumerate(weights):
            so_far += weight
            if drawn < so_far:
                return place
        return max(place for place, weight in enumerate(weights) if weight > 0)


class Game:
    """The rules of a game. The kit makes an object for each set of rules that is played.

    ``self.rules`` has every rule, and ``self.seats`` the names of the seats. An object keeps nothing of a game in
    progress: the state, which is JSON data, has all of it. :meth:`apply` and :meth:`apply_chance` may change the
    state that they are given.
    """

    #: The game's name, as in ``game.toml``.
    name: str = ""
    #: The names of the seats; or ``(least, most)`` where the rules set their number, see :meth:`seat_names`.
    seats: Sequence[Any] = ()
    #: Every rule with its default.
    rules: Dict[str, Any] = {}
    #: Named sets of rules: ``{"short": ("one line about it", {"heaps": [1, 2]})}``. The first is the default.
    presets: Mapping[str, Tuple[str, Mapping[str, Any]]] = {}
    #: The rule that sets the number of seats.
    seats_rule: Optional[str] = None
    #: Whether all seats ask the same of a bot.
    seats_alike: bool = True
    #: The version of the game.
    version: str = ""
    #: Whether something is hidden from a seat.
    hidden: bool = False
    #: Whether something is drawn after the opening; ``None``: if it has :meth:`chances` or :meth:`draw`.
    chance: Optional[bool] = None
    #: Whether the seats of a round decide simultaneously.
    simultaneous: bool = False
    #: Whether the kit plays random games for searching bots. ``False`` where a game takes longer than an answer may,
    #: or where actions are not listed.
    playouts: bool = True
    #: The range of a seat's points, and the sum of all; ``None`` if it varies. :meth:`check_rules` may set those of
    #: ``self`` where they depend on the rules.
    scores: Mapping[str, Optional[float]] = {"least": 0, "most": 1, "sum": 1}
    #: How points and places are awarded, in a sentence.
    scoring: str = ""
    #: JSON Schemas: of ``view``, ``action``, ...
    schemas: Mapping[str, Any] = {}

    def __init__(self, rules: Mapping[str, Any]) -> None:
        """Prepares the game under these rules; rules that are not given have their defaults."""
        self.rules = {name: rules.get(name, default) for name, default in type(self).rules.items()}
        for name, value in self.rules.items():
            _check_kind(name, value, type(self).rules[name])
        self.check_rules()
        self.seats = self.seat_names()

    # What every game has.

    def start(self, opening: Any) -> Any:
        """Returns the first state. ``opening`` is what :meth:`opening` has drawn, ``{}`` by default."""
        raise NotImplementedError

    def turn(self, state: Any) -> str:
        """Returns the seat whose turn it is, or :data:`CHANCE`. The game is not over."""
        raise NotImplementedError

    def legal(self, state: Any) -> Optional[List[Any]]:
        """Returns every legal action, without duplicates; ``None`` if there are too many, see :meth:`check`."""
        raise NotImplementedError

    def apply(self, state: Any, action: Any) -> Any:
        """Returns the state after a legal action of the seat whose turn it is."""
        raise NotImplementedError

    def outcome(self, state: Any) -> Optional[Any]:
        """Returns how the game ended, :meth:`win`, :meth:`tie` or :class:`Outcome`; ``None`` while it is played."""
        raise NotImplementedError

    # What has a default.

    def seat_names(self) -> List[str]:
        """Returns the names of the seats under ``self.rules``."""
        seats = type(self).seats
        if not _is_range(seats):
            return list(seats)
        return [f"player-{number}" for number in range(1, self.rules[self.seats_rule or ""] + 1)]

    def check_rules(self) -> None:
        """Raises :class:`Refused` with the name of a rule in ``self.rules`` that cannot be played. Each has the type
        of its default."""

    def view(self, state: Any, seat: str) -> Any:
        """Returns all that a seat may know; by default the state."""
        return state

    def seen(self, state: Any, seat: str, actor: str, event: Any) -> Any:
        """Returns what a seat sees of what just happened: ``event`` if it sees all of it.

        ``event`` is the action of the seat ``actor``, the outcome of :data:`CHANCE`, or the :data:`OPENING`;
        ``state`` is the state after it.
        """
        return event

    def dump(self, state: Any) -> Any:
        """Returns a state as JSON data, for games whose states are other objects; :meth:`restore` reads it."""
        return state

    def restore(self, data: Any) -> Any:
        """Returns the state from an answer of :meth:`dump`."""
        return data

    def copy(self, state: Any) -> Any:
        """Returns a copy of a state, which does not change with it."""
        return json.loads(_encode(state))

    def setup(self, state: Any, seat: str) -> Any:
        """Returns what never changes in this game, such as the board, as far as a seat may know it."""
        return {}

    def opening(self, random: Random) -> Any:
        """Draws an opening for :meth:`start`."""
        return {}

    def check(self, state: Any, action: Any) -> Any:
        """Raises :class:`Refused` with the reason if an action is not legal.

        A game whose :meth:`legal` returns ``None`` has this method. It may return the action in another form, which
        :meth:`apply` and the record get then. Where actions are listed, it is called for those that are not in the
        list, and may return the one in it that is meant.
        """
        raise NotImplementedError

    def pass_action(self, state: Any) -> Any:
        """Returns the action that is played for a seat that has forfeited; by default the first legal one."""
        legal = self.legal(state)
        if not legal:
            raise GameError(f"{type(self).__name__} lists no actions: it needs pass_action(), for seats that forfeit")
        return legal[0]

    def chances(self, state: Any) -> Optional[List[Tuple[float, Any]]]:
        """Returns the outcomes of chance, each ``(weight, outcome)``. Whole numbers are exact weights."""
        return None

    def draw(self, state: Any, random: Random) -> Any:
        """Draws an outcome of chance; by default one of :meth:`chances`."""
        chances = self.chances(state)
        if not chances:
            raise GameError(f"{type(self).__name__} needs chances() or draw(), as its turn() returned {CHANCE!r}")
        return chances[random.weighted([weight for weight, _ in chances])][1]

    def apply_chance(self, state: Any, outcome: Any) -> Any:
        """Returns the state after an outcome of chance. Raises :class:`Refused` if it cannot be drawn."""
        raise NotImplementedError

    def forfeit(self, state: Any, seat: str) -> Any:
        """Takes the bot of a seat out of a game of more than two seats, and returns the state.

        By default the kit does it: the seat passes by :meth:`pass_action`, and takes the last place that is open.
        When one seat is left, the game is over. The points go with the places.
        """
        raise NotImplementedError

    def text(self, state: Any) -> str:
        """Returns the state in a few lines for people; without this method they see it as JSON."""
        raise NotImplementedError

    def parse(self, state: Any, text: str) -> Any:
        """Returns the action that a person means, or raises :class:`Refused`."""
        raise NotImplementedError

    def picture(self, state: Any, seat: Optional[str]) -> str:
        """Returns the state as an SVG document, as far as a seat may see it; all of it for ``None``."""
        raise NotImplementedError

    def determinize(self, view: Any, seat: str, random: Random, setup: Any) -> Any:
        """Draws a state in which the view of this seat is ``view``, and its setup is ``setup``. Bots that search need
        it where something is hidden, or where :meth:`view` is not the state."""
        raise NotImplementedError

    # Outcomes.

    def win(self, *winners: str, reason: str = "won") -> Outcome:
        """Returns the outcome in which these seats have won: the others have the least points."""
        for seat in winners:
            _one_of(seat, self.seats, f"{type(self).__name__}.win()")
        least, most, total = self._range()
        points = most
        if total is not None and winners:
            points = min(most, (total - least * (len(self.seats) - len(winners))) / len(winners))
        return Outcome([points if seat in winners else least for seat in self.seats], reason)

    def tie(self, reason: str = "draw") -> Outcome:
        """Returns the outcome in which all seats have the same points."""
        least, most, total = self._range()
        points = (least + most) / 2 if total is None else total / len(self.seats)
        return Outcome([points] * len(self.seats), reason)

    def _range(self) -> Tuple[float, float, Optional[float]]:
        scores = self.scores
        return scores.get("least") or 0, scores.get("most") or 0, scores.get("sum")


def _is_range(seats: Sequence[Any]) -> bool:
    return len(seats) == 2 and all(isinstance(seat, int) for seat in seats)


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "a string", list: "a list", dict: "an object"}


def _check_kind(name: str, value: Any, default: Any) -> None:
    kind = type(default)
    is_right = isinstance(value, kind) and isinstance(value, bool) == (kind is bool)
    if kind is float:
        is_right = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind in _KINDS and not is_right:
        raise Refused(f"expected {_KINDS[kind]}, got {_short(value)}", name)


def _short(value: Any) -> str:
    try:
        text = _encode(value)
    except (TypeError, ValueError):
        text = repr(value)
    return text if len(text) <= 200 else f"{text[:200]} ..."


def _one_of(name: Any, names: Sequence[str], what: str) -> str:
    if name not in names:
        raise GameError(f"{what}: expected one of {', '.join(map(repr, names))}, got {name!r}")
    return str(name)


_encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode
