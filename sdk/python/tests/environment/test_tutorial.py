"""The tutorial docs/learn/train-a-policy.md: the page quotes its files, and they do what it says."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

import numpy as np
from common import REPOSITORY, program

from botyard.engine import Game, VectorEnv

LEARN = REPOSITORY / "docs/learn"
sys.path.insert(0, str(LEARN / "code"))

import train_policy  # type: ignore[import-not-found]  # noqa: E402


def against_random(weights: Any, games: int = 400) -> "tuple[float, float]":
    """Returns the part of games that the policy wins against random actions, as Mr. X and as the detectives."""
    game, shares = Game("scotland-yard", train_policy.RULES), []
    for side in range(2):
        env = VectorEnv(game, games, seed=7)
        ended, won = np.zeros(games, bool), np.zeros(games, bool)
        while not ended.all():
            best = np.where(env.masks, env.observations @ weights, -np.inf).argmax(axis=1)
            _, _, _, rewards, dones = env.step(np.where(env.seats == side, best, env.random_actions()))
            won |= ~ended & dones & (rewards[:, side] > 0)
            ended |= dones
        shares.append(float(won.mean()))
    return shares[0], shares[1]


class Tutorial(unittest.TestCase):
    def test_the_page_quotes_the_files(self) -> None:
        blocks = (LEARN / "train-a-policy.md").read_text(encoding="utf-8").split("```python\n")[1:]
        quoted = [block.split("```")[0] for block in blocks]
        for name in ("train_policy", "policy_bot"):
            self.assertIn((LEARN / f"code/{name}.py").read_text(encoding="utf-8"), quoted)

    def test_training_helps_and_the_bot_plays_matches(self) -> None:
        game = Game("scotland-yard", train_policy.RULES)
        nothing = np.zeros((game.observation_size, game.action_count), np.float32)
        weights = train_policy.train(200, seed=1, say=lambda text: None)
        before, after = against_random(nothing), against_random(weights)
        self.assertGreater(after[0], before[0] + 0.15, (before, after))
        self.assertGreater(after[1], before[1] + 0.15, (before, after))

        with tempfile.TemporaryDirectory() as place:
            shutil.copy(LEARN / "code/policy_bot.py", place)
            np.savez(Path(place, "policy.npz"), weights=weights)
            command = [program(), "match", "scotland-yard", f"{sys.executable} policy_bot.py", "random", "--rules"]
            command += [train_policy.RULES, "--games", "10", "--seed", "1", "--move-time", "30000", "--sandbox", "none"]
            ran = subprocess.run([*command, "--json", "--oversubscribe"], cwd=place, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        ended = [event for event in map(json.loads, ran.stdout.splitlines()) if event.get("type") == "game_ended"]
        self.assertEqual([event["faults"] for event in ended], [[]] * 10)

    def test_equal_seeds_give_equal_policies(self) -> None:
        one, other = (train_policy.train(2, seed=5, say=lambda text: None) for _ in range(2))
        self.assertTrue((one == other).all())


if __name__ == "__main__":
    unittest.main()
