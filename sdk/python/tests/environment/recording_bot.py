"""A bot for test_lines.py: plays random legal actions, with a wrong one first where it is asked to, and appends every
line that it reads and writes to a file, after ``>`` or ``<``.

    python3 recording_bot.py FILE [--wrong]
"""

import random
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "src"))

from botyard import Bot, IntOption, Turn
from botyard.bot import Session

WRONG = "--wrong" in sys.argv


class Recorder(Bot[Any, Any]):
    version = "1.0"
    author = "the tests"
    depth = IntOption(3, min=1, max=9, about="changes nothing")

    asked = 0

    def choose(self, turn: "Turn[Any, Any]") -> Any:
        self.asked += 1
        if WRONG and self.asked == 2:
            return {"nothing": "legal"}
        turn.log(f"decision {turn.number}")
        turn.info(score=random.random(), depth=self.depth, pv=turn.legal_actions()[:2], text="é", more=[1, {"a": None}])
        return turn.random.choice(turn.legal_actions())


with open(sys.argv[1], "ab") as record:

    def write(line: bytes) -> None:
        record.write(b"< " + line)
        sys.stdout.buffer.write(line)
        sys.stdout.buffer.flush()

    session = Session(Recorder(), write)
    for line in sys.stdin.buffer:
        record.write(b"> " + line)
        record.flush()
        if not session.handle(line):
            break
