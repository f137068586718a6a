"""The protocol loop of a bot: :class:`Bot` decides, :class:`Session` answers the referee's messages,
:func:`run` connects both to standard input and output.

While :func:`run` runs, standard output belongs to the protocol. All other output of the program, also that
of C extensions and child processes, goes to standard error.
"""

import importlib
import json
import math
import random
import sys
import time
import traceback
from typing import (
    IO,
    Any,
    Callable,
    Dict,
    Generic,
    List,
    NamedTuple,
    Optional,
    Sequence,
    Tuple,
    TypeVar,
    Union,
)

from . import options as _options
from ._streams import take_standard_streams
from .options import IntOption, OptionError

#: The protocol version of the kit.
PROTOCOL = 1

ViewT = TypeVar("ViewT")
ActionT = TypeVar("ActionT")
Json = Dict[str, Any]

# With a clock of CPU time, an answer may take this many times the limit in wall-clock time, and 250 ms.
_BACKSTOP_TIMES = 5
_BACKSTOP_MORE = 0.25

# Safety margins of `Clock.share`: the fraction of the limit, the least and the most (seconds).
_WALL_MARGIN = (6, 0.010, 0.050)
_CPU_MARGIN = (12, 0.003, 0.025)


class NoLegalActions(Exception):
    """The match sends no legal actions (``--no-legal``), and the kit cannot generate them."""


class Rulebook:
    """A game under one set of rules: the base of the classes in the games' modules.

    The kit's module for a game ``my-game`` is a file ``botyard/my_game.py`` with a subclass of this class,
    assigned to ``RULEBOOK``.
    """

    #: The name of the game in the protocol.
    NAME = ""

    def __init__(self, rules: Any, setup: Any) -> None:
        """Prepares the game with the ``rules`` and the ``setup`` of a ``start`` message."""

    def legal(self, view: Any) -> List[Any]:
        """Returns the legal actions of the seat to move, in the order of the ``legal`` list."""
        raise NotImplementedError


def rulebook(game: str, rules: Any, setup: Any) -> Optional[Rulebook]:
    """Returns the kit's class for a game under these rules; ``None`` if the kit does not know the game."""
    if not game or not game.replace("-", "").isalnum():
        return None
    name = f"{__package__}.{game.replace('-', '_')}"
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
    cls = getattr(module, "RULEBOOK", None)
    return cls(rules, setup) if cls is not None and cls.NAME == game else None


class Reading(NamedTuple):
    """A moment: wall-clock time and CPU time of this process, in seconds."""

    wall: float
    cpu: float

    @staticmethod
    def now() -> "Reading":
        return Reading(time.monotonic(), time.process_time())


class Clock:
    """The clock of a seat in one decision. All times are in seconds; ``None`` means unlimited."""

    def __init__(self, clock: Json, began: Reading) -> None:
        #: ``wall`` or ``cpu``; a kind that the kit does not know is treated as ``wall``.
        self.kind: str = clock.get("kind", "wall")
        #: The limit of this decision.
        self.move: Optional[float] = _seconds(clock.get("move_ms"))
        #: The time that the seat has left for all its decisions.
        self.bank: Optional[float] = _seconds(clock.get("bank_ms"))
        #: The time added to the bank after each decision.
        self.increment: float = _seconds(clock.get("increment_ms")) or 0.0
        self._began = began

    @property
    def limit(self) -> Optional[float]:
        """The limit of this decision: the lesser of ``move`` and ``bank``."""
        limits = [limit for limit in (self.move, self.bank) if limit is not None]
        return min(limits) if limits else None

    def elapsed(self) -> float:
        """Returns the time since the ``turn`` line was read, of the kind that the clock counts.

        CPU time is that of this process with all its threads, without child processes.
        """
        now = Reading.now()
        return now.cpu - self._began.cpu if self.kind == "cpu" else now.wall - self._began.wall

    def left(self) -> float:
        """Returns the time until the referee's deadline, without a margin; ``inf`` without a limit.

        With a clock of CPU time it is the lesser of the remaining CPU time and the remaining wall-clock time.
        """
        limit = self.limit
        if limit is None:
            return math.inf
        now = Reading.now()
        if self.kind != "cpu":
            return limit - (now.wall - self._began.wall)
        backstop = _BACKSTOP_TIMES * limit + _BACKSTOP_MORE
        return min(limit - (now.cpu - self._began.cpu), backstop - (now.wall - self._began.wall))

    def share(self, decisions: int = 1) -> float:
        """Returns the time to plan for this decision if the seat expects ``decisions`` more, including it.

        That is an equal share of the bank and the increment, at most ``move``, minus a margin of at most half
        of it: 1/6 of the limit, 10 to 50 ms, for wall-clock time; 1/12, 3 to 25 ms, for CPU time. ``inf``
        without a limit.
        """
        limit = math.inf if self.move is None else self.move
        if self.bank is not None:
            share = self.bank / max(decisions, 1) + self.increment
            limit = min(limit, share, self.bank)
        if limit == math.inf:
            return limit
        part, least, most = _CPU_MARGIN if self.kind == "cpu" else _WALL_MARGIN
        margin = min(max(limit / part, least), most)
        return limit - min(margin, limit / 2)


