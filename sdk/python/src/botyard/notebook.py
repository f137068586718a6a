"""Refereed games from Python: :func:`play` plays one with functions of this process, and a notebook shows it.

::

    import botyard

    def cautious(turn):
        return turn.legal_actions()[0]

    botyard.play("draughts", [cautious, "greedy"], seed=1)

It needs the program ``botyard``, and no network.
"""

import html
import json
import os
import re
import secrets
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union

from ._program import botyard_program
from .bot import Reading, Session
from .players import Player, bot_of, check_one_seat

__all__ = ["PlayedGame", "play"]

Json = Dict[str, Any]

# The most bytes of the path of a socket that Linux and macOS take, and the length of a socket's own name.
_SOCKET_PATH, _SOCKET_NAME = 103, 32

# The most characters of a name that botyard takes.
_NAME_CHARACTERS = 60


class PlayedGame:
    """A refereed game. A notebook shows it as a page: board, moves, times and what the bots reported."""

    def __init__(self, ended: Json, replay: str, page: str, raised: Sequence[Optional[BaseException]]) -> None:
        #: ``kind``, ``scores``, ``ranks`` and ``reason``, as in the protocol's ``end``.
        self.outcome: Json = ended["outcome"]
        #: The faults of the players.
        self.faults: List[Json] = ended.get("faults") or []
        #: The replay: its text, one JSON object on a line.
        self.replay = replay
        #: The page: an HTML document that loads nothing.
        self.page = page
        header = json.loads(replay.split("\n", 1)[0])
        #: The player of each seat, by the name of the seat. Names are distinct: ``first``, ``first#2``.
        self.players: Dict[str, str] = {its["seat"]: its["player"] for its in header["seats"]}
        #: What functions and bots of this process raised, by the player's name.
        self.errors = {name: error for name, error in zip(self.players.values(), raised) if error is not None}

    @property
    def scores(self) -> Dict[str, float]:
        """The points of each seat, by its name; empty if the game is void."""
        return dict(zip(self.players, self.outcome["scores"]))

    def events(self) -> List[Json]:
        """Returns the lines of the replay, from the header to the end."""
        return [json.loads(line) for line in self.replay.splitlines()]

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to a file whose name ends in ``.html``, or the replay to any other."""
        path = Path(path)
        path.write_text(self.page if path.suffix == ".html" else self.replay, encoding="utf-8")

    def __repr__(self) -> str:
        seats = ", ".join(
            f"{seat} ({player}): {self.scores.get(seat, 'no points')}" for seat, player in self.players.items()
        )
        return f"<{self.outcome['reason']}: {seats}>"

    def _repr_html_(self) -> str:
        # The page comes from a file with texts of bots, so it gets no access to the notebook.
        return (
            f'<iframe sandbox="allow-scripts" title="{html.escape(repr(self))}" srcdoc="{html.escape(self.page)}" '
            'style="width:100%;height:720px;border:1px solid #8888;border-radius:8px"></iframe>'
        )


def play(
    game: str,
    players: Sequence[Player],
    *,
    seed: Optional[int] = None,
    rules: Union[str, Mapping[str, Any], None] = None,
    move_ms: int = 1000,
    botyard: Optional[str] = None,
) -> PlayedGame:
    """Plays a refereed game and returns it.

    ``game`` is the name of a game, or the directory of one whose rules are a program. ``players`` has a player for each
    seat, in seat order: a function that gets a :class:`~botyard.Turn` and returns an action, a bot of the kit or its
    class (for several seats its class), the name of a built-in bot (``"alpha-beta:depth=3"``), or the command of a bot's
    program. ``rules`` is the name of a preset, or a dictionary with changed rules, in which the key ``preset`` names
    another preset than the first. ``move_ms`` is the time for a move in milliseconds. ``botyard`` is the path of the
    program.

    Functions and bots run in this process, in threads of their own. What they raise is printed and loses the game, as it
    would in a match. They cannot be stopped: one that takes too long loses, and its thread ends when it returns. Programs
    run as your processes, **without a sandbox**.

    Raises ``ValueError`` with the message of ``botyard`` if the game cannot be played.
    """
    if not hasattr(socket, "AF_UNIX"):
        raise NotImplementedError("play() needs the sockets of Linux and macOS: use botyard match")
    check_one_seat(players)
    program = botyard_program(botyard)
    place = _directory()
    if os.geteuid() == 0:
        # Started by root, botyard runs bots as another user. Only who knows the name of a socket reaches it.
        place.chmod(0o711)
    guests: List[Optional[_Guest]] = []
    try:
        specs = []
        for player in players:
            if isinstance(player, str):
                guests.append(None)
                specs.append(player)
                continue
            guest = _Guest(player, place / secrets.token_hex(_SOCKET_NAME // 2))
            guests.append(guest)
            specs.append(guest.spec(program))
        options = ["--games", "1", "--sandbox", "none", "--move-time", str(move_ms), "--json"]
        options += ["--out", str(place / "replays")]
        options += [] if seed is None else ["--seed", str(seed)]
        events = [json.loads(line) for line in _run(program, "match", game, *specs, *options, *_rules(rules)).splitlines()]
        ended = next(event for event in reversed(events) if event.get("type") == "game_ended")
        replay = next(iter(sorted((place / "replays").glob("*.ndjson"))))
        _run(program, "replay", "view", str(replay), "-o", str(place / "page.html"))
        page = (place / "page.html").read_text(encoding="utf-8")
        # Botyard makes names distinct, so those of the replay count. Its seats are in the order of the players.
        raised = [None if guest is None else guest.error for guest in guests]
        return PlayedGame(ended, replay.read_text(encoding="utf-8"), page, raised)
    finally:
        for opened in filter(None, guests):
            opened.close()
        shutil.rmtree(place, ignore_errors=True)


class _Guest:
    """A player of this process. The referee starts a relay, which connects to the socket of the player's thread."""

    def __init__(self, player: Any, path: Path) -> None:
        self._bot = bot_of(player)
        self._path = path
        self.bot_name: str = self._bot.hello()["name"]
        #: What the player raised.
        self.error: Optional[BaseException] = None
        self._is_over = False
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        path.chmod(0o600 if os.geteuid() else 0o666)
        self._listener.listen(1)
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()

    def spec(self, program: str) -> str:
        """Returns the player as an argument of ``botyard match``."""
        name = "".join(letter for letter in self.bot_name if letter.isalnum() or letter in "_-") or "function"
        return f"{name[:_NAME_CHARACTERS]}={shlex.quote(program)} relay {shlex.quote(str(self._path))}"

    def close(self) -> None:
        """Ends the thread."""
        self._is_over = True
        with socket.socket(socket.AF_UNIX) as line:  # No relay comes any more.
            line.connect(str(self._path))
            self._thread.join(2)
        self._listener.close()

    def _serve(self) -> None:
        # A bot is started once before the match, and again for its game.
        while not self._is_over:
            try:
                line, _ = self._listener.accept()
            except OSError:
                return  # Closed, while the bot was choosing.
            if self._is_over:
                line.close()
                return
            self._talk(line)

    def _talk(self, line: socket.socket) -> None:
        with line, line.makefile("rb") as lines:
            session = Session(self._bot, line.sendall)
            try:
                for read in iter(lines.readline, b""):
                    if not session.handle(read, Reading.now()):
                        return
            except (BrokenPipeError, ConnectionError):
                pass  # The referee has ended the game.
            except BaseException as error:
                self.error = error
                traceback.print_exc(file=sys.stderr)


