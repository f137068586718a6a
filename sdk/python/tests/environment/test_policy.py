"""A policy becomes a bot that plays refereed games; the kit loads without what the environment needs."""

import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from common import REPOSITORY, games_of_rules, program, random_states
from kit import ROOT, conversation, start, turn

import botyard
from botyard import PolicyBot


class Policies(unittest.TestCase):
    def ask(self, game: Any, state: Any, policy: Any) -> Any:
        seat = game.seats[state.current_seat]
        begin = start(game.name, rules=game.rules, setup=state.setup(seat), you=[seat], seats=game.seats)
        asked = turn(1, state.legal_actions(), view=state.view(seat), seat=seat)
        return conversation(PolicyBot(policy, game.name), begin, asked)[-1]["action"]

    def test_an_index_and_numbers_for_all_indices(self) -> None:
        for game in games_of_rules():
            if not game.is_bounded:
                continue  # Bots get the encoding that is the game's own.
            numbers = np.random.default_rng(1).normal(size=game.action_count)
            for state in random_states(game, 6):
                last = max(state.legal_indices())
                chosen = self.ask(game, state, lambda _, mask: int(np.flatnonzero(mask)[-1]))
                self.assertEqual(chosen, state.action_from_index(last))
                best = max(state.legal_indices(), key=lambda index: numbers[index])
                self.assertEqual(self.ask(game, state, lambda _, mask: numbers), state.action_from_index(best))

    def test_wrong_answers_and_rules_are_explained(self) -> None:
        state = next(iter(random_states(next(g for g in games_of_rules() if g.name == "draughts"), 1)))
        for policy, message in [
            (lambda _, mask: np.zeros(7), "a number for each of 1024 indices"),
            (lambda _, mask: int(np.flatnonzero(~mask)[0]), "not that of a legal action"),
        ]:
            with self.assertRaisesRegex(ValueError, message):
                self.ask(state.game, state, policy)
        bot = PolicyBot(lambda _, mask: mask, "scotland-yard", rules="grid-5x5-2", name="mine")
        with self.assertRaisesRegex(ValueError, "mine was trained under the rules 'grid-5x5-2'"):
            conversation(bot, start("scotland-yard", rules={}))

    def test_a_refereed_match(self) -> None:
        source = "import botyard\nbotyard.serve(lambda observation, mask: mask.argmax(), 'liars-dice')\n"
        with tempfile.TemporaryDirectory() as place:
            Path(place, "bot.py").write_text(f"import sys\nsys.path.insert(0, {str(ROOT / 'src')!r})\n{source}")
            command = [program(), "match", "liars-dice", f"{sys.executable} bot.py", "random", "--games", "4"]
            command += ["--seed", "1", "--move-time", "30000", "--sandbox", "none", "--json", "--oversubscribe"]
            ran = subprocess.run(command, cwd=place, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        ended = [event for event in map(json.loads, ran.stdout.splitlines()) if event.get("type") == "game_ended"]
        self.assertEqual(len(ended), 4, ran.stdout)
        for event in ended:
            self.assertEqual((event["outcome"]["kind"], event["faults"]), ("completed", []))


class Loading(unittest.TestCase):
    """The kit needs none of this, and says what to install where it is needed."""

    def test_one_version(self) -> None:
        files = ["Cargo.toml", "sdk/python/native/Cargo.toml", "sdk/python/pyproject.toml"]
        texts = [(REPOSITORY / file).read_text(encoding="utf-8") for file in files]
        versions = [re.findall(r'^version = "(.*)"$', text, re.MULTILINE)[0] for text in texts]
        self.assertEqual(versions, [botyard.__version__] * 3)

    def run_without(self, missing: str, source: str) -> "subprocess.CompletedProcess[str]":
        hide = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n"
        hide += "".join(f"sys.modules[{name!r}] = None\n" for name in missing.split())
        return subprocess.run([sys.executable, "-c", hide + source], capture_output=True, text=True)

    def test_the_kit_loads_nothing_of_it(self) -> None:
        source = "import botyard, botyard.draughts, botyard.replay\nprint(*sys.modules)"
        ran = self.run_without("numpy pettingzoo gymnasium botyard._engine", source)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        loaded = set(self.run_without("", source).stdout.split())
        self.assertEqual(loaded & {"numpy", "pettingzoo", "botyard._engine", "botyard.engine"}, set())
        self.assertIn("botyard.policy", loaded)

    def test_errors_say_what_to_install(self) -> None:
        for missing, source, message in [
            ("numpy", "import botyard.engine", "ImportError: botyard.engine needs NumPy: pip install numpy"),
            ("botyard._engine", "import botyard.engine", "install the wheel with `pip install botyard`"),
            ("pettingzoo", "from botyard.env import draughts_v0", "botyard.env needs PettingZoo and NumPy"),
        ]:
            ran = self.run_without(missing, source)
            self.assertEqual(ran.returncode, 1)
            self.assertIn(message, ran.stderr)


if __name__ == "__main__":
    unittest.main()
