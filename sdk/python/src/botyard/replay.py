"""Runs a bot on a recorded game: ``python3 bot.py --replay FILE --seat SEAT [--turn N] [--pdb]``.

The bot is sent what it was sent in the game, and each of its choices is printed beside the recorded one.
Standard input and output are the terminal's, so ``print``, ``breakpoint()`` and any debugger work.
"""

import argparse
import bdb
import gzip
import json
import pdb
import subprocess
import sys
import time
import traceback
from typing import Any, Dict, List, Optional, Sequence

from ._program import botyard_program
from .bot import AnyBot, Session, Turn, dumps


def read_lines(path: str) -> List[bytes]:
    """Returns the lines of a file, plain or compressed by gzip."""
    with open(path, "rb") as file:
        data = file.read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    return data.splitlines(keepends=True)


def sent_lines(path: str, seat: str, botyard: Optional[str] = None) -> List[bytes]:
    """Returns the lines that were sent to the bot in a seat: those of ``botyard replay stdin``.

    ``path`` is a replay, or a file with the output of that command.
    """
    lines = read_lines(path)
    if lines and json.loads(lines[0].decode("utf-8")).get("type") != "header":
        return lines
    try:
        program = botyard_program(botyard)
    except FileNotFoundError:
        raise SystemExit(
            "cannot find the program botyard, which reads replays: name it by --botyard PATH or the environment "
            "variable BOTYARD, or give --replay the output of `botyard replay stdin FILE --seat SEAT`"
        ) from None
    found = subprocess.run([program, "replay", "stdin", path, "--seat", seat], stdout=subprocess.PIPE)
    if found.returncode != 0:
        raise SystemExit(found.returncode)
    return found.stdout.splitlines(keepends=True)


def recorded_actions(path: str) -> Dict[int, Any]:
    """Returns the recorded actions of a replay, by the number of the decision."""
    messages = (json.loads(line.decode("utf-8")) for line in read_lines(path))
    return {line["turn"]: line["action"] for line in messages if line.get("type") == "move"}


class _Replaying(Session):
    """A session that prints what the bot chooses."""

    def __init__(self, bot: AnyBot, recorded: Dict[int, Any], only: Optional[int], debug: bool) -> None:
        super().__init__(bot, self._answer)
        self.recorded = recorded
        self.only = only
        self.debug = debug
        self.seconds = 0.0
        self.asked = 0
        self.different = 0

    def handle(self, line: bytes, began: Any = None) -> bool:
        message = json.loads(line.decode("utf-8"))
        if self.only is not None and message.get("type") == "turn" and message.get("turn") != self.only:
            return True
        return super().handle(line, began)

    def choose(self, turn: "Turn[Any, Any]") -> Any:
        began = time.monotonic()
        try:
            if self.debug and self.only is not None:
                action = pdb.Pdb().runcall(self.bot.choose, turn)
                if action is None:
                    raise SystemExit(1)  # `q` in the debugger ends choose() so.
                return action
            return self.bot.choose(turn)
        except bdb.BdbQuit:
            raise SystemExit(1) from None
        except Exception as error:
            if self.debug:
                traceback.print_exc()
                pdb.post_mortem(error.__traceback__)
            raise
        finally:
            self.seconds = time.monotonic() - began

    def _answer(self, line: bytes) -> None:
        message = json.loads(line.decode("utf-8"))
        if message["type"] == "log":
            print(f"  log: {message['text']}")
        if message["type"] != "move":
            return
        number, action = message["turn"], message["action"]
        self.asked += 1
        text = f"turn {number}: {dumps(action)}"
        if number in self.recorded:
            same = self.recorded[number] == action
            self.different += not same
            text += "  as recorded" if same else f"  recorded: {dumps(self.recorded[number])}"
        print(f"{text}  ({self.seconds:.3f} s)")
        if message.get("info"):
            print(f"  info: {dumps(message['info'])}")


def main(bot: AnyBot, arguments: Sequence[str]) -> int:
    """Runs the command line of this module. Returns the exit code."""
    parser = argparse.ArgumentParser(description="Run this bot on a recorded game.")
    parser.add_argument("--replay", required=True, metavar="FILE", help="replay, or output of `botyard replay stdin`")
    parser.add_argument("--seat", default="1", help="seat of the bot: its name, or its number from 1 (default: 1)")
    parser.add_argument("--turn", type=int, metavar="N", help="ask for decision N only")
    parser.add_argument("--pdb", action="store_true", help="debug choose() at --turn N, or where it fails")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="set an option of the bot")
    parser.add_argument("--botyard", metavar="PATH", help="the program botyard")
    args, _ = parser.parse_known_args(arguments)
    lines = sent_lines(args.replay, args.seat, args.botyard)
    first = json.loads(read_lines(args.replay)[0].decode("utf-8"))
    recorded = recorded_actions(args.replay) if first.get("type") == "header" else {}
    session = _Replaying(bot, recorded, args.turn, args.pdb)
    for line in lines:
        message = json.loads(line.decode("utf-8"))
        if message.get("type") == "start" and args.option:
            message["options"] = {**(message.get("options") or {}), **_options(args.option)}
            line = dumps(message).encode("ascii")
        try:
            if not session.handle(line):
                break
        except Exception:
            traceback.print_exc()
            return 1
    if args.turn is not None and not session.asked:
        print(f"there is no decision {args.turn} of this seat{_known_decisions(lines)}", file=sys.stderr)
        return 1
    known = f", {session.different} differ from the record" if recorded else ""
    print(f"{session.asked} decisions{known}")
    return 0


def _known_decisions(lines: Sequence[bytes]) -> str:
    """Returns which decisions were asked for, as the end of a message."""
    turns = [message["turn"] for message in map(json.loads, lines) if message.get("type") == "turn"]
    return f": its first is {turns[0]}, its last {turns[-1]}" if turns else ", which was never to move"


def _options(texts: Sequence[str]) -> Dict[str, Any]:
    options: Dict[str, Any] = {}
    for text in texts:
        name, _, value = text.partition("=")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options
