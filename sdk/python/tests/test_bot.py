"""The protocol loop: what a bot sees, says and survives."""

import contextlib
import io
import json
import math
import sys
import time
import unittest
from typing import Any, List
from unittest import mock

import kit
from kit import HELLO, QUIT, conversation, end, process, start, turn

from botyard import (
    BoolOption,
    Bot,
    Clock,
    EnumOption,
    FloatOption,
    IntOption,
    NoLegalActions,
    OptionError,
    Outcome,
    Session,
    TextOption,
    Turn,
)
from botyard.bot import Reading


class First(Bot[Any, Any]):
    version = "2"
    author = "A. Student"
    games = ["any", "other"]
    depth = IntOption(3, min=1, max=9, about="plies")
    c = FloatOption(1.4, min=0.0, max=10.0)
    playouts = EnumOption("random", values=["random", "greedy"])
    ponder = BoolOption(False)
    book = TextOption("", name="book-file")

    def choose(self, turn: Turn[Any, Any]) -> Any:
        return turn.legal_actions()[0]


class Hello(unittest.TestCase):
    def test_hello(self) -> None:
        [hello] = conversation(First, HELLO, QUIT, HELLO)
        options = hello.pop("options")
        self.assertEqual(
            hello,
            {
                "type": "hello",
                "protocol": 1,
                "name": "first",
                "version": "2",
                "author": "A. Student",
                "games": ["any", "other"],
            },
        )
        self.assertEqual(options["depth"], {"kind": "int", "min": 1, "max": 9, "default": 3, "about": "plies"})
        self.assertEqual(options["c"], {"kind": "float", "min": 0.0, "max": 10.0, "default": 1.4})
        self.assertEqual(options["playouts"]["values"], ["random", "greedy"])
        self.assertEqual(options["ponder"], {"kind": "bool", "default": False})
        self.assertEqual(options["book-file"], {"kind": "text", "default": ""})
        self.assertEqual(options["seed"]["default"], 0)

    def test_a_referee_that_says_the_least(self) -> None:
        said = conversation(First(), {"type": "hello"}, {"type": "start", "game": "any"}, {"type": "turn", "turn": 1, "legal": [1]})
        self.assertEqual([message["type"] for message in said], ["hello", "ready", "move"])

    def test_unknown_messages_and_fields_are_ignored(self) -> None:
        said = conversation(First, HELLO, {"type": "weather", "turn": 3}, start(mood="good"), {"none": 1}, turn(1, [5], x=1))
        self.assertEqual(said[1:], [{"type": "ready"}, {"type": "move", "turn": 1, "action": 5}])


