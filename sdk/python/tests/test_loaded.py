"""Games whose rules are a program, loaded into this process."""

import json
import random
import shutil
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Callable, List, Tuple

from kit import ROOT

from botyard.loaded import CHANCE_PLAYER, TERMINAL_PLAYER, LoadedGame, ProgramFailed, State
from botyard.rules import Refused, load

GAMES = ROOT.parents[1] / "examples" / "games"
PYTHON = ["tic-tac-toe", "rock-paper-scissors", "pig", "hex"]
JAVASCRIPT = ["kuhn-poker"] if shutil.which("node") else []

HELLO = 'print(\'{"type":"hello","rules_protocol":1,"name":"odd","seats":["a","b"]}\', flush=True); input()\n'
NEW = 'print(\'{"type":"rules","rules":{}}\', flush=True); input()\n'


def play(state: State, choose: random.Random) -> State:
    while not state.is_terminal():
        if state.is_chance_node():
            numbers, weights = zip(*state.chance_outcomes())
            state.apply_action(choose.choices(numbers, weights)[0])
        else:
            state.apply_action(choose.choice(state.legal_actions()))
    return state


class EveryGame(unittest.TestCase):
    def test_random_games(self) -> None:
        for name in PYTHON + JAVASCRIPT:
            with self.subTest(name), load(GAMES / name) as game:
                for seed in range(3):
                    state = play(game.new_initial_state(seed), random.Random(seed))
                    self.assertEqual(state.current_player(), TERMINAL_PLAYER)
                    self.assertEqual(state.legal_actions(), [])
                    self.assertEqual(state.returns(), (state.outcome() or {})["scores"])
                    scale = {"kuhn-poker": (0, 0.5)}.get(name, (-1, 2))
                    self.assertEqual(state.rewards(), [scale[0] + scale[1] * points for points in state.returns()])

    def test_a_clone_continues_apart(self) -> None:
        """With the program's ability to load a state, and without it (tic-tac-toe)."""
        for name in PYTHON + JAVASCRIPT:
            with self.subTest(name), load(GAMES / name) as game:
                state = game.new_initial_state(7)
                choose = random.Random(7)
                for _ in range(3):
                    if state.is_chance_node():
                        state.draw_chance()
                    else:
                        state.apply_action(choose.choice(state.legal_actions()))
                before, copy = json.dumps(state.json()), state.clone()
                one = play(copy, random.Random(2))
                self.assertEqual(json.dumps(state.json()), before)
                other = play(state, random.Random(2))
                self.assertEqual((one.json(), one.history()), (other.json(), other.history()))

    def test_actions_have_the_same_numbers_each_time(self) -> None:
        for name, actions in [("tic-tac-toe", list(range(9))), ("pig", ["hold", "roll"])]:
            with load(GAMES / name) as game:
                # What is legal is known from play, which is another one here.
                play(game.new_initial_state(5), random.Random(5))
                self.assertEqual(game.actions, actions)
        with load(GAMES / "hex", {"size": 3}) as game:
            cells = [f"{column}{row}" for row in "123" for column in "abc"]
            self.assertEqual(game.actions, [*cells, "swap"])
            state = game.new_initial_state()
            self.assertEqual(state.legal_actions_mask(), [1] * 9 + [0])
            state.apply_action(0)
            self.assertEqual((state.legal_actions()[0], state.legal_actions(0)), (1, []))
            self.assertEqual(state.action_to_string(9), "swap")