def _seconds(millis: Optional[float]) -> Optional[float]:
    return None if millis is None else millis / 1000


class Game:
    """A game in progress: the ``start`` message."""

    def __init__(self, start: Json) -> None:
        #: The whole message.
        self.message = start
        #: The name of the game: ``scotland-yard``, ...
        self.name: str = start.get("game") or ""
        #: The game's id; equal for a game that is repeated with the same seed.
        self.game_id: str = start.get("game_id") or ""
        #: Every parameter of the rules.
        self.rules: Json = start.get("rules") or {}
        #: All seats, in seat order.
        self.seats: List[str] = start.get("seats") or []
        #: The seats that this bot holds.
        self.you: List[str] = start.get("you") or []
        #: The bots and their seats: objects with ``name`` and ``seats``.
        self.players: List[Json] = start.get("players") or []
        #: The clock, and ``on_fault``.
        self.time: Json = start.get("time") or {}
        #: The options that the match set.
        self.options: Json = start.get("options") or {}
        #: The constant data of this game, as far as the first of your seats may know it.
        self.setup: Json = start.get("setup") or {}
        self._rulebook: Optional[Rulebook] = None

    def setup_of(self, seat: str) -> Json:
        """Returns the setup as this seat of yours may know it."""
        setups: Json = self.message.get("setups") or {}
        setup: Json = setups.get(seat, self.setup)
        return setup

    @property
    def rulebook(self) -> Optional[Rulebook]:
        """The kit's class for this game under these rules; ``None`` if the kit does not know the game."""
        if self._rulebook is None:
            self._rulebook = rulebook(self.name, self.rules, self.setup)
        return self._rulebook


class Outcome:
    """The end of a game: the ``end`` message."""

    def __init__(self, end: Json, game: Optional[Game]) -> None:
        #: The whole message.
        self.message = end
        #: The game that ended.
        self.game = game
        outcome: Json = end.get("outcome") or {}
        #: ``completed``, ``bot_fault`` or ``void``.
        self.kind: str = outcome.get("kind") or ""
        #: The points of each seat, in seat order; empty if the game is void.
        self.scores: List[float] = outcome.get("scores") or []
        #: The place of each seat, from 1; empty if the game is void.
        self.ranks: List[int] = outcome.get("ranks") or []
        #: The reason for the end: a word of the game.
        self.reason: str = outcome.get("reason") or ""
        #: The faults of the game.
        self.faults: List[Json] = end.get("faults") or []
        #: The whole final state, with all hidden information.
        self.reveal: Any = end.get("reveal")

    def score(self, seat: str) -> Optional[float]:
        """Returns the points of a seat; ``None`` if the game is void."""
        if self.game is None or seat not in self.game.seats or not self.scores:
            return None
        return self.scores[self.game.seats.index(seat)]


