"""Games that are stepped together are the games that are stepped one by one."""

import threading
import unittest
from typing import Dict, Set

import numpy as np
from common import games_of_rules

from botyard.engine import Game, VectorEnv


class Vector(unittest.TestCase):
    def test_it_plays_the_games_that_states_play(self) -> None:
        """States with the same seeds are played along: same observations, masks, seats and rewards."""
        for game in games_of_rules():
            env, ended = VectorEnv(game, 3, seed=6), 0
            states = [game.start(seed) for seed in env.seeds()]
            for step in range(2500):
                for row, state in enumerate(states):
                    self.assertEqual(env.seats[row], state.current_seat)
                    self.assertTrue((env.observations[row] == state.observation()).all(), game)
                    self.assertTrue((env.masks[row] == state.action_mask()).all(), game)
                    self.assertEqual(env.plies()[row], state.ply)
                actions = env.random_actions()
                env.step(actions)
                for row, state in enumerate(states):
                    state.apply_index(int(actions[row]))
                    self.assertEqual(bool(env.dones[row]), state.is_terminal)
                    self.assertTrue(np.allclose(env.rewards[row], state.rewards()), game)
                    if state.is_terminal:
                        states[row] = game.start(env.seeds()[row])
                        ended += 1
                if ended > 3 and step > 60:
                    break
            self.assertGreater(ended, 0, game)

    def test_threads_change_nothing(self) -> None:
        for game in games_of_rules():
            env, other = VectorEnv(game, 5, seed=3), VectorEnv(game, 5, seed=3, threads=3)
            for _ in range(60):
                one, two = env.step(env.random_actions()), other.step(other.random_actions())
                self.assertTrue(all(map(np.array_equal, one, two)), game)

    def test_an_illegal_index_changes_no_game(self) -> None:
        env = VectorEnv(Game("draughts"), 4, seed=1)
        before = [array.copy() for array in (env.observations, env.masks, env.seats)]
        for wrong in (-1, 1024, int(np.flatnonzero(~env.masks[3])[0]), 2**32 - 1):
            actions = env.random_actions()
            actions[3] = wrong
            with self.assertRaisesRegex(ValueError, f"game 3: index {wrong} is not"):
                env.step(actions)
        for array, old in zip((env.observations, env.masks, env.seats), before):
            self.assertTrue((array == old).all())
        with self.assertRaisesRegex(ValueError, "each of 4 games, got 3"):
            env.step([1, 2, 3])

    def test_arrays_are_reused_and_read_only(self) -> None:
        env = VectorEnv(Game("connect-four"), 2, seed=1)
        observations, masks, *_ = env.step(env.random_actions())
        with self.assertRaises(ValueError):
            masks[0, 0] = False
        kept = observations.copy()
        env.step(env.random_actions().astype(np.int32))
        self.assertFalse((kept == observations).all())
        self.assertTrue((env.observations == observations).all())

    def test_reset_begins_again(self) -> None:
        env = VectorEnv(Game("dice-wars"), 3, seed=8)
        first = [array.copy() for array in (env.observations, env.masks, env.seats)]
        played = []
        for _ in range(2):
            actions = []
            for _ in range(50):
                actions.append(env.random_actions())
                env.step(actions[-1])
            played.append((np.array(actions), env.observations.copy()))
            env.reset(8)
            for array, old in zip((env.observations, env.masks, env.seats), first):
                self.assertTrue((array == old).all())
        for one, other in zip(*played):
            self.assertTrue((one == other).all())

    def test_environments_in_threads(self) -> None:
        def play(place: int) -> None:
            env = VectorEnv(Game("liars-dice"), 8, seed=place, threads=2)
            for _ in range(200):
                env.step(env.random_actions())
            sums[place].add(float(env.observations.sum()))

        sums: Dict[int, Set[float]] = {0: set(), 1: set()}
        threads = [threading.Thread(target=play, args=(place % 2,)) for place in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual([len(each) for each in sums.values()], [1, 1])


if __name__ == "__main__":
    unittest.main()
