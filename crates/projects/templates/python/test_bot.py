"""Asks the bot for a first move: ``python3 -m unittest``."""

import json
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).resolve().parent


class FirstMove(unittest.TestCase):
    def test_the_first_move_is_legal(self) -> None:
        lines = (HERE / "first_move.ndjson").read_text()
        ran = subprocess.run([sys.executable, "bot.py"], cwd=HERE, input=lines, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        [turn] = [json.loads(line) for line in lines.splitlines() if '"type":"turn"' in line]
        answers = [json.loads(line) for line in ran.stdout.splitlines()]
        [move] = [answer for answer in answers if answer["type"] == "move"]
        self.assertIn(move["action"], turn["legal"])


if __name__ == "__main__":
    unittest.main()