class Turn(Generic[ViewT, ActionT]):
    """A decision to be made: the ``turn`` message."""

    def __init__(self, turn: Json, game: Game, seed: int, began: Reading, log: Callable[[str], None]) -> None:
        #: The whole message.
        self.message = turn
        #: The game.
        self.game = game
        #: The number of this decision in the game, from 1, over all seats.
        self.number: int = turn.get("turn") or 0
        #: The seat to move: one of ``game.you``.
        self.seat: str = turn.get("seat") or ""
        #: All that the seat may know now: the game's JSON.
        self.view: ViewT = turn.get("view")  # type: ignore[assignment]
        #: Every legal action; ``None`` if the match sends none (``--no-legal``).
        self.legal: Optional[List[ActionT]] = turn.get("legal")
        #: The seat's clock.
        self.clock = Clock(turn.get("clock") or {}, began)
        self._seed = seed
        self._log = log
        self._random: Optional[random.Random] = None
        self._info: Json = {}

    def legal_actions(self) -> List[ActionT]:
        """Returns every legal action: the list of the message, or generated from the view by the kit.

        Raises :class:`NoLegalActions` if the match sends no list and the kit cannot generate it.
        """
        if self.legal is None:
            book = self.game.rulebook
            if book is None:
                raise NoLegalActions(
                    f"the match sends no legal actions, and the kit has no rules of {self.game.name!r}: "
                    "play without --no-legal"
                )
            self.legal = book.legal(self.view)
        return self.legal

    def time_left(self) -> float:
        """Returns the seconds until the referee's deadline, without a margin: see :meth:`Clock.left`.

        The clock stops when the referee has read the answer, so keep 0.02 to 0.05 s back.
        """
        return self.clock.left()

    def time_share(self, decisions: int = 1) -> float:
        """Returns the seconds of :meth:`Clock.share` that are left for this decision, with its margin."""
        return self.clock.share(decisions) - self.clock.elapsed()

    @property
    def random(self) -> random.Random:
        """A random number generator of this decision.

        It is seeded from the option ``seed``, the game's id, your seats and the number of the decision, so a
        decision can be reproduced from a replay, while the games of a match differ.
        """
        if self._random is None:
            seats = ",".join(self.game.you)
            self._random = random.Random(f"{self._seed}/{self.game.game_id}/{seats}/{self.number}")
        return self._random

    def log(self, text: object) -> None:
        """Writes a line to the game's log, immediately."""
        self._log(str(text))

    def info(
        self,
        *,
        score: Optional[float] = None,
        depth: Optional[int] = None,
        nodes: Optional[int] = None,
        pv: Optional[Sequence[Any]] = None,
        text: Optional[str] = None,
        **more: Any,
    ) -> None:
        """Adds to the ``info`` of the answer, which the replay keeps: the evaluation (``score``), plies
        (``depth``), positions or playouts (``nodes``), expected actions (``pv``), and any other fields."""
        fields = {"score": score, "depth": depth, "nodes": nodes, "pv": pv, "text": text, **more}
        self._info.update((name, value) for name, value in fields.items() if value is not None)

    def draw(
        self,
        *,
        point: Any = None,
        line: Optional[Sequence[Any]] = None,
        arrow: Optional[Sequence[Any]] = None,
        color: Optional[str] = None,
        text: Union[str, float, None] = None,
    ) -> None:
        """Draws on the board, for the page of the game: a circle around the place ``point``, or a ``line`` or an
        ``arrow`` through two places or more. Places are named as in the game: ``turn.draw(arrow=(11, 15), color="red")``.

        ``color`` is ``black``, ``white``, ``red``, ``blue``, ``green``, ``yellow``, ``purple``, ``orange`` or
        ``#rrggbb``; ``text`` has at most 40 characters. A move has at most 200 of these.
        """
        fields = {"point": point, "line": line, "arrow": arrow, "color": color, "text": text}
        self._info.setdefault("draw", []).append({name: value for name, value in fields.items() if value is not None})


class Bot(Generic[ViewT, ActionT]):
    """A bot. Override :meth:`choose`, and perhaps :meth:`start` and :meth:`end`.

    ``Bot[View, Action]`` with the types of a game's module gives ``turn.view`` its type.
    """

    #: The name of the bot; if empty, the name of the class in lower case.
    name: str = ""
    #: The version shown with results.
    version: str = ""
    #: The author shown with results.
    author: str = ""
    #: The games that it plays; empty for every game.
    games: Sequence[str] = ()
    #: Whether the bot continues after an exception in :meth:`choose` or an illegal action: the kit reports it on
    #: standard error and plays a legal action. Otherwise an exception ends the bot.
    answer_on_error: bool = False
    #: The seed of :attr:`Turn.random`.
    seed = IntOption(0, min=0, max=_options.MAX_INT, about="seed of random choices")

    def start(self, game: Game) -> None:
        """Prepares for a game. This time is not charged to the first decision: build tables here."""

    def choose(self, turn: "Turn[ViewT, ActionT]") -> ActionT:
        """Returns one of the legal actions."""
        raise NotImplementedError("a bot needs a method choose(self, turn)")

    def end(self, outcome: Outcome) -> None:
        """Called at the end of a game."""

    def hello(self) -> Json:
        """Returns the bot's ``hello`` message."""
        hello: Json = {"type": "hello", "protocol": PROTOCOL, "name": bot_name(self)}
        if self.version:
            hello["version"] = self.version
        if self.author:
            hello["author"] = self.author
        hello["games"] = list(self.games)
        specs = {name: option.spec() for name, option in _options.declared(self).items()}
        if specs:
            hello["options"] = specs
        return hello


