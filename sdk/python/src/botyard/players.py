"""Players that decide for a seat of a game in this process: a function, a bot of the kit, or the program of a bot.

:class:`botyard.env.seat.SeatEnv` trains against such players, and :func:`botyard.play` plays refereed games with them.
"""

import json
import random
import shlex
import subprocess
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, List, Optional, Sequence, Tuple, Type, Union

from ._program import ProgramFailed, RunningProgram, botyard_program
from .bot import Bot, Session, Turn

__all__ = ["FunctionBot", "Player", "PlayerError", "ProgramFailed", "SeatedPlayer", "bot_of"]

Json = Dict[str, Any]

#: A player: a function of a :class:`Turn` that returns an action; a bot of the kit or its class; or a text, the name of
#: a built-in bot with its options (``"alpha-beta:depth=3"``) or the command of a bot's program (``"python3 mine.py"``).
#: A bot of the kit takes one seat, its class any number of them.
Player = Union[str, Bot[Any, Any], Type[Bot[Any, Any]], Callable[[Turn[Any, Any]], Any]]

# The first line that a bot receives: there is no referee, and this process stands for it.
_HELLO: Json = {
    "type": "hello",
    "protocol": 1,
    "referee": {"name": "botyard-python", "version": "0.1.0"},
    "limits": {
        "line_bytes": 65536,
        "nesting": 64,
        "stdout_bytes": 1 << 24,
        "stderr_bytes": 1 << 24,
        "start_ms": 10_000,
        "setup_ms": 10_000,
        "quit_ms": 1000,
    },
}


class PlayerError(Exception):
    """A player has played what it must not play, or cannot play at all."""


class FunctionBot(Bot[Any, Any]):
    """A bot that asks a function for its actions."""

    def __init__(self, choose: Callable[[Turn[Any, Any]], Any]) -> None:
        name = getattr(choose, "__name__", "") or type(choose).__name__
        self.name = "".join(letter for letter in name if letter.isalnum() or letter in "_-") or "function"
        self._choose = choose

    def choose(self, turn: Turn[Any, Any]) -> Any:
        return self._choose(turn)


def bot_of(player: Any) -> Bot[Any, Any]:
    """Returns a bot of the kit for a player that is no text. Raises ``TypeError`` for what is no player."""
    if isinstance(player, Bot):
        return player
    if isinstance(player, type) and issubclass(player, Bot):
        return player()
    if callable(player) and not isinstance(player, type):
        return FunctionBot(player)
    raise TypeError(
        "expected a player: a function of the turn, a Bot or its class, the name of a built-in bot or a command; got "
        f"{player!r}"
    )


def check_one_seat(players: Iterable[Any]) -> None:
    """Raises ``TypeError`` for players of which one bot of the kit has two seats, whose games would share its state."""
    seen = set()
    for player in players:
        if id(player) in seen:
            name = type(player).__name__
            raise TypeError(f"expected a {name} for one seat, got the same one for a second seat: give its class, {name}")
        if isinstance(player, Bot):
            seen.add(id(player))


class _BotProgram(RunningProgram):
    WHAT = "the program of the bot"
    BEFORE_ANSWERS = ("log",)


