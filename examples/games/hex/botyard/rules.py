"""Games as programs: a class with the rules becomes a program that speaks the rules protocol.

A game without secrets and chance is a class with the seats and five methods; :func:`serve` is its main program::

    from botyard.rules import Game, serve

    class Nim(Game):
        name = "nim"
        seats = ["first", "second"]
        rules = {"heaps": [3, 4, 5]}

        def start(self, opening):
            return {"heaps": list(self.rules["heaps"]), "turn": "first"}

        def turn(self, state):
            return state["turn"]

        def legal(self, state):
            return [[heap, take] for heap, left in enumerate(state["heaps"]) for take in range(1, left + 1)]

        def apply(self, state, action):
            heap, take = action
            state["heaps"][heap] -= take
            state["turn"] = "second" if state["turn"] == "first" else "first"
            return state

        def outcome(self, state):
            if any(state["heaps"]):
                return None
            return self.win("second" if state["turn"] == "first" else "first", reason="last_taken")

    if __name__ == "__main__":
        serve(Nim)

A state is JSON data: dictionaries with strings as keys, lists, strings, numbers, booleans and ``None``. That gives
``state``, ``load`` and the view of a game without secrets. A game with secrets adds :meth:`Game.view` and
:meth:`Game.seen`; one with chance :meth:`Game.chances` or :meth:`Game.draw`, and :meth:`Game.apply_chance`.
``docs/rules-protocol.md`` describes the protocol.

This module needs ``_game.py`` and ``_streams.py`` beside it and nothing else of the kit: a game's directory has copies
of the three.
"""

import json
import re
import sys
import traceback
from typing import IO, TYPE_CHECKING, Any, Callable, Dict, List, Mapping, Optional, Sequence, Tuple, Type

from ._streams import take_standard_streams
from ._game import (
    CHANCE,
    OPENING,
    RULES_PROTOCOL,
    Game,
    GameError,
    Outcome,
    Random,
    Refused,
    _encode,
    _is_range,
    _one_of,
    _short,
)

__all__ = [
    "CHANCE",
    "OPENING",
    "RULES_PROTOCOL",
    "Game",
    "GameError",
    "Outcome",
    "Program",
    "Random",
    "Refused",
    "answer_lines",
    "load",
    "serve",
]

if TYPE_CHECKING:
    from .loaded import LoadedGame

_OVER = "over"
_STANDARD = "standard"
# The most playouts in a request, and the most decisions and outcomes of chance in one.
_MOST_PLAYOUTS = 1000
_LONGEST_PLAYOUT = 10_000
_REASON = re.compile(r"[a-z0-9_]{1,40}")

# What a method of a game may raise on JSON that a bot or a damaged replay made up.
_NONSENSE = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)

Json = Dict[str, Any]

_sorted = json.JSONEncoder(allow_nan=False, separators=(",", ":"), sort_keys=True).encode


