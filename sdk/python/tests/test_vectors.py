"""Runs all vectors of ``sdk/vectors/``: the engine computed them, the kit must agree."""

import json
import unittest
from pathlib import Path
from typing import Any, Callable, Dict

import kit  # noqa: F401

from botyard import connect_four, dice_wars, draughts, rulebook

VECTORS = Path(__file__).resolve().parents[2] / "vectors"

Check = Dict[str, Any]


def without_map(view: Any) -> Any:
    return {name: value for name, value in view.items() if name != "adjacent"}


def same(found: Any, expected: Any) -> bool:
    return bool(found == expected)


CALLS: Dict[str, Callable[[Any, Any, Check], Any]] = {
    "scotland-yard candidates": lambda book, view, check: book.candidates(view),
    "scotland-yard candidates_after": lambda book, view, check: sorted(
        book.candidates_after(check["possible"], view["log"][-1])
    ),
    "scotland-yard distance": lambda book, view, check: book.distance(check["from"], check["to"], check["tickets"]),
    "scotland-yard neighbours": lambda book, view, check: book.neighbours(check["station"], check["ticket"]),
    "draughts captures": lambda book, view, check: book.captures(draughts.position(view)),
    "draughts play": lambda book, view, check: draughts.fen(book.play(draughts.position(view), check["move"])),
    "draughts history": lambda book, view, check: [draughts.fen(now) for now in draughts.history(view)],
    "draughts repetitions_after": lambda book, view, check: book.repetitions_after(view, check["move"]),
    "draughts draw_after": lambda book, view, check: book.draw_after(view, check["move"]),
    "draughts plies_left": lambda book, view, check: book.plies_left(view),
    "dice-wars win": lambda book, view, check: dice_wars.win_probability(check["attacker"], check["defender"]),
    "dice-wars regions": lambda book, view, check: book.regions(view, check["player"]),
    "dice-wars new_dice": lambda book, view, check: book.new_dice(view, check["player"]),
    "dice-wars hold_probability": lambda book, view, check: book.hold_probability(
        view, check["area"], check["dice"], check["player"]
    ),
    "dice-wars attack": lambda book, view, check: without_map(
        book.after_attack(view, check["from"], check["to"], check["won"])
    ),
    "dice-wars transfer": lambda book, view, check: without_map(book.after_transfer(view, check["from"], check["to"])),
    "liars-dice truth": lambda book, view, check: book.truth(view, check["count"], check["face"]),
    "connect-four play": lambda book, view, check: book.play(view, check["action"]),
}


def plain(value: Any) -> Any:
    """Returns JSON data: pairs are lists there."""
    return json.loads(json.dumps(value))


class Vectors(unittest.TestCase):
    def run_file(self, game: str) -> None:
        books: Dict[str, Any] = {}
        checks = 0
        for line in (VECTORS / f"{game}.jsonl").read_text(encoding="utf-8").splitlines():
            message = json.loads(line)
            if "checks" not in message:
                books[message["game"]] = rulebook(game, message["rules"], message["setup"])
                continue
            book, view = books[message["game"]], message["view"]
            for check in message["checks"]:
                with self.subTest(case=message["case"], check=check["call"]):
                    checks += 1
                    self.check(game, book, view, check)
        self.assertGreater(checks, 30)

    def check(self, game: str, book: Any, view: Any, check: Check) -> None:
        before = json.dumps(view)
        call = check["call"]
        found = plain(book.legal(view) if call == "legal" else CALLS[f"{game} {call}"](book, view, check))
        expected = check["expect"]
        if call in ("win", "hold_probability", "truth"):
            self.assertAlmostEqual(found, expected, delta=1e-12)
        elif game == "draughts" and call in ("legal", "captures"):
            self.assertEqual(sorted(found), sorted(expected))
        else:
            self.assertEqual(found, expected, check)
        self.assertEqual(json.dumps(view), before, "a helper changed the view")

    def test_scotland_yard(self) -> None:
        self.run_file("scotland-yard")

    def test_draughts(self) -> None:
        self.run_file("draughts")

    def test_dice_wars(self) -> None:
        self.run_file("dice-wars")

    def test_connect_four(self) -> None:
        self.run_file("connect-four")

    def test_liars_dice(self) -> None:
        self.run_file("liars-dice")


class Games(unittest.TestCase):
    def test_perft_of_draughts(self) -> None:
        def perft(rules: draughts.Draughts, position: draughts.Position, depth: int) -> int:
            moves = rules.moves(position)
            if depth == 1:
                return len(moves)
            return sum(perft(rules, rules.play(position, move), depth - 1) for move in moves)

        english = draughts.Draughts()
        self.assertEqual([perft(english, draughts.START, depth) for depth in range(1, 6)], [7, 49, 302, 1469, 7361])

    def test_fen(self) -> None:
        text = "B:W18,K10:BK5,1-4."
        position = draughts.position_of_fen(text)
        self.assertEqual(draughts.fen(position), "B:WK10,18:B1,2,3,4,K5")

    def test_truth_of_a_bid(self) -> None:
        book: Any = rulebook("liars-dice", {"players": 2, "dice": 1}, {})
        view = {"cups": [[0, 1, 0, 0, 0, 0], None], "bid": None, "bids": 0, "lost": None}
        self.assertEqual(book.truth(view, 1, 2), 1.0)
        self.assertAlmostEqual(book.truth(view, 2, 2), 1 / 6)
        self.assertAlmostEqual(book.truth(view, 1, 3), 1 / 6)
        self.assertEqual(book.truth(view, 2, 3), 0.0)

    def test_a_game_that_the_kit_does_not_know(self) -> None:
        self.assertIsNone(rulebook("bot", {}, {}))
        self.assertIsNone(rulebook("../draughts", {}, {}))
        self.assertIsNone(rulebook("chess", {}, {}))

    def test_connect_four(self) -> None:
        columns = [["x"] * 3 + ["."] * 3] + [["."] * 6 for _ in range(6)]
        self.assertFalse(connect_four.wins_at(columns, 0, 2))


if __name__ == "__main__":
    unittest.main()
