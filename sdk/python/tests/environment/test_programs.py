"""Games whose rules are a program pass PettingZoo's own tests, and OpenSpiel's algorithms solve them."""

import shutil
import unittest
from typing import Any, List, Tuple

from pettingzoo.test import api_test, seed_test
from pettingzoo.utils.env_logger import EnvLogger

import numpy as np
from common import REPOSITORY, random_states
from open_spiel.python.algorithms import cfr, exploitability, expected_game_score
from test_environments import quietly

from botyard.engine import Game
from botyard.features import features
from botyard.rules import load

GAMES = REPOSITORY / "examples" / "games"
RULES: List[Tuple[str, Any]] = [
    ("tic-tac-toe", None),
    ("rock-paper-scissors", None),
    ("pig", "short"),
    ("pig", {"preset": "short", "players": 5}),
    ("hex", "small"),
    *([("kuhn-poker", None)] if shutil.which("node") else []),
]


class PettingZoo(unittest.TestCase):
    def test_api_and_seeds(self) -> None:
        for name, rules in RULES:
            with self.subTest(name, rules=rules), load(GAMES / name, rules) as game:
                made: List[Any] = []

                def env() -> Any:
                    made.append(game.env())
                    return made[-1]

                quietly(api_test, env(), num_cycles=100)
                made.append(game.raw_env(render_mode="ansi"))
                quietly(api_test, made[-1], num_cycles=100)
                quietly(seed_test, env, num_cycles=100)
                for one in made:
                    one.close()
                    with self.assertRaisesRegex(ValueError, "ended by close"):
                        one.reset(seed=1)

    def test_an_environment_plays_the_game(self) -> None:
        env = load(GAMES / "tic-tac-toe").env(render_mode="ansi")
        env.reset(seed=1)
        self.assertEqual(env.unwrapped.metadata["name"], "tic_tac_toe_v0")
        for cell in [0, 4, 1, 8, 2]:
            observation, *_ = env.last()
            self.assertEqual(observation["action_mask"][cell], 1)
            env.step(cell)
        self.assertEqual(env.rewards, {"x": 1, "o": -1})
        self.assertIn('["x","x","x",null,"o"', env.render())
        env.reset(seed=1)
        env.step(0)
        EnvLogger.suppress_output()
        env.step(0)
        EnvLogger.unsuppress_output()
        self.assertEqual((env.rewards["o"], all(env.terminations.values())), (-1, True))
        env.close()

    def test_observations_of_ones_own(self) -> None:
        def observe(view: Any, seat: str) -> Any:
            return [(cell == seat) - (cell not in (seat, None)) for cell in view["cells"]]

        env = load(GAMES / "tic-tac-toe").raw_env(observe=observe)
        env.reset()
        env.step(4)
        self.assertEqual(list(env.observe("o")["observation"]), [0, 0, 0, 0, -1, 0, 0, 0, 0])
        env.close()

    def test_a_game_needs_a_list_of_actions(self) -> None:
        with load(GAMES / "connect6") as game, self.assertRaisesRegex(ValueError, "does not list its legal actions"):
            game.env()


class Features(unittest.TestCase):
    def test_they_are_those_of_the_compiled_module(self) -> None:
        for name in ["scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"]:
            game = Game(name, encoding="hashed")
            for state in random_states(game, 30):
                seat = state.current_seat or 0
                found = np.array(features(state.view(seat), seat), np.float32)
                np.testing.assert_allclose(found, state.observation(seat), rtol=1e-6, err_msg=name)


class OpenSpiel(unittest.TestCase):
    @unittest.skipUnless(shutil.which("node"), "needs node")
    def test_its_solver_finds_the_value_of_kuhns_poker(self) -> None:
        """-1/18 for the first player: H. W. Kuhn, A simplified two-person poker, 1950."""
        with load(GAMES / "kuhn-poker") as game:
            solver = cfr.CFRSolver(game)
            for _ in range(60):
                solver.evaluate_and_update_policy()
            policy = solver.average_policy()
            value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
            self.assertAlmostEqual(value[0], -1 / 18, delta=0.01)
            self.assertLess(exploitability.nash_conv(game, policy), 0.05)


if __name__ == "__main__":
    unittest.main()