def _directory() -> Path:
    """Makes a directory for sockets, in ``/tmp`` if their paths would be too long in the one for temporary files."""
    temporary = os.path.abspath(tempfile.gettempdir())
    most = _SOCKET_PATH - len("/botyard-12345678/") - _SOCKET_NAME
    if len(os.fsencode(temporary)) <= most:
        return Path(tempfile.mkdtemp(prefix="botyard-"))
    try:
        return Path(tempfile.mkdtemp(prefix="botyard-", dir="/tmp"))
    except OSError as error:
        raise OSError(
            f"expected a directory for temporary files whose path has at most {most} bytes, for sockets, got {temporary}; "
            f"/tmp cannot be used instead ({error.strerror}): set the variable TMPDIR to another"
        ) from error


def _rules(rules: Union[str, Mapping[str, Any], None]) -> List[str]:
    if rules is None or isinstance(rules, str):
        return [] if rules is None else ["--rules", rules]
    changes = dict(rules)
    preset = changes.pop("preset", None)
    options = [] if preset is None else ["--rules", str(preset)]
    for name, value in changes.items():
        options += ["--rule", f"{name}={value if isinstance(value, str) else json.dumps(value)}"]
    return options


def _run(program: str, *arguments: str) -> str:
    done = subprocess.run([program, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    # A player that cannot be started is a fault of the game, and a failed run.
    if done.returncode != 0 and b'"game_ended"' not in done.stdout:
        # What follows is an example of a command line.
        message = re.sub("^error: ", "", done.stderr.decode("utf-8", "replace").split("\nFor example: ")[0].strip())
        raise ValueError(message or f"botyard {arguments[0]} exited with code {done.returncode}")
    return done.stdout.decode("utf-8")
