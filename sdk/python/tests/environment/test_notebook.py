"""A refereed game from Python, with functions of this process, and what a notebook shows of it."""

import contextlib
import html
import io
import os
import re
import sys
import tempfile
import threading
import unittest
from pathlib import Path
from typing import Any, List, Tuple, Type
from unittest import mock

import common  # noqa: F401 - the kit on the path
from common import REPOSITORY, program
from kit import ROOT

from botyard import Bot, PlayedGame, Turn, play


def first(turn: Turn[Any, Any]) -> Any:
    turn.draw(point=1, text="<b>")
    return turn.legal_actions()[0]


def played(game: str, players: List[Any], **options: Any) -> PlayedGame:
    return play(game, players, botyard=program(), move_ms=30_000, **options)


class Playing(unittest.TestCase):
    def test_a_function_against_a_built_in_bot(self) -> None:
        game = played("connect-four", [first, "greedy"], seed=1)
        self.assertEqual(game.players, {"yellow": "first", "red": "greedy"})
        self.assertEqual((game.outcome["kind"], game.faults, game.errors), ("completed", [], {}))
        self.assertEqual(set(game.scores), {"yellow", "red"})
        self.assertEqual(sum(game.scores.values()), 1)
        self.assertRegex(repr(game), r"^<\w+: yellow \(first\): [01.]+, red \(greedy\): [01.]+>$")
        events = game.events()
        self.assertEqual((events[0]["type"], events[-1]["type"]), ("header", "end"))
        again = played("connect-four", [first, "greedy"], seed=1)
        actions = [[event["action"] for event in one.events() if event["type"] == "move"] for one in (game, again)]
        self.assertEqual(*actions)

    def test_a_notebook_shows_the_page_without_access_to_itself(self) -> None:
        game = played("connect-four", [first, first], seed=1)
        shown = game._repr_html_()
        self.assertTrue(shown.startswith('<iframe sandbox="allow-scripts" '))
        self.assertEqual(shown.count("<"), 2)
        page = html.unescape(re.search(r'srcdoc="([^"]*)"', shown).group(1))  # type: ignore[union-attr]
        self.assertEqual(page, game.page)
        # Messages without the page, which is long.
        self.assertTrue('"marks":{"notes":[],"shown":[{"point":1,"text":"\\u003cb\\u003e"}]}' in page)
        self.assertIsNone(re.search(r'(src|href)="(?!data:|#)', page))
        with tempfile.TemporaryDirectory() as place:
            game.save(Path(place, "game.html"))
            game.save(Path(place, "game.ndjson"))
            self.assertEqual(Path(place, "game.html").read_text(encoding="utf-8"), game.page)
            self.assertEqual(Path(place, "game.ndjson").read_text(encoding="utf-8"), game.replay)

    def test_bots_programs_rules_and_games_that_are_programs(self) -> None:
        class Second(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return turn.legal_actions()[-1]

        legal = f"{sys.executable} {ROOT / 'src' / 'botyard'} {ROOT / 'examples' / 'legal.py'}"
        game = played("liars-dice", [Second, legal, first], rules={"players": 3, "dice": 1})
        self.assertEqual(len(game.players), 3)
        self.assertEqual(game.events()[0]["rules"]["dice"], 1)
        # Programs of root run as another user, who cannot start a Python in a home directory.
        path = os.pathsep.join(["/usr/bin", os.environ["PATH"]])
        with mock.patch.dict(os.environ, {"PATH": path}):
            tic = played(str(REPOSITORY / "examples" / "games" / "tic-tac-toe"), [first, Second()])
        self.assertEqual(tic.outcome["kind"], "completed")

    def test_what_a_function_raises_is_printed_and_loses(self) -> None:
        def broken(turn: Turn[Any, Any]) -> Any:
            raise KeyError("no such opening")

        said = io.StringIO()
        with contextlib.redirect_stderr(said):
            game = played("connect-four", ["greedy", broken])
        self.assertEqual(game.outcome["kind"], "bot_fault")
        self.assertEqual(game.scores, {"yellow": 1.0, "red": 0.0})
        self.assertIsInstance(game.errors["broken"], KeyError)
        self.assertIn("no such opening", said.getvalue())

    def test_errors_have_the_names_of_the_players(self) -> None:
        class Broken(Bot[Any, Any]):
            name = "x" * 70

            def start(self, game: Any) -> None:
                raise KeyError(game.name)

        def broken(turn: Turn[Any, Any]) -> Any:
            raise KeyError("no such opening")

        cases: List[Tuple[List[Any], str]] = [
            ([Broken, Broken], "x" * 60),
            ([first, Broken], "x" * 60),
            (["broken=greedy", broken], "broken#2"),
        ]
        with contextlib.redirect_stderr(io.StringIO()):
            for players, name in cases:
                game = played("connect-four", players)
                self.assertIn(name, game.errors)
                self.assertLessEqual(set(game.errors), set(game.players.values()))
                self.assertEqual(len(set(game.players.values())), 2)

    def test_a_bot_takes_one_seat(self) -> None:
        class First(Bot[Any, Any]):
            def choose(self, turn: Turn[Any, Any]) -> Any:
                return turn.legal_actions()[0]

        bot = First()
        with self.assertRaisesRegex(TypeError, "for a second seat: give its class, First"):
            played("connect-four", [bot, bot])
        self.assertEqual(played("connect-four", [First, First]).outcome["kind"], "completed")

    def test_a_slow_function_loses_and_its_thread_ends_without_an_error(self) -> None:
        asked, may_return = threading.Event(), threading.Event()
        self.addCleanup(may_return.set)
        threads: List[threading.Thread] = []

        def slow(turn: Turn[Any, Any]) -> Any:
            threads.append(threading.current_thread())
            asked.set()
            may_return.wait()
            return turn.legal_actions()[0]

        reported: List[Any] = []
        with mock.patch.object(threading, "excepthook", reported.append):
            game = play("connect-four", [slow, "random"], botyard=program(), move_ms=50)
            self.assertTrue(asked.is_set())
            may_return.set()
            threads[0].join()
        self.assertEqual((game.outcome["kind"], [fault["seat"] for fault in game.faults]), ("bot_fault", ["yellow"]))
        self.assertEqual((reported, game.errors), ([], {}))

    def test_a_long_path_of_temporary_files(self) -> None:
        with tempfile.TemporaryDirectory() as place:
            long = Path(place, "x" * 100)
            long.mkdir()
            with mock.patch.object(tempfile, "tempdir", str(long)):
                self.assertEqual(played("connect-four", [first, first]).outcome["kind"], "completed")
                self.assertEqual(os.listdir(long), [])
                failed = PermissionError(13, "Permission denied")
                with mock.patch.object(tempfile, "mkdtemp", side_effect=failed):
                    with self.assertRaisesRegex(OSError, "at most 53 bytes.*Permission denied.*TMPDIR"):
                        played("connect-four", [first, first])

    def test_what_cannot_be_played_is_refused_and_leaves_nothing(self) -> None:
        before = threading.active_count()
        cases: List[Tuple[str, List[Any], Type[Exception], str]] = [
            ("conect-four", [first, first], ValueError, "connect-four"),
            ("connect-four", [first], ValueError, "2"),
            ("connect-four", [first, "gredy"], ValueError, "greedy"),
            ("connect-four", [first, 7], TypeError, "expected a player: a function of the turn"),
        ]
        for game, players, error, message in cases:
            with self.subTest(message), self.assertRaisesRegex(error, message):
                played(game, players)
        self.assertEqual(threading.active_count(), before)


if __name__ == "__main__":
    unittest.main()