class Facts(unittest.TestCase):
    def test_the_games_of_hex_on_four_cells(self) -> None:
        """OpenSpiel's hex with board_size 2 has 24 games, of which the first player wins 12."""

        def count(state: State) -> Tuple[int, float]:
            if state.is_terminal():
                return 1, state.returns()[0]
            counts = [count(state.child(action)) for action in state.legal_actions()]
            return sum(games for games, _ in counts), sum(won for _, won in counts)

        with load(GAMES / "hex", {"size": 2, "swap": False}) as game:
            self.assertEqual(count(game.new_initial_state()), (24, 12))

    def test_a_die_of_pig(self) -> None:
        with load(GAMES / "pig", "short") as game:
            self.assertEqual((game.rules["target"], game.seats), (20, ["player-1", "player-2", "player-3"]))
            state = game.new_initial_state(1)
            state.apply("roll")
            self.assertEqual(state.current_player(), CHANCE_PLAYER)
            outcomes = state.chance_outcomes()
            self.assertEqual([number for number, _ in outcomes], list(range(6)))
            self.assertAlmostEqual(sum(probability for _, probability in outcomes), 1)
            self.assertEqual(state.child(3).view(0)["eyes"], 4)
            # A one ends the turn.
            self.assertEqual(state.child(0).current_player(), 1)
            rolled = []
            for seed in [1, 1, *range(2, 40)]:
                other = game.new_initial_state(seed)
                other.apply("roll")
                other.draw_chance()
                rolled.append(other.view(0)["eyes"])
            self.assertEqual((rolled[0], set(rolled)), (rolled[1], set(range(1, 7))))
            self.assertEqual(game.new_initial_state().child(1).history(), [1])

    def test_seats_that_decide_simultaneously(self) -> None:
        """The second seat cannot tell what the first one has thrown; the first one can, and the picture shows it."""
        with load(GAMES / "rock-paper-scissors") as game:
            thrown = [game.new_initial_state().child(action) for action in range(3)]
            self.assertEqual({state.current_player() for state in thrown}, {1})
            self.assertEqual(len({state.observation_string(1) for state in thrown}), 1)
            self.assertEqual(len({state.picture(1) for state in thrown}), 1)
            self.assertEqual(len({state.information_state_string(0) for state in thrown}), 3)
            self.assertEqual(len({state.picture(0) for state in thrown}), 3)

    @unittest.skipUnless(shutil.which("node"), "needs node")
    def test_the_tree_of_kuhns_poker(self) -> None:
        """After each of six deals there are nine histories: H. W. Kuhn, A simplified two-person poker, 1950."""

        def histories(state: State) -> int:
            numbers = [n for n, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()
            return 1 + sum(histories(state.child(number)) for number in numbers)

        with load(GAMES / "kuhn-poker") as game:
            self.assertEqual(histories(game.new_initial_state()), 1 + 3 + 6 * 9)

    def test_a_game_that_lists_no_actions(self) -> None:
        with load(GAMES / "connect6", {"size": 9}) as game:
            state = game.new_initial_state()
            state.apply([40])
            with self.assertRaisesRegex(Refused, "40 has a stone of black"):
                state.apply([40, 41])
            state.apply([42, 41])
            self.assertEqual(state.view()["stones"], {"black": [40], "white": [41, 42]})
            with self.assertRaisesRegex(ValueError, "connect6 does not list its legal actions"):
                state.legal_actions()
            other = state.clone()
            other.apply([0, 1])
            self.assertEqual(len(state.view()["stones"]["black"]), 1)
            self.assertIn(" 5 . . . . b w w . .", str(state))


class Mistakes(unittest.TestCase):
    def game(self, program: str, **options: Any) -> LoadedGame:
        """Loads the game of a program with this source."""
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        directory = Path(place.name)
        (directory / "game.py").write_text(program, encoding="utf-8")
        python = sys.executable.replace("\\", "/")
        (directory / "game.toml").write_text(f'name = "odd"\nrun = "{python} game.py"\n', encoding="utf-8")
        return load(directory, **options)

    def test_a_program_that_fails_is_quoted(self) -> None:
        cases: List[Tuple[str, str]] = [
            ("raise SystemExit('no rules today')", r"(?s)'hello' to .*exited with code 1.*no rules today"),
            ("print('good day', flush=True); input(); input()", "'hello' to .*, got good day"),
            ("input(); print('[1]', flush=True); input()", r"'hello' to .*, got \[1\]"),
            ("input(); " + HELLO.replace("odd", "even"), "the name 'odd'.*got 'even'"),
            ("input(); " + HELLO.replace('["a","b"]', "[2,3]") + NEW, r"names of the seats .*got \[2, 3\]"),
            ("input(); " + HELLO + 'print(\'{"type":"unknown"}\', flush=True); input()', "'rules' to .*unknown"),
        ]
        for program, expected in cases:
            with self.subTest(expected), self.assertRaisesRegex(ProgramFailed, expected):
                self.game(program)

    def test_a_program_that_fails_later(self) -> None:
        begun = "input(); " + HELLO + NEW
        position = '\'{"type":"position","to_move":"c"}\''
        for program, expected in [
            (f"{begun}print({position}, flush=True); input()", "to_move to be a, b, chance or over after open, got"),
            (f"{begun}import os; os._exit(9)", "'position' to .*exited with code 9"),
        ]:
            game = self.game(program)
            with self.assertRaisesRegex(ProgramFailed, expected):
                game.new_initial_state()
            with self.assertRaisesRegex(ProgramFailed, expected):
                game.new_initial_state()

    def test_a_program_that_does_not_answer_is_ended(self) -> None:
        with self.assertRaisesRegex(ProgramFailed, "no answer within 0.5 s to .*hello"):
            self.game("import time\nwhile True: time.sleep(1)", answer_seconds=0.5)

    def test_what_is_no_game(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            directory = Path(name)
            with self.assertRaisesRegex(FileNotFoundError, "with a game.toml; there is none"):
                load(directory)
            (directory / "game.toml").write_text('name = "x"\n', encoding="utf-8")
            with self.assertRaisesRegex(ValueError, "expected a line run"):
                load(directory)
            (directory / "game.toml").write_text('name = "x"\nrun = "./not-built"\n', encoding="utf-8")
            with self.assertRaisesRegex(ProgramFailed, "Is it built"):
                load(directory)

    def test_rules_and_actions(self) -> None:
        pig = GAMES / "pig"
        with self.assertRaisesRegex(ValueError, "preset of standard, short, got 'long'"):
            load(pig, "long")
        with self.assertRaisesRegex(ValueError, "rules of players, target, rounds, got 'dice'"):
            load(pig, {"dice": 2})
        with self.assertRaisesRegex(Refused, "expected 2 to 5, got 9"):
            load(pig, {"players": 9})
        with load(pig, {"preset": "short", "players": 2}) as game:
            self.assertEqual(game.rules, {"players": 2, "target": 20, "rounds": 100})
            state = game.new_initial_state()
            mistakes: List[Tuple[Callable[[], Any], str]] = [
                (lambda: state.apply("jump"), 'one of 2 legal actions: "hold", "roll"; got "jump"'),
                (lambda: state.apply_action(2), "from 0 to 1, got 2"),
                (lambda: state.view(2), "from 0 to 1, got 2"),
                (lambda: state.view("ada"), "a seat of player-1, player-2, got 'ada'"),
                (lambda: state.chance_outcomes(), "the turn of player-1"),
            ]
            for call, expected in mistakes:
                with self.assertRaisesRegex((Refused, ValueError), expected):
                    call()
        with self.assertRaisesRegex(ValueError, "ended by close"):
            state.apply("roll")

    def test_the_program_ends_with_the_game(self) -> None:
        game = load(GAMES / "tic-tac-toe")
        popen = game._process._popen
        self.assertIsNone(popen.poll())
        del game
        self.assertEqual(popen.poll(), 0)


if __name__ == "__main__":
    unittest.main()