class Games(unittest.TestCase):
    def test_options_are_set_and_reset(self) -> None:
        seen: List[Any] = []

        class Watching(First):
            def start(self, game: Any) -> None:
                seen.append((self.depth, self.c, self.playouts, self.ponder, self.book))

        bot = Watching()
        options = {"depth": 9, "c": 2, "playouts": "greedy", "ponder": True, "book-file": "x"}
        conversation(bot, start(options=options), start())
        self.assertEqual(seen, [(9, 2, "greedy", True, "x"), (3, 1.4, "random", False, "")])

    def test_refused_options(self) -> None:
        for options, reason in [
            ({"depht": 3}, "there is no option depht"),
            ({"depth": 0}, "option depth: expected an integer from 1 to 9, got 0"),
            ({"depth": 2.5}, "got 2.5"),
            ({"depth": True}, "got True"),
            ({"c": "1"}, "a number from 0.0 to 10.0"),
            ({"playouts": "none"}, "one of random, greedy"),
            ({"ponder": 1}, "true or false"),
            ({"book-file": []}, "a text"),
        ]:
            with self.assertRaisesRegex(OptionError, reason):
                conversation(First, start(options=options))
        with self.assertRaises(OptionError):
            IntOption(0, min=1, max=2)

    def test_a_class_is_a_new_bot_for_every_game(self) -> None:
        class Counting(Bot[Any, Any]):
            def __init__(self) -> None:
                self.asked = 0

            def choose(self, turn: Turn[Any, Any]) -> Any:
                self.asked += 1
                return self.asked

        game = [start(), turn(1), turn(3), end()]
        actions = [m["action"] for m in conversation(Counting, *game, *game) if m["type"] == "move"]
        self.assertEqual(actions, [1, 2, 1, 2])
        actions = [m["action"] for m in conversation(Counting(), *game, *game) if m["type"] == "move"]
        self.assertEqual(actions, [1, 2, 3, 4])

    def test_several_seats(self) -> None:
        seen: List[Any] = []

        class Both(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                seen.append((turn.seat, turn.game.setup_of(turn.seat)))
                return 1

        begin = start(you=["a", "b"], setup={"x": 1}, setups={"b": {"x": 2}})
        conversation(Both, begin, turn(1), turn(2, seat="b"))
        self.assertEqual(seen, [("a", {"x": 1}), ("b", {"x": 2})])

    def test_the_end(self) -> None:
        seen: List[Outcome] = []

        class Ending(First):
            def end(self, outcome: Outcome) -> None:
                seen.append(outcome)
                raise ValueError("after the game")

        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            said = conversation(Ending, start(), end(), start(), turn(1, [2]))
        self.assertEqual(said[-1]["action"], 2)
        self.assertEqual((seen[0].score("a"), seen[0].score("b"), seen[0].score("c")), (1.0, 0.0, None))
        self.assertEqual((seen[0].kind, seen[0].reason, seen[0].ranks), ("completed", "won", [1, 2]))
        self.assertIn("after the game", errors.getvalue())

    def test_a_turn_without_a_game_and_a_game_that_it_does_not_play(self) -> None:
        with self.assertRaisesRegex(ValueError, "no game is in progress"):
            conversation(First, turn(1, [1]))
        with self.assertRaisesRegex(ValueError, "asked to play 'chess'"):
            conversation(First, start("chess"))

    def test_errors_of_the_referee_are_printed(self) -> None:
        errors = io.StringIO()
        detail = {"got": "{}", "legal_sample": [1]}
        with contextlib.redirect_stderr(errors):
            conversation(First, {"type": "error", "turn": 3, "code": "illegal_action", "message": "no", "detail": detail})
        self.assertIn("turn 3: illegal_action: no", errors.getvalue())
        self.assertIn("legal would be, for example: [1]", errors.getvalue())


class Choices(unittest.TestCase):
    def test_log_and_info(self) -> None:
        class Talking(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                turn.log("two\nlines \ud800")
                turn.info(score=0.5, depth=3, pv=[1, 2])
                turn.info(text="got him", mine={"a": (1, 2)})
                turn.draw(arrow=(11, 15), color="red")
                turn.draw(point="c3", text=0.4)
                return 7

        said = conversation(Talking, start(), turn(4, [7]))
        self.assertEqual(said[1], {"type": "log", "text": "two\nlines ?"})
        draw = [{"arrow": [11, 15], "color": "red"}, {"point": "c3", "text": 0.4}]
        info = {"score": 0.5, "depth": 3, "pv": [1, 2], "text": "got him", "mine": {"a": [1, 2]}, "draw": draw}
        self.assertEqual(said[2], {"type": "move", "turn": 4, "action": 7, "info": info})

    def test_info_never_costs_a_game(self) -> None:
        class Careless(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                deep: Any = []
                for _ in range(100):
                    deep = [deep]
                turn.info(score=math.nan, nodes=2**60, deep=deep, thing={1: "a", "$serde": 2}, set={2, 1})
                turn.log("x" * 100_000)
                return 1

        said = conversation(Careless, HELLO, start(), turn(1, [1]))
        info = said[-1]["info"]
        self.assertEqual((info["score"], info["nodes"], info["thing"], info["set"]), (None, str(2**60), {"1": "a"}, [1, 2]))
        self.assertLess(len(json.dumps(info["deep"])), 2000)
        self.assertLess(len(said[-2]["text"]), 65536)

        class Strange(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                turn.info(what=object())
                return 1

        self.assertIn("object at", conversation(Strange, start(), turn(1, [1]))[-1]["info"]["text"])

        class Long(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                turn.info(text="x" * 70_000)
                return 1

        with contextlib.redirect_stderr(io.StringIO()):
            self.assertNotIn("info", conversation(Long, start(), turn(1, [1]))[-1])

    def test_numbers_of_other_libraries(self) -> None:
        class Scalar:
            def item(self) -> int:
                return 5

        class Array:
            def tolist(self) -> List[int]:
                return [1, 2]

        class Numeric(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return {"attack": Array(), "to": Scalar(), "pair": (1, 2)}

        action = conversation(Numeric, start(), turn(1, [1]))[-1]["action"]
        self.assertEqual(action, {"attack": [1, 2], "to": 5, "pair": [1, 2]})

    def test_random_numbers_follow_from_game_and_decision(self) -> None:
        class Drawing(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return turn.random.randrange(10**9)

        def draw(number: int, **fields: Any) -> Any:
            return conversation(Drawing, start(**fields), turn(number))[-1]["action"]

        self.assertEqual(draw(1), draw(1))
        others = [draw(2), draw(1, game_id="8-1"), draw(1, you=["b"]), draw(1, options={"seed": 4})]
        self.assertEqual(len({draw(1), *others}), 5)

    def test_without_legal_actions(self) -> None:
        with self.assertRaisesRegex(NoLegalActions, "--no-legal"):
            conversation(First, start(), turn(1))

        class Four(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                assert turn.legal is None
                return turn.legal_actions()[-1]

        view = {"columns": [["."] * 6 for _ in range(7)], "discs": 0}
        said = conversation(Four, start("connect-four"), turn(1, view=view))
        self.assertEqual(said[-1]["action"], {"column": 7})

    def test_answer_on_error(self) -> None:
        class Failing(First):
            answer_on_error = True

            def start(self, game: Any) -> None:
                raise KeyError("tables")

            def choose(self, turn: Turn[Any, Any]) -> Any:
                if turn.number == 1:
                    return {}["nothing"]  # type: ignore[index]
                if turn.number == 2:
                    return None
                return {"to": 9 if turn.number == 3 else 1}

        errors = io.StringIO()
        legal = [{"to": 1}]
        with contextlib.redirect_stderr(errors):
            said = conversation(Failing, start(), *(turn(number, legal) for number in (1, 2, 3, 4)))
        self.assertEqual([m["action"] for m in said[1:]], legal * 4)
        text = errors.getvalue()
        for part in ["KeyError: 'tables'", "KeyError: 'nothing'", "returned None", '{"to":9}, which is not']:
            self.assertIn(part, text)
        self.assertNotIn("turn 4", text)

    def test_exceptions_otherwise_end_the_bot(self) -> None:
        class Failing(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return None

        with self.assertRaisesRegex(ValueError, "returned None"):
            conversation(Failing, start(), turn(1, [1]))


#: The time at which the tests of clocks look: nothing passes while they run.
NOW = Reading(1000.0, 500.0)


class Clocks(unittest.TestCase):
    def setUp(self) -> None:
        patch = mock.patch.object(Reading, "now", staticmethod(lambda: NOW))
        patch.start()
        self.addCleanup(patch.stop)

    def clock(self, kind: str, move: Any, bank: Any, increment: int = 0, ago: float = 0.0) -> Clock:
        began = Reading(NOW.wall - ago, NOW.cpu - (ago if kind == "cpu" else 0))
        return Clock({"kind": kind, "move_ms": move, "bank_ms": bank, "increment_ms": increment}, began)

    def test_shares(self) -> None:
        # Cap, bank, increment, decisions expected: milliseconds, as in the Rust kit.
        for move, bank, increment, decisions, expected in [
            (1000, None, 0, 1, 950),
            (1000, None, 500, 30, 950),
            (120, None, 0, 1, 100),
            (4, None, 0, 1, 2),
            (None, 60_000, 0, 30, 1950),
            (None, 60_000, 1000, 30, 2950),
            (None, 90, 1000, 30, 75),
            (None, 60_000, 0, 0, 59_950),
            (1500, 60_000, 0, 30, 1450),
            (1500, 900, 0, 30, 20),
            (1500, 0, 0, 30, 0),
        ]:
            found = self.clock("wall", move, bank, increment).share(decisions)
            self.assertAlmostEqual(found, expected / 1000, msg=f"{move} {bank} {increment} {decisions}")
        self.assertAlmostEqual(self.clock("cpu", 120, None).share(), 0.110)
        self.assertAlmostEqual(self.clock("cpu", None, 60_000).share(30), 1.975)
        self.assertEqual(self.clock("wall", None, None).share(30), math.inf)

    def test_time_left(self) -> None:
        self.assertAlmostEqual(self.clock("wall", 1000, 5000, ago=0.25).left(), 0.75)
        self.assertAlmostEqual(self.clock("wall", 5000, 1000, ago=2).left(), -1.0)
        self.assertAlmostEqual(self.clock("later", 1000, None, ago=0.5).left(), 0.5)
        self.assertEqual(self.clock("wall", None, None).left(), math.inf)
        self.assertAlmostEqual(self.clock("wall", 1000, 5000, ago=0.25).elapsed(), 0.25)

    def test_a_clock_of_cpu_time(self) -> None:
        def left(wall: float, cpu: float) -> float:
            began = Reading(NOW.wall - wall, NOW.cpu - cpu)
            return Clock({"kind": "cpu", "move_ms": 100}, began).left()

        self.assertAlmostEqual(left(wall=0.3, cpu=0.01), 0.09)
        # The wall-clock limit: five times the CPU time, and 250 ms.
        self.assertAlmostEqual(left(wall=0.7, cpu=0.01), 0.05)
        self.assertAlmostEqual(self.clock("cpu", 100, None, ago=0.02).elapsed(), 0.02)

    def test_the_clock_runs_from_the_turn_line(self) -> None:
        left: List[float] = []

        class Timing(First):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                left.append(turn.time_left())
                left.append(turn.time_share())
                return 1

        session = Session(Timing, lambda line: None)
        session.handle(b'{"type":"start","game":"any"}')
        session.handle(kit.lines(turn(1, [1])), Reading(NOW.wall - 0.5, NOW.cpu))
        self.assertAlmostEqual(left[0], 0.5)
        self.assertAlmostEqual(left[1], 0.45)
        # Another try: the clock has been running since the first.
        with contextlib.redirect_stderr(io.StringIO()):
            session.handle(kit.lines({"type": "error", "turn": 1}))
        session.handle(kit.lines(turn(1, [1])), NOW)
        self.assertAlmostEqual(left[2], 0.5)
        session.handle(kit.lines(turn(2, [1])), NOW)
        self.assertAlmostEqual(left[4], 1.0)
        session.handle(kit.lines(start()))
        session.handle(kit.lines(turn(2, [1])), NOW)
        self.assertAlmostEqual(left[6], 1.0)


class Readings(unittest.TestCase):
    def test_sleep_is_no_cpu_time(self) -> None:
        before = Reading.now()
        time.sleep(0.3)
        after = Reading.now()
        self.assertGreaterEqual(after.wall - before.wall, 0.3)
        self.assertLess(after.cpu - before.cpu, 0.2)


PROGRAM = """
from botyard import Bot, main
class Mine(Bot):
    def choose(self, turn):
        {body}
        return 1
main(Mine)
"""


class Processes(unittest.TestCase):
    def play(self, body: str, *more: Any) -> Any:
        return process(PROGRAM.format(body=body), HELLO, start(), turn(1, [1]), *more)

    def test_stray_output_goes_to_standard_error(self) -> None:
        for body, text, warned in [
            ("print('stray'); print('again')", b"stray\nagain\n", True),
            ("import os; os.write(1, b'stray\\n')", b"stray\n", False),
            ("import os; os.system('echo stray')", b"stray\n", False),
            ("import sys; sys.stdout.buffer.write(b'stray\\n')", b"stray\n", True),
            ("import ctypes; c = ctypes.CDLL(None); c.puts(b'stray'); c.fflush(None)", b"stray\n", False),
        ]:
            done = self.play(body, QUIT)
            self.assertEqual(done.returncode, 0, done.stderr)
            said = [json.loads(line) for line in done.stdout.splitlines()]
            self.assertEqual([message["type"] for message in said], ["hello", "ready", "move"], body)
            self.assertIn(text, done.stderr, body)
            self.assertEqual(done.stderr.count(b"standard output belongs to the protocol"), warned, body)

    def test_what_is_printed_before_the_loop(self) -> None:
        done = process("print('loading')\n" + PROGRAM.format(body="pass"), HELLO, QUIT)
        self.assertEqual(len(done.stdout.splitlines()), 1)
        self.assertIn(b"loading", done.stderr)

    def test_child_processes_do_not_read_the_protocol(self) -> None:
        done = self.play("import subprocess; subprocess.run(['cat']); open(0, closefd=False).read()", turn(2, [1]), QUIT)
        self.assertEqual(len(done.stdout.splitlines()), 4, done.stderr)

    def test_an_exception_ends_the_program_with_its_traceback(self) -> None:
        done = self.play("raise RuntimeError('lost')")
        self.assertEqual(done.returncode, 1)
        self.assertIn(b"RuntimeError: lost", done.stderr)
        self.assertIn(b"Traceback", done.stderr)

    def test_the_end_of_the_input_is_quit(self) -> None:
        self.assertEqual(self.play("pass").returncode, 0)

    def test_a_wrong_option_is_a_message_without_a_traceback(self) -> None:
        done = process(PROGRAM.format(body="pass"), HELLO, start(options={"depth": 1}))
        self.assertEqual((done.returncode, b"Traceback" in done.stderr), (1, False))
        self.assertIn(b"there is no option depth; the options of this bot are: seed", done.stderr)

    def test_answers_are_flushed_one_by_one(self) -> None:
        import subprocess

        program = f"import sys; sys.path.insert(0, {str(kit.ROOT / 'src')!r})\n" + PROGRAM.format(body="pass")
        with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as bot:
            assert bot.stdin is not None and bot.stdout is not None
            for message in (HELLO, start(), turn(1, [1])):
                bot.stdin.write(kit.lines(message))
                bot.stdin.flush()
                self.assertTrue(bot.stdout.readline())
            bot.stdin.close()

    def test_the_directory_of_the_kit_runs_a_bot(self) -> None:
        import subprocess

        command = [sys.executable, str(kit.ROOT / "src" / "botyard"), str(kit.ROOT / "examples" / "legal.py")]
        done = subprocess.run(command, input=kit.lines(HELLO, start(), turn(1, [3])), stdout=subprocess.PIPE)
        self.assertEqual(json.loads(done.stdout.splitlines()[-1])["action"], 3)


if __name__ == "__main__":
    unittest.main()