class Program:
    """A game that answers requests: :func:`serve` without input and output."""

    def __init__(self, game: Type[Game]) -> None:
        """Begins with a class of a game. Raises :class:`GameError` if it lacks something."""
        self._class = game
        self._name = game.__name__
        _check_class(game)
        self._game = game({})
        #: The state of the game in progress.
        self.state: Any = None
        # The seats that have forfeited, in this order.
        self._out: List[str] = []
        self._keeps_out = _most_seats(game) > 2 and not self._has("forfeit")
        # Where the kit keeps forfeits beside the state, a view alone is no state.
        self._is_view_state = self._keeps_out and not game.hidden and not self._has("view")
        # The list of legal actions in the last position.
        self._legal: Optional[List[Any]] = None

    def _has(self, method: str) -> bool:
        return getattr(self._class, method) is not getattr(Game, method)

    def answer(self, request: Json) -> Optional[Json]:
        """Returns the answer to a request; ``None`` to ``quit``."""
        kind = request.get("type")
        if kind == "quit":
            return None
        method: Optional[Callable[[Json], Json]] = getattr(self, f"_on_{kind}", None)
        if method is None:
            return {"type": "unknown"}
        try:
            return method(request)
        except Refused as refused:
            answer: Json = {"type": "refused", "message": refused.message}
            if refused.rule is not None:
                answer["rule"] = refused.rule
            return answer

    def line(self, request: bytes) -> Optional[bytes]:
        """Returns the line that answers a line; ``None`` to ``quit``."""
        message = json.loads(request.decode("utf-8"))
        answer = self.answer(message)
        if answer is None:
            return None
        try:
            return _encode(answer).encode("ascii") + b"\n"
        except (TypeError, ValueError):
            flaws = (_flaw(value, f"{self._name}: {key!r}", False) for key, value in answer.items())
            raise GameError(next(filter(None, flaws), f"{self._name}: the answer is no JSON data")) from None

    def _on_hello(self, request: Json) -> Json:
        game = self._class
        names = [("text", "text"), ("parse", "parse"), ("determinize", "determinize"), ("picture", "draw")]
        abilities = ["check", "load"] + ["playout"] * game.playouts
        abilities += [ability for method, ability in names if self._has(method)]
        if self._is_view_state and "determinize" not in abilities:
            abilities.append("determinize")
        if _most_seats(game) > 2:
            abilities.append("forfeit")
        presets = game.presets or ({_STANDARD: ("the default rules", {})} if game.rules else {})
        answer: Json = {
            "type": "hello",
            "rules_protocol": RULES_PROTOCOL,
            "name": game.name,
            "seats": list(game.seats),
            "seats_rule": game.seats_rule,
            "seats_alike": game.seats_alike,
            "version": game.version,
            "hidden": game.hidden,
            "chance": self._has("chances") or self._has("draw") if game.chance is None else game.chance,
            "simultaneous": game.simultaneous,
            "scores": dict(game.scores),
            "scoring": game.scoring,
            "presets": [
                {"name": name, "about": about, "rules": {**game.rules, **rules}}
                for name, (about, rules) in presets.items()
            ],
            "schemas": dict(game.schemas),
            "abilities": abilities,
        }
        return {name: value for name, value in answer.items() if value not in ("", None, {}, [])}

    def _on_new(self, request: Json) -> Json:
        self._game = self._class(request.get("rules") or {})
        self.state = None
        answer: Json = {"type": "rules", "rules": self._game.rules}
        if _is_range(self._class.seats):
            answer["seats"] = list(self._game.seats)
        if self._game.scores != self._class.scores:
            answer["scores"] = dict(self._game.scores)
        return answer

    def _on_open(self, request: Json) -> Json:
        game = self._game
        self._out = []
        if "random" in request:
            opening = game.opening(Random(request["random"]))
            self.state = game.start(opening)
        else:
            opening = request.get("opening")
            if opening != {} and not self._has("opening"):
                raise Refused(f"expected the opening {{}}, got {_short(opening)}")
            try:
                self.state = game.start(opening)
            except _NONSENSE as error:
                raise Refused(f"expected an opening, got {_short(opening)}: {_words(error)}") from error
        position = self._position(OPENING, opening)
        if opening != {}:
            position["opening"] = opening
        if self._has("setup"):
            setups = {seat: game.setup(self.state, seat) for seat in game.seats}
            first = setups[game.seats[0]]
            if all(_same(setup, first) for setup in setups.values()):
                position["setup"] = first
            else:
                position["setups"] = setups
        return position

    def _on_play(self, request: Json) -> Json:
        seat, given = request["seat"], request["action"]
        if self._game.turn(self.state) != seat:
            raise Refused(f"it is not the turn of {seat}")
        is_listed = self._legal is not None
        action = self._checked(given)
        self.state = self._game.apply(self.state, action)
        position = self._position(seat, action)
        if not is_listed and not _same(action, given):
            position["action"] = action
        return position

    def _on_chance(self, request: Json) -> Json:
        game, state = self._game, self.state
        if "random" in request:
            outcome = game.draw(state, Random(request["random"]))
        else:
            outcome = request["chance"]
            chances = game.chances(state)
            if chances is not None:
                known = [own for weight, own in chances if weight > 0]
                outcome = _found(outcome, known)
                if outcome is _MISSING:
                    got = _short(request["chance"])
                    raise Refused(f"expected one of {len(known)} outcomes: {_some(known)}; got {got}")
            # A refusal leaves the state as it is.
            state = game.copy(state)
        try:
            self.state = game.apply_chance(state, outcome)
        except _NONSENSE as error:
            if "random" in request:
                raise
            raise Refused(f"expected an outcome of chance, got {_short(outcome)}: {_words(error)}") from error
        position = self._position(CHANCE, outcome)
        position["chance"] = outcome
        return position

    def _on_view(self, request: Json) -> Json:
        return {"type": "view", "view": self._game.view(self.state, request["seat"])}

    def _on_state(self, request: Json) -> Json:
        state = self._game.dump(self.state)
        flaw = _flaw(state, "the state", True)
        if flaw:
            raise GameError(f"{self._name}: {flaw}")
        return {"type": "state", "state": self._whole(state)}

    def _on_load(self, request: Json) -> Json:
        self._restore(request["state"])
        return self._position(None, None)

    def _restore(self, state: Any) -> None:
        # Where nothing is hidden, bots load views too, which do not say who has forfeited.
        is_whole = self._keeps_out and set(state) == {"forfeited", "state"}
        self._out = list(state["forfeited"]) if is_whole else []
        self.state = self._game.restore(state["state"] if is_whole else state)

    def _on_playout(self, request: Json) -> Json:
        count = request.get("count", 1)
        if not 1 <= count <= _MOST_PLAYOUTS:
            raise Refused(f"expected 1 to {_MOST_PLAYOUTS} playouts, got {count}")
        in_progress = self.state, self._out
        whole = _encode(request["state"] if "state" in request else self._whole(self._game.dump(self.state)))
        random = Random(request["random"])
        playouts: List[Optional[List[float]]] = []
        try:
            for _ in range(count):
                self._restore(json.loads(whole))
                playouts.append(self._play_out(random))
        finally:
            self.state, self._out = in_progress
        return {"type": "playouts", "playouts": playouts}

    def _play_out(self, random: Random) -> Optional[List[float]]:
        """Plays random actions to the end of the game, and returns the points; ``None`` if it is too long."""
        game = self._game
        for _ in range(_LONGEST_PLAYOUT):
            ended = self._outcome()
            if ended is not None:
                scores: List[float] = ended["scores"]
                return scores
            turn = game.turn(self.state)
            if turn == CHANCE:
                self.state = game.apply_chance(self.state, game.draw(self.state, random))
                continue
            legal = [game.pass_action(self.state)] if turn in self._out else game.legal(self.state)
            if legal is None:
                raise Refused(f"expected a position of {game.name} that lists the legal actions")
            self.state = game.apply(self.state, random.choice(legal))
        return None

    def _on_check(self, request: Json) -> Json:
        if self._game.outcome(self.state) is not None or self._game.turn(self.state) != request["seat"]:
            raise Refused(f"it is not the turn of {request['seat']}")
        given = request["action"]
        action = self._checked(given)
        return {"type": "legal"} if _same(action, given) else {"type": "legal", "action": action}

    def _on_forfeit(self, request: Json) -> Json:
        if self._has("forfeit"):
            self.state = self._game.forfeit(self.state, request["seat"])
        elif request["seat"] not in self._out:
            self._out.append(request["seat"])
        return self._position(None, None)

    def _on_text(self, request: Json) -> Json:
        return {"type": "text", "text": str(self._game.text(self.state))} if self._has("text") else {"type": "unknown"}

    def _on_parse(self, request: Json) -> Json:
        if not self._has("parse"):
            return {"type": "unknown"}
        try:
            return {"type": "action", "action": self._game.parse(self.state, request["text"])}
        except _NONSENSE as error:
            raise Refused(f"expected an action, got {_short(request['text'])}: {_words(error)}") from error

    def _on_draw(self, request: Json) -> Json:
        if not self._has("picture"):
            return {"type": "unknown"}
        return {"type": "picture", "svg": self._game.picture(self.state, request.get("seat"))}

    def _on_determinize(self, request: Json) -> Json:
        view, seat = request["view"], request["seat"]
        if self._has("determinize"):
            setup = request.get("setup") or {}
            state = self._game.dump(self._game.determinize(view, seat, Random(request["random"]), setup))
        elif self._is_view_state:
            state = view
        else:
            return {"type": "unknown"}
        return {"type": "state", "state": self._whole(state)}

    def _whole(self, state: Any) -> Any:
        return {"forfeited": self._out, "state": state} if self._keeps_out else state

    def _checked(self, action: Any) -> Any:
        """Returns an action in the game's own form, or refuses it."""
        game = self._game
        legal = self._legal
        if legal is not None:
            own = _found(action, legal)
            if own is not _MISSING:
                return own
        if self._has("check"):
            try:
                own = game.check(self.state, action)
            except _NONSENSE as error:
                # The action may be any JSON at all; that is no mistake of the game.
                traceback.print_exc()
                raise Refused(f"expected an action of {game.name}, got {_short(action)}: {_words(error)}") from error
            if legal is None:
                return action if own is None else own
            own = _found(own, legal)
            if own is not _MISSING:
                return own
        raise Refused(f"expected one of {len(legal or [])} legal actions: {_some(legal or [])}; got {_short(action)}")

    def _position(self, actor: Optional[str], event: Any) -> Json:
        game, state = self._game, self.state
        if state is None:
            raise GameError(f"{self._name}: the state is None: start() and apply() must return the state")
        position: Json = {"type": "position"}
        self._legal = None
        ended = self._outcome()
        turn = _OVER if ended is not None else game.turn(state)
        position["to_move"] = turn
        if ended is not None:
            position["outcome"] = ended
        elif turn == CHANCE:
            chances = game.chances(state)
            if chances is not None:
                possible = [(weight, outcome) for weight, outcome in chances if weight > 0]
                total = sum(weight for weight, _ in possible)
                position["chances"] = [[weight / total, outcome] for weight, outcome in possible]
        else:
            _one_of(turn, game.seats, f"{self._name}.turn()")
            self._legal = legal = game.legal(state)
            if legal is not None:
                if not isinstance(legal, list) or not legal:
                    raise GameError(
                        f"{self._name}.legal(): expected a list with an action, as the game is not over, got {legal!r}"
                    )
                position["legal"] = legal
            elif not self._has("check"):
                raise GameError(f"{self._name} needs check(), as its legal() returned None")
            if turn in self._out or (self._has("pass_action") and len(game.seats) > 2):
                position["pass"] = game.pass_action(state)
            position["view"] = game.view(state, turn)
        if game.hidden and actor is not None and not (actor == OPENING and event == {}):
            seen = {}
            for seat in game.seats:
                copy = game.seen(state, seat, actor, event)
                if copy is not event and not _same(copy, event):
                    seen[seat] = copy
            if seen:
                position["seen"] = seen
        return position

    def _outcome(self) -> Optional[Json]:
        game, what = self._game, f"{self._name}.outcome()"
        seats = game.seats
        outcome = game.outcome(self.state)
        playing = [seat for seat in seats if seat not in self._out]
        if outcome is None and not (self._out and len(playing) < 2):
            return None
        if outcome is None:
            least, most, total = game._range()
            outcome = game.win(*(playing or seats), reason="forfeit")
            if len(seats) == 1:
                outcome = Outcome([least], "forfeit")
            elif total is not None and playing:
                # The winner has the most points; the others share what is left.
                rest = (total - most) / (len(seats) - 1)
                outcome = Outcome([most if seat in playing else rest for seat in seats], "forfeit")
        elif not isinstance(outcome, Outcome):
            outcome = Outcome(outcome)
        scores, reason, ranks = outcome
        if isinstance(scores, Mapping):
            for seat in scores:
                _one_of(seat, seats, what)
            scores = [scores.get(seat, 0) for seat in seats]
        if not isinstance(scores, (list, tuple)) or len(scores) != len(seats):
            raise GameError(f"{what}: expected {len(seats)} scores, one for each seat, got {scores!r}")
        if not isinstance(reason, str) or not _REASON.fullmatch(reason):
            raise GameError(f"{what}: expected a reason of lower-case letters, digits and '_', got {reason!r}")
        if self._out:
            scores, ranks = _after_forfeits(seats, list(scores), self._out)
        answer: Json = {"scores": list(scores), "reason": reason}
        if ranks is not None:
            answer["ranks"] = list(ranks)
        return answer