class SeatedPlayer:
    """A player that decides for one seat, one game after the other. It is asked as a referee would ask it.

    The program of a bot is a child process **without a sandbox**: it can do what you can do. Nothing holds it to its
    clock, which has ``move_ms`` for each move: a bot that searches until its time is up takes that long.
    """

    def __init__(
        self,
        player: Player,
        move_ms: int = 100,
        answer_seconds: float = 60,
        botyard: Optional[str] = None,
    ) -> None:
        self._move_ms = move_ms
        self._options: Json = {}
        self._seat: Optional[str] = None
        self._program: Optional[_BotProgram] = None
        self._turns = 0
        if isinstance(player, str):
            command, options = _command(player, botyard)
            self._program = _BotProgram(command, Path.cwd(), answer_seconds)
            hello = self._program.ask(_HELLO, "hello")
            self.name = str(hello.get("name"))
            self._games: List[str] = hello.get("games") or []
            self._options = _typed(options, hello.get("options") or {}, self.name)
            return
        self._said: List[Json] = []
        self._session = Session(bot_of(player), lambda line: self._said.append(json.loads(line)))
        self.name = self._session.bot.hello()["name"]
        self._games = list(self._session.bot.games)

    def start(self, game: str, rules: Any, seats: Sequence[str], seat: str, setup: Any, game_id: str) -> None:
        """Begins a game."""
        if self._games and game not in self._games:
            raise PlayerError(f"{self.name} does not play {game}: it plays {', '.join(self._games)}")
        self.end("abandoned", [])
        self._turns = 0
        start = {
            "type": "start",
            "game_id": game_id,
            "game": game,
            "rules": rules,
            "seats": list(seats),
            "you": [seat],
            "players": [{"name": self.name if its == seat else its, "seats": [its]} for its in seats],
            "time": {**self._clock(), "grace_ms": 0, "on_fault": "forfeit"},
            "options": self._options,
            "setup": setup,
        }
        self._ask(start, "ready")
        self._seat = seat

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        """Returns the action that the player chooses."""
        self._turns += 1
        turn = {"type": "turn", "turn": self._turns, "seat": self._seat, "view": view, "legal": legal}
        return self._ask({**turn, "clock": self._clock()}, "move")["action"]

    def end(self, reason: str, scores: Sequence[float]) -> None:
        """Ends the game, if one is in progress. Without scores it does not count."""
        if self._seat is None:
            return
        self._seat = None
        ranks = [1 + sum(other > score for other in scores) for score in scores]
        outcome = {"kind": "completed" if scores else "void", "scores": list(scores), "ranks": ranks, "reason": reason}
        message = {"type": "end", "outcome": outcome, "faults": [], "reveal": {}}
        if self._program is not None:
            self._program.tell(message)
        else:
            self._session.handle(json.dumps(message).encode())

    def close(self) -> None:
        """Ends the program of the player."""
        if self._program is not None:
            self._program.close()

    def _clock(self) -> Json:
        return {"kind": "wall", "move_ms": self._move_ms, "bank_ms": None, "increment_ms": 0}

    def _ask(self, message: Json, expected: str) -> Json:
        if self._program is not None:
            return self._program.ask(message, expected)
        self._said.clear()
        self._session.handle(json.dumps(message).encode())
        return next(said for said in self._said if said["type"] == expected)


class RandomPlayer:
    """A player that draws a legal action."""

    name = "random"

    def start(self, game: str, rules: Any, seats: Sequence[str], seat: str, setup: Any, game_id: str) -> None:
        self._random = random.Random(f"{game_id} {seat}")

    def choose(self, view: Any, legal: Sequence[Any]) -> Any:
        return self._random.choice(legal)

    def end(self, reason: str, scores: Sequence[float]) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


def _command(player: str, botyard: Optional[str]) -> Tuple[str, Json]:
    """Returns the command of a player that is a text, and the options that the text sets."""
    name, _, listed = player.partition(":")
    if len(shlex.split(player)) != 1 or "/" in name:
        return player, {}
    program = botyard_program(botyard)
    found = subprocess.run([program, "bots", "--json"], stdout=subprocess.PIPE, check=True).stdout
    names = [bot["name"] for bot in json.loads(found.decode("utf-8"))]
    if name not in names:
        raise PlayerError(
            f"expected a built-in bot ({', '.join(names)}) or a command such as 'python3 mine.py' or './mine', got {player!r}"
        )
    options: Json = {}
    for option in filter(None, listed.split(",")):
        key, equals, value = option.partition("=")
        if not equals:
            raise PlayerError(f"expected options of {name} as KEY=VALUE, got {option!r}")
        options[key] = value
    return f"{shlex.quote(program)} bot {shlex.quote(name)}", options


def _typed(options: Json, specs: Json, name: str) -> Json:
    """Returns the options as the bot declares them."""
    kinds: Dict[str, Callable[[str], Any]] = {"int": int, "float": float, "bool": lambda text: {"true": True, "false": False}[text]}
    typed: Json = {}
    for key, text in options.items():
        if key not in specs:
            raise PlayerError(f"expected an option of {name} ({', '.join(specs) or 'it has none'}), got {key!r}")
        try:
            typed[key] = kinds.get(specs[key]["kind"], str)(text)
        except (ValueError, KeyError):
            raise PlayerError(f"expected a value of the kind {specs[key]['kind']} for the option {key} of {name}, got {text!r}") from None
    return typed


def failure_of(player: "Union[SeatedPlayer, RandomPlayer]", seat: str, action: Any, error: Exception) -> PlayerError:
    """Returns the error for an action that a player must not play."""
    return PlayerError(f"{player.name}, in the seat {seat}, played {json.dumps(action)}: {error}")
