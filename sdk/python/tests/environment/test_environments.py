"""The environments pass PettingZoo's own tests, and play the games of the engine."""

import contextlib
import io
import random
import unittest
import warnings
from typing import Any, Dict, List, Tuple

from pettingzoo.test import api_test, performance_benchmark, seed_test
from pettingzoo.utils.env_logger import EnvLogger

import common  # noqa: F401 - the kit on the path
import numpy as np

from botyard.engine import Game
from botyard.env import connect_four_v0, dice_wars_v0, draughts_v0, liars_dice_v0, scotland_yard_v0
from botyard.env.aec import RawEnv

ENVIRONMENTS: List[Tuple[Any, Dict[str, Any]]] = [
    (scotland_yard_v0, {}),
    (scotland_yard_v0, {"rules": "grid-5x5-2"}),
    (scotland_yard_v0, {"rules": {"preset": "nijssen", "seats": "pawns"}}),
    (draughts_v0, {}),
    (dice_wars_v0, {}),
    (connect_four_v0, {}),
    (liars_dice_v0, {"rules": "one-die"}),
]


def quietly(test: Any, *arguments: Any, **named: Any) -> str:
    """Runs a test of PettingZoo, and returns what it prints.

    It warns of agents that are not named player_0 and so on: ours are the seats.
    """
    with contextlib.redirect_stdout(io.StringIO()) as printed, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        test(*arguments, **named)
    return printed.getvalue()


class PettingZoo(unittest.TestCase):
    def test_api(self) -> None:
        for module, arguments in ENVIRONMENTS:
            with self.subTest(module=module.__name__, **arguments):
                quietly(api_test, module.env(**arguments), num_cycles=300)
                quietly(api_test, module.raw_env(**arguments), num_cycles=300)

    def test_seeds(self) -> None:
        for module, arguments in ENVIRONMENTS:
            with self.subTest(module=module.__name__, **arguments):
                quietly(seed_test, lambda: module.env(**arguments), num_cycles=100)

    def test_performance(self) -> None:
        """The benchmark runs for five seconds. It plays on over ends of games, and checks no speed."""
        for module in (scotland_yard_v0, draughts_v0, dice_wars_v0):
            with self.subTest(module=module.__name__):
                printed = quietly(performance_benchmark, module.env())
                self.assertRegex(printed, r"\d turns per second\n.*\nFinished performance benchmark\n$")


class Games(unittest.TestCase):
    def test_a_game_is_that_of_the_engine(self) -> None:
        for module, arguments in ENVIRONMENTS:
            env = module.env(**arguments)
            env.reset(seed=3)
            raw = env.unwrapped
            state = raw.game.start(3)
            choose, total = random.Random(1), dict.fromkeys(raw.possible_agents, 0.0)
            for agent in env.agent_iter():
                observation, reward, termination, truncation, _ = env.last()
                total[agent] += reward
                if termination or truncation:
                    env.step(None)
                    continue
                self.assertEqual(agent, raw.game.seats[state.current_seat])
                self.assertTrue((observation["observation"] == state.observation()).all())
                self.assertTrue((observation["action_mask"] == state.action_mask()).all())
                self.assertTrue(env.observation_space(agent).contains(observation))
                action = choose.choice(state.legal_indices())
                state.apply_index(action)
                env.step(action)
            self.assertTrue(state.is_terminal)
            self.assertEqual(list(total.values()), state.rewards(), module.__name__)

    def test_an_illegal_action_loses(self) -> None:
        env = connect_four_v0.env()
        env.reset(seed=1)
        for _ in range(6):
            env.step(0)
        loser = env.agent_selection
        EnvLogger.suppress_output()
        env.step(0)
        EnvLogger.unsuppress_output()
        self.assertTrue(all(env.terminations.values()))
        self.assertEqual(env.rewards[loser], -1)

    def test_openings_and_texts(self) -> None:
        env = draughts_v0.raw_env(render_mode="ansi")
        env.reset(options={"opening": {"fen": "W:WK1:BK32"}})
        self.assertEqual(env.agent_selection, "white")
        self.assertIn("32", env.render() or "")
        with self.assertRaisesRegex(ValueError, "human or ansi"):
            draughts_v0.env(render_mode="rgb_array")

    def test_a_game_without_an_encoding_of_its_own(self) -> None:
        env = RawEnv("liars-dice", 0, encoding="hashed")
        quietly(api_test, env, num_cycles=100)
        self.assertEqual(env.metadata["name"], "liars_dice_v0")
        self.assertEqual(env.game.observation_size, Game("draughts", encoding="hashed").observation_size)
        space: Any = env.observation_space("player-1")
        self.assertTrue(np.isinf(space["observation"].high).all())


if __name__ == "__main__":
    unittest.main()