def _flaw(value: Any, place: str, strict: bool) -> Optional[str]:
    """Returns where a value is no JSON data and why; with ``strict`` also what JSON would turn into something else."""
    if isinstance(value, dict):
        for key, item in value.items():
            if not isinstance(key, str):
                return f"{place} has the key {key!r}: expected strings as keys, which JSON has"
            flaw = _flaw(item, f"{place}[{key!r}]", strict)
            if flaw:
                return flaw
        return None
    if isinstance(value, (list, tuple)):
        if strict and isinstance(value, tuple):
            return f"{place} is a tuple: expected a list, which JSON has"
        return next(filter(None, (_flaw(item, f"{place}[{at}]", strict) for at, item in enumerate(value))), None)
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        return f"{place} is {value}: expected a finite number, which JSON has"
    if value is None or isinstance(value, (str, int, float)):
        return None
    return f"{place} is a {type(value).__name__}: expected lists, dictionaries, strings, numbers, booleans or None"


def _same(one: Any, other: Any) -> bool:
    """Whether two values are equal as JSON."""
    try:
        return type(one) is type(other) and one == other or _sorted(one) == _sorted(other)
    except (TypeError, ValueError):
        return False


def _after_forfeits(seats: Sequence[str], scores: List[float], out: List[str]) -> Tuple[List[float], List[int]]:
    """Returns points and places in which the seats that forfeited are the last, the first one to do so behind all
    others. The points stay the same but go with the places, so their sum and range do too."""
    of = dict(zip(seats, scores))
    order: List[Tuple[float, List[str]]] = []
    for seat in sorted((seat for seat in seats if seat not in out), key=lambda seat: -of[seat]):
        if order and order[-1][0] == of[seat]:
            order[-1][1].append(seat)
        else:
            order.append((of[seat], [seat]))
    order.extend((0, [seat]) for seat in reversed(out))
    points = sorted(scores, reverse=True)
    ranks, place = {}, 0
    for _, equal in order:
        share = sum(points[place : place + len(equal)]) / len(equal)
        for seat in equal:
            of[seat], ranks[seat] = share, place + 1
        place += len(equal)
    return [of[seat] for seat in seats], [ranks[seat] for seat in seats]