#: A bot, or a class, of which the kit creates an instance for every game.
AnyBot = Union[Bot[Any, Any], Callable[[], Bot[Any, Any]]]


def bot_name(bot: Bot[Any, Any]) -> str:
    """Returns the name of a bot."""
    return bot.name or type(bot).__name__.lower()


class Session:
    """A bot's conversation with the referee, one line at a time: :func:`run` without input and output."""

    def __init__(self, bot: AnyBot, write: Callable[[bytes], None], errors: Optional[IO[str]] = None) -> None:
        """Begins a conversation. ``write`` gets each line of the bot; ``errors`` is ``sys.stderr`` by default."""
        if isinstance(bot, Bot):
            self._make: Optional[Callable[[], Bot[Any, Any]]] = None
            self.bot: Bot[Any, Any] = bot
        else:
            self._make = bot
            self.bot = bot()
        self._fresh = True
        self._write = write
        self._errors = errors
        self._line_bytes = 65536
        #: The game in progress.
        self.game: Optional[Game] = None
        # The number of the last decision, and when it was asked for first.
        self._asked: Tuple[Optional[int], Reading] = (None, Reading(0.0, 0.0))

    def handle(self, line: bytes, began: Optional[Reading] = None) -> bool:
        """Handles a line of the referee. Returns ``False`` after ``quit``.

        Raises the bot's exceptions, :class:`OptionError`, and ``ValueError`` for a line that is not a message.
        """
        began = began or Reading.now()
        message = json.loads(line.decode("utf-8"))
        if not isinstance(message, dict):
            raise ValueError(f"expected a message of the referee, a JSON object, got {line[:200]!r}")
        kind = message.get("type")
        if kind == "turn":
            self._turn(message, began)
        elif kind == "hello":
            limits = message.get("limits") or {}
            self._line_bytes = int(limits.get("line_bytes") or self._line_bytes)
            self._send(self.bot.hello())
        elif kind == "start":
            self._start(message)
        elif kind == "end":
            outcome, self.game = Outcome(message, self.game), None
            try:
                self.bot.end(outcome)
            except Exception:
                self._report("end() failed")
        elif kind == "error":
            self._say(_error_text(message))
        # Messages of later versions are ignored.
        return kind != "quit"

    def _start(self, message: Json) -> None:
        self.game = None
        self._asked = (None, Reading(0.0, 0.0))
        if self._make is not None and not self._fresh:
            self.bot = self._make()
        self._fresh = False
        game = Game(message)
        if self.bot.games and game.name not in self.bot.games:
            raise ValueError(f"asked to play {game.name!r}, but this bot plays {', '.join(self.bot.games)}")
        _options.set_options(self.bot, game.options)
        self.game = game
        try:
            self.bot.start(game)
        except Exception:
            if not self.bot.answer_on_error:
                raise
            self._report("start() failed; playing on")
        self._send({"type": "ready"})

    def _turn(self, message: Json, began: Reading) -> None:
        game = self.game
        if game is None:
            raise ValueError(f"turn {message.get('turn')}: asked to decide, but no game is in progress")
        # Where a match gives another try, the same line comes again, and the clock has not stopped.
        if message.get("turn") == self._asked[0]:
            began = self._asked[1]
        self._asked = (message.get("turn"), began)
        turn: Turn[Any, Any] = Turn(message, game, self.bot.seed, began, self._log)
        try:
            action = plain(self.choose(turn))
            if action is None:
                raise ValueError("choose() returned None, expected an action")
            if self.bot.answer_on_error and not _is_legal(action, turn):
                raise ValueError(f"choose() returned {dumps(action)}, which is not a legal action")
        except Exception:
            if not self.bot.answer_on_error:
                raise
            self._report(f"turn {turn.number}: choose() failed; playing a legal action")
            action = plain(turn.random.choice(turn.legal_actions()))
        move: Json = {"type": "move", "turn": turn.number, "action": action}
        if turn._info:
            with_info = {**move, "info": _info(turn._info)}
            if len(dumps(with_info)) <= self._line_bytes:
                move = with_info
            else:
                self._say(f"turn {turn.number}: info left out, because the line would be too long")
        self._send(move)

    def choose(self, turn: "Turn[Any, Any]") -> Any:
        """Returns the bot's choice. The replay debugger overrides this."""
        return self.bot.choose(turn)

    def _log(self, text: str) -> None:
        line = {"type": "log", "text": _text(text)}
        while len(dumps(line)) > self._line_bytes:
            line["text"] = line["text"][: len(line["text"]) // 2]
        self._send(line)

    def _send(self, message: Json) -> None:
        self._write(dumps(message).encode("ascii") + b"\n")

    def _report(self, what: str) -> None:
        self._say(f"{what}\n{traceback.format_exc().rstrip()}")

    def _say(self, text: str) -> None:
        print(f"{bot_name(self.bot)}: {text}", file=self._errors or sys.stderr, flush=True)


def _error_text(message: Json) -> str:
    turn = f"turn {message['turn']}: " if message.get("turn") is not None else ""
    text = f"error from the referee: {turn}{message.get('code')}: {message.get('message')}"
    detail = message.get("detail") or {}
    if detail.get("got"):
        text += f"\n  your line: {detail['got']}"
    if detail.get("legal_sample"):
        text += f"\n  legal would be, for example: {dumps(detail['legal_sample'])}"
    return text


def dumps(value: Any) -> str:
    """Returns JSON as the referee accepts it: on one line, ASCII, without ``NaN``."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def _is_legal(action: Any, turn: "Turn[Any, Any]") -> bool:
    try:
        legal = turn.legal_actions()
    except Exception:
        return True  # Unknown.
    sent = json.dumps(action, sort_keys=True)
    return any(json.dumps(plain(one), sort_keys=True) == sent for one in legal)


def plain(value: Any) -> Any:
    """Returns a value as plain JSON data: numbers and arrays of NumPy become Python's, tuples and sets lists."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return float(value)
    if isinstance(value, dict):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return sorted(plain(item) for item in value)
    for convert in ("tolist", "item"):
        if hasattr(value, convert):
            return plain(getattr(value, convert)())
    raise TypeError(f"expected JSON data, got a {type(value).__name__}: {value!r}")


def _text(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def _info(value: Any, depth: int = 0) -> Any:
    """Returns info that the referee accepts, for any input: info must never cost a game."""
    try:
        value = plain(value) if depth == 0 else value
    except (TypeError, ValueError, RecursionError):
        return {"text": _text(repr(value))[:1000]}
    if depth > 30:
        return _text(repr(value))[:1000]
    if isinstance(value, dict):
        return {_text(key): _info(item, depth + 1) for key, item in value.items() if not key.startswith("$")}
    if isinstance(value, list):
        return [_info(item, depth + 1) for item in value]
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, int) and abs(value) > _options.MAX_INT:
        return str(value)
    return value


def serve(bot: AnyBot, lines: IO[bytes], output: IO[bytes]) -> None:
    """Plays until ``quit`` or the end of the input, on any streams: for tests. See :func:`run`."""

    def write(line: bytes) -> None:
        output.write(line)
        output.flush()

    session = Session(bot, write)
    for line in iter(lines.readline, b""):
        if not session.handle(line, Reading.now()):
            return


def run(bot: AnyBot) -> None:
    """Plays as a bot on standard input and output until ``quit``, and exits.

    An exception is printed to standard error with its traceback and ends the program with exit code 1.
    """
    lines, output = take_standard_streams("print(..., file=sys.stderr) or turn.log(...)")
    try:
        serve(bot, lines, output)
    except BrokenPipeError:
        sys.exit(0)  # The referee has ended the game.
    except OptionError as error:
        sys.exit(f"botyard: {error}")
    except Exception:
        traceback.print_exc()
        sys.stderr.flush()
        sys.exit(1)


def main(bot: AnyBot, arguments: Optional[Sequence[str]] = None) -> None:
    """The main function of a bot: plays, or replays a recorded game with ``--replay FILE --seat SEAT``.

    Leaves unknown arguments to the bot.
    """
    arguments = sys.argv[1:] if arguments is None else arguments
    if any(argument == "--replay" or argument.startswith("--replay=") for argument in arguments):
        from . import replay

        sys.exit(replay.main(bot, arguments))
    run(bot)
