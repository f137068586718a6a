"""The replay debugger: a bot on recorded lines."""

import gzip
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, List

import kit
from kit import HELLO, QUIT, end, lines, start, turn

SENT = [HELLO, start(options={"seed": 3}), turn(1, [1, 2], view={"n": 1}), turn(3, [1, 2]), end(), QUIT]
RECORD: List[Any] = [
    {"type": "header", "game_id": "7-1"},
    {"type": "chance", "turn": 0, "outcome": {}},
    {"type": "move", "turn": 1, "seat": "a", "action": 1},
    {"type": "move", "turn": 2, "seat": "b", "action": 5},
    {"type": "move", "turn": 3, "seat": "a", "action": 2},
]

BOT = """
from botyard import Bot, IntOption, main
class Mine(Bot):
    fails_at = IntOption(0, min=0, max=9)
    def choose(self, turn):
        print("thinking about", turn.number, turn.view, self.seed)
        turn.log("hm")
        if turn.number == self.fails_at:
            raise RuntimeError("lost")
        turn.info(score=0.5)
        return 1
main(Mine)
"""


class Replays(unittest.TestCase):
    def setUp(self) -> None:
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.directory = Path(directory.name)
        (self.directory / "bot.py").write_text(BOT)
        (self.directory / "lines.ndjson").write_bytes(lines(*SENT))
        (self.directory / "game.ndjson").write_bytes(lines(*RECORD))
        (self.directory / "game.ndjson.gz").write_bytes(gzip.compress(lines(*RECORD)))
        # Stands in for the program, which knows what a bot was sent.
        program = self.directory / "botyard"
        program.write_text(f"#!/bin/sh\n[ \"$1 $2 $4 $5\" = 'replay stdin --seat a' ] && cat {self.directory}/lines.ndjson\n")
        program.chmod(0o755)

    def run_bot(self, *arguments: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        environment = {**os.environ, "PYTHONPATH": str(kit.ROOT / "src"), "BOTYARD": str(self.directory / "botyard")}
        command: List[Any] = [sys.executable, "bot.py", *arguments]
        return subprocess.run(
            command,
            cwd=self.directory,
            env=environment,
            input=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            timeout=60,
        )

    def test_a_replay(self) -> None:
        for name in ["game.ndjson", "game.ndjson.gz"]:
            done = self.run_bot("--replay", name, "--seat", "a")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("thinking about 1 {'n': 1} 3", done.stdout)
            self.assertIn("  log: hm", done.stdout)
            self.assertRegex(done.stdout, r"turn 1: 1  as recorded  \(\d\.\d+ s\)")
            self.assertIn("turn 3: 1  recorded: 2", done.stdout)
            self.assertIn('  info: {"score":0.5}', done.stdout)
            self.assertIn("2 decisions, 1 differ from the record", done.stdout)

    def test_one_decision_of_recorded_lines(self) -> None:
        done = self.run_bot("--replay", "lines.ndjson", "--turn", "3", "--option", "seed=8")
        self.assertIn("thinking about 3 {} 8", done.stdout)
        self.assertNotIn("thinking about 1", done.stdout)
        self.assertIn("1 decisions\n", done.stdout)
        missing = self.run_bot("--replay", "lines.ndjson", "--turn", "2")
        self.assertEqual(missing.returncode, 1)
        self.assertIn("there is no decision 2 of this seat: its first is 1, its last 3", missing.stderr)

    def test_a_failing_decision(self) -> None:
        done = self.run_bot("--replay", "lines.ndjson", "--option", "fails_at=3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("RuntimeError: lost", done.stderr)

    def test_the_debugger(self) -> None:
        done = self.run_bot("--replay", "lines.ndjson", "--turn", "3", "--pdb", stdin="p turn.number * 100\nc\n")
        self.assertIn("300", done.stdout)
        done = self.run_bot("--replay", "lines.ndjson", "--option", "fails_at=1", "--pdb", stdin="p turn.number + 41\nq\n")
        self.assertIn("42", done.stdout)

    def test_no_program(self) -> None:
        environment = {**os.environ, "PYTHONPATH": str(kit.ROOT / "src"), "PATH": "/nowhere"}
        environment.pop("BOTYARD", None)
        done = subprocess.run(
            [sys.executable, "bot.py", "--replay", "game.ndjson", "--seat", "a"],
            cwd=self.directory,
            env=environment,
            stderr=subprocess.PIPE,
        )
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"--botyard PATH", done.stderr)


if __name__ == "__main__":
    unittest.main()