_MISSING: Any = object()


def _found(value: Any, own: Sequence[Any]) -> Any:
    """Returns the one of these values that equals a value as JSON."""
    wanted = _sorted(value)
    try:
        one = own[own.index(value)]
        if _sorted(one) == wanted:
            return one
    except ValueError:
        pass
    return next((one for one in own if _sorted(one) == wanted), _MISSING)


def _some(values: Sequence[Any]) -> str:
    more = ", ..." if len(values) > 10 else ""
    return ", ".join(map(_short, values[:10])) + more


def _words(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"


def _most_seats(game: Type[Game]) -> int:
    return int(game.seats[1]) if _is_range(game.seats) else len(game.seats)


def _check_class(game: Type[Game]) -> None:
    name = game.__name__

    def needs(what: str) -> GameError:
        return GameError(f"{name} needs {what}")

    if not game.name:
        raise needs('a name, as in game.toml: name = "nim"')
    if not game.seats:
        raise needs('seats: seats = ["first", "second"]')
    for method in ("start", "turn", "legal", "apply", "outcome"):
        if getattr(game, method) is getattr(Game, method):
            raise needs(f"the method {method}()")
    has_chance = game.chances is not Game.chances or game.draw is not Game.draw
    if has_chance and game.apply_chance is Game.apply_chance:
        raise needs("the method apply_chance(), as it has chance")
    if game.hidden and (game.view is Game.view or game.seen is Game.seen):
        raise needs("the methods view() and seen(), as something is hidden")
    if _is_range(game.seats) and game.seats_rule is None and game.seat_names is Game.seat_names:
        raise needs("seats_rule, the rule that sets the number of seats, or the method seat_names()")


def answer_lines(game: Type[Game], lines: IO[bytes], output: IO[bytes]) -> None:
    """Answers until ``quit`` or the end of the input, on any streams: for tests. See :func:`serve`."""
    program = Program(game)
    for line in iter(lines.readline, b""):
        answer = program.line(line)
        if answer is None:
            return
        output.write(answer)
        output.flush()


def serve(game: Type[Game]) -> None:
    """Is the whole main program of a game: answers the referee on standard input and output until ``quit``, and exits.

    What the game prints goes to standard error. A mistake of the game ends the program with exit code 1 and a
    message on standard error, which the referee shows.
    """
    lines, output = take_standard_streams("print(..., file=sys.stderr)")
    try:
        answer_lines(game, lines, output)
    except BrokenPipeError:
        sys.exit(0)  # The referee has ended.
    except GameError as error:
        sys.exit(f"botyard: {error}")
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        sys.exit(1)


def load(directory: Any, rules: Any = None, answer_seconds: float = 10) -> "LoadedGame":
    """Loads the game in a directory into this process, to train on: see :func:`botyard.loaded.load`."""
    try:
        from . import loaded
    except ImportError as error:
        raise ImportError("a game's copy of the kit cannot load games: pip install botyard") from error
    return loaded.load(directory, rules, answer_seconds)
