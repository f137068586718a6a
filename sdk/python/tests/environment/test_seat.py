"""A seat as an environment of Gymnasium: its checks, every game, and opponents of every kind."""

import sys
import unittest
import warnings
from typing import Any, Dict, List, Tuple

from gymnasium.utils.env_checker import check_env

import numpy as np
from common import REPOSITORY, RULES, program
from kit import ROOT

from botyard import Bot, Turn
from botyard.engine import Game
from botyard.env.seat import SeatEnv
from botyard.players import PlayerError, ProgramFailed
from botyard.rules import load

BOTYARD = program()


def episode(env: SeatEnv, seed: int) -> Tuple[List[int], float]:
    """Plays a game of random legal actions; returns them and the reward."""
    choose = np.random.default_rng(seed)
    observation, info = env.reset(seed=seed)
    played: List[int] = []
    while True:
        assert env.observation_space.contains(observation)
        assert np.array_equal(env.action_masks(), info["action_mask"])
        played.append(int(choose.choice(np.flatnonzero(info["action_mask"]))))
        observation, reward, terminated, truncated, info = env.step(played[-1])
        assert not truncated
        if terminated:
            assert not info["action_mask"].any()
            return played, reward


class Seats(unittest.TestCase):
    def test_gymnasium_has_nothing_to_say(self) -> None:
        for game in ["connect-four", "liars-dice"]:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                check_env(SeatEnv(game, render_mode="ansi"), skip_render_check=True)

    def test_every_seat_of_every_game(self) -> None:
        for name, rules in RULES:
            game = Game(name, rules)
            for seat in game.seats[:3]:
                with self.subTest(name, rules=rules, seat=seat):
                    env = SeatEnv(game, seat)
                    observation, info = env.reset(seed=3)
                    self.assertEqual((env.seat, info["seat"]), (seat, seat))
                    np.testing.assert_array_equal(observation, env.game_state.observation(seat))
                    first, again = episode(env, 3), episode(SeatEnv(game, seat), 3)
                    self.assertEqual(first, again)
                    self.assertLessEqual(abs(first[1]), 1)

    def test_a_seat_is_drawn_or_asked_for(self) -> None:
        env = SeatEnv("connect-four", None)
        seats = [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
        self.assertEqual(set(seats), {"yellow", "red"})
        self.assertEqual(env.reset(options={"seat": "red"})[1]["seat"], "red")
        self.assertEqual(env.game_state.ply, 1)
        with self.assertRaisesRegex(ValueError, "expected a seat of yellow, red"):
            SeatEnv("connect-four", "blue")

    def test_an_illegal_index_loses(self) -> None:
        env = SeatEnv("draughts")
        _, info = env.reset(seed=1)
        illegal = int(np.flatnonzero(info["action_mask"] == 0)[0])
        _, reward, terminated, _, info = env.step(illegal)
        self.assertEqual((reward, terminated), (-1.0, True))
        self.assertIn("not that of a legal action", info["illegal"])
        with self.assertRaisesRegex(RuntimeError, r"call reset\(\)"):
            env.step(illegal)

    def test_what_is_no_index_loses(self) -> None:
        with load(REPOSITORY / "examples" / "games" / "tic-tac-toe") as game:
            for env in [SeatEnv("connect-four"), SeatEnv(game)]:
                for index in (-1, 10**6, 10**30):
                    env.reset(seed=1)
                    _, reward, terminated, _, info = env.step(index)
                    self.assertEqual((reward, terminated), (-1.0, True))
                    self.assertIn(str(index), info["illegal"])

    def test_a_game_that_is_a_program(self) -> None:
        with load(REPOSITORY / "examples" / "games" / "tic-tac-toe") as game:
            env = SeatEnv(game, "o", lambda turn: turn.legal_actions()[0])
            self.assertEqual(episode(env, 1), episode(env, 1))


class Opponents(unittest.TestCase):
    def test_a_built_in_bot(self) -> None:
        env = SeatEnv("connect-four", "yellow", "alpha-beta:depth=4", botyard=BOTYARD)
        rewards = [episode(env, seed)[1] for seed in range(6)]
        self.assertLessEqual(sum(rewards), -5)
        first = episode(env, 1)
        env.close()
        other = SeatEnv("connect-four", "yellow", "alpha-beta:depth=4", botyard=BOTYARD)
        self.assertEqual(episode(other, 1), first)
        other.close()

    def test_bots_functions_and_programs_see_what_their_seat_sees(self) -> None:
        asked: List[str] = []

        class First(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                cups = dict(zip(turn.game.seats, turn.view["cups"]))
                assert cups[turn.seat] is not None and cups["player-1"] is None, cups
                asked.append(turn.seat)
                return turn.legal_actions()[0]

        def last(turn: Turn[Any, Any]) -> Any:
            asked.append(turn.seat)
            return turn.legal_actions()[-1]

        legal = f"{sys.executable} {ROOT / 'src' / 'botyard'} {ROOT / 'examples' / 'legal.py'}"
        opponents: Dict[str, Any] = {"player-2": First, "player-3": last, "player-4": legal}
        env = SeatEnv("liars-dice", "player-1", opponents, rules={"players": 4})
        for seed in range(5):
            episode(env, seed)
        env.close()
        self.assertLessEqual(set(asked), {"player-2", "player-3"})
        self.assertIn("player-2", asked)

    def test_a_bot_takes_one_seat(self) -> None:
        class First(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return turn.legal_actions()[0]

        first, again = First(), SeatEnv("connect-four", "yellow", First())
        episode(again, 1)
        episode(again, 2)
        cases: List[Tuple[Any, Any, Any]] = [
            ("liars-dice", 0, first),
            ("liars-dice", 0, {"player-2": first, "player-3": first}),
            ("connect-four", None, first),
        ]
        rules = {"liars-dice": {"players": 3}}
        for game, seat, opponents in cases:
            with self.assertRaisesRegex(TypeError, "for a second seat: give its class, First"):
                SeatEnv(game, seat, opponents, rules=rules.get(game))
        with self.assertRaisesRegex(TypeError, "give its class"):
            again.reset(options={"seat": "red"})
        episode(SeatEnv("liars-dice", None, First, rules=rules["liars-dice"]), 1)

    def test_opponents_have_seats_of_the_game(self) -> None:
        with self.assertRaisesRegex(ValueError, "by their seats, yellow, red, got the seat 'rad'"):
            SeatEnv("connect-four", "yellow", {"rad": "greedy"})

    def test_what_is_wrong_with_an_opponent_is_said(self) -> None:
        for opponent, error, message in [
            (lambda turn: 99, PlayerError, "<lambda>|lambda, in the seat red, played 99: "),
            ("gredy", PlayerError, "expected a built-in bot .*greedy.* got 'gredy'"),
            ("alpha-beta:deep=3", PlayerError, "expected an option of alpha-beta .*depth.* got 'deep'"),
            ("alpha-beta:depth=three", PlayerError, "expected a value of the kind int for the option depth"),
            (f"{sys.executable} -c 'import sys; sys.exit(\"no model\")'", ProgramFailed, "(?s)exited with code 1.*no model"),
            (7, TypeError, "expected a player: a function of the turn"),
        ]:
            with self.subTest(message), self.assertRaisesRegex(error, message):
                env = SeatEnv("connect-four", "yellow", opponent, botyard=BOTYARD)  # type: ignore[arg-type]
                episode(env, 1)


if __name__ == "__main__":
    unittest.main()
