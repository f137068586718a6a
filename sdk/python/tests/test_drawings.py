"""Drawings: within the subset of SVG that the page of a game shows, and the same in every kit."""

import json
import os
import re
import unittest
import xml.etree.ElementTree as ElementTree
from typing import Any, Callable, List, Tuple

from kit import ROOT, Json

from botyard import boards, drawing, graphs, tables

VECTORS = ROOT.parent / "vectors" / "rules" / "drawings.json"

# As docs/rules-protocol.md has them.
ELEMENTS = set("svg g path rect circle ellipse line polyline polygon text tspan title desc".split())
ATTRIBUTES = set(
    "viewBox x y x1 y1 x2 y2 cx cy r rx ry width height d points transform dx dy fill fill-opacity fill-rule stroke "
    "stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-opacity opacity font-size font-weight "
    "font-style font-family text-anchor dominant-baseline data-action data-label data-place".split()
)
COLOUR = re.compile("[a-z]+|currentColor|#[0-9a-f]{3}|#[0-9a-f]{6}")
NAMESPACE = "{http://www.w3.org/2000/svg}"
HOSTILE = "\"><script>alert('1')</script>&\u0000\ud800"


def made(case: Json) -> Any:
    """Returns the drawing of a test vector."""
    module = next(module for module in (boards, tables, graphs) if hasattr(module, case["drawing"]))
    made = getattr(module, case["drawing"])(*case["arguments"], **case["options"])
    for method, arguments, options in case["calls"]:
        if method == "row":
            name, items = arguments
            arguments = [name, [getattr(tables, kind)(*own, **more) for kind, own, more in items]]
        getattr(made, method)(*arguments, **options)
    return made


class Vectors(unittest.TestCase):
    """``UPDATE_VECTORS=1`` before the command writes the drawings of the vectors again: look at them then."""

    cases: List[Json] = []

    @classmethod
    def setUpClass(cls) -> None:
        cls.cases = json.loads(VECTORS.read_text(encoding="utf-8"))
        if os.environ.get("UPDATE_VECTORS"):
            for case in cls.cases:
                case["svg"] = made(case).svg()
            lines = ",\n".join(json.dumps(case, separators=(",", ":")) for case in cls.cases)
            VECTORS.write_text(f"[\n{lines}\n]\n", encoding="utf-8")

    def test_the_drawings_are_those_of_every_kit(self) -> None:
        for case in self.cases:
            self.assertEqual(made(case).svg(), case["svg"], case["calls"])

    def test_they_are_within_the_subset(self) -> None:
        for case in self.cases:
            root = ElementTree.fromstring(case["svg"])
            self.assertEqual(root.tag, f"{NAMESPACE}svg")
            box = [float(number) for number in root.attrib["viewBox"].split()]
            self.assertEqual(box[:2], [0, 0])
            self.assertTrue(min(box[2:]) > 0 and len(case["svg"]) < 1 << 20)
            for one in root.iter():
                self.assertTrue(one.tag.startswith(NAMESPACE))
                self.assertIn(one.tag[len(NAMESPACE) :], ELEMENTS)
                self.assertLessEqual(set(one.attrib), ATTRIBUTES)
                # What a game gives as a colour is the game's.
                for colour in [one.attrib.get("fill"), one.attrib.get("stroke")]:
                    is_own = colour is None or colour.startswith(('">', 'black"'))
                    self.assertTrue(is_own or COLOUR.fullmatch(str(colour)), colour)
                if "data-action" in one.attrib:
                    json.loads(one.attrib["data-action"])
                    self.assertTrue(one.attrib["data-label"])
                    self.assertGreater(len(one), 0, "a page needs something to click on")

    def test_actions_and_labels_come_out_as_they_went_in(self) -> None:
        for case in self.cases:
            calls = [[call] if call[0] != "row" else call[1][1] for call in case["calls"]]
            wanted = [json.dumps(one[2]["action"]) for row in calls for one in row if "action" in one[2]]
            drawn = [one.attrib.get("data-action") for one in ElementTree.fromstring(case["svg"]).iter()]
            found = [json.dumps(json.loads(action)) for action in drawn if action is not None]
            self.assertEqual(sorted(wanted), sorted(found))

    def test_the_dot_of_the_last_move_is_part_of_what_one_clicks(self) -> None:
        board = boards.Board(2)
        board.stone(0, "red", action="swap")
        board.target(1, action="b1")
        board.last(0)
        board.last(3)
        root = ElementTree.fromstring(board.svg())
        stone, target = [one for one in root if "data-action" in one.attrib]
        self.assertEqual([one.attrib.get("stroke-width") for one in stone if one.attrib["fill"] == "#ffffff"][-1], "1.6")
        self.assertEqual((len(target), root[-1].attrib["cx"], root[-1].attrib["cy"]), (1, "89", "89"))

    def test_they_have_every_method_and_item(self) -> None:
        used = {case["drawing"] for case in self.cases}
        for case in self.cases:
            used.update(f"{case['drawing']}.{call[0]}" for call in case["calls"])
            used.update(item[0] for call in case["calls"] if call[0] == "row" for item in call[1][1])
        items = {"card", "back", "slot", "die", "chip", "tile", "meter"}
        self.assertLessEqual({"Board", "HexBoard", "Table", "Graph", *items}, used)
        on_boards = {call.split(".")[1] for call in used if "Board." in call}
        public = {name for name in vars(boards._Cells) if not name.startswith("_")} - {"centre"}
        self.assertLessEqual(public, on_boards)


class Text(unittest.TestCase):
    def test_whatever_a_game_writes_is_text(self) -> None:
        document = drawing.Drawing(100, 50, title=HOSTILE)
        document.add(drawing.text(50, 25, 10, HOSTILE), action={"a": HOSTILE}, label=HOSTILE)
        root = ElementTree.fromstring(document.svg())
        readable = HOSTILE.replace("\u0000", "\ufffd").replace("\ud800", "\ufffd")
        self.assertEqual([one.text for one in root.iter() if one.text], [readable, readable])
        group = next(one for one in root.iter() if "data-action" in one.attrib)
        self.assertEqual(json.loads(group.attrib["data-action"]), {"a": HOSTILE})
        self.assertEqual(group.attrib["data-label"], readable)

    def test_numbers_have_at_most_two_decimals(self) -> None:
        for value, written in [(1, "1"), (-0.5, "-0.5"), (2.345, "2.35"), (0.001, "0"), (-0.001, "0"), (100.1, "100.1")]:
            self.assertEqual(drawing.decimal(value), written)

    def test_an_action_of_zero_is_one(self) -> None:
        for action, written in [(0, "0"), (False, "false"), ("", '""')]:
            self.assertIn(f'data-action="{drawing.escaped(written)}"', drawing.acting("<g/>", action))
        self.assertEqual(drawing.acting("<g/>"), "<g/>")


class Mistakes(unittest.TestCase):
    def test_they_say_what_was_expected(self) -> None:
        board, hexagons = boards.Board(3, columns=4), boards.HexBoard(3, shape="hexagon")
        mistakes: List[Tuple[Callable[[], Any], str]] = [
            (lambda: board.stone(12, "black"), r"from 0 to 11, or \[row, column\] in 3 rows, got 12"),
            (lambda: board.stone(-1, "black"), "from 0 to 11"),
            (lambda: board.stone((3, 0), "black"), r"got \(3, 0\)"),
            (lambda: hexagons.stone((0, 3), "black"), "from 0 to 18"),
            (lambda: boards.Board(0), "at least one row"),
            (lambda: boards.Board(3, style="glass"), "wood, checkered, paper, felt, got 'glass'"),
            (lambda: boards.Board(3, coordinates="left"), "top or bottom"),
            (lambda: boards.HexBoard(3, shape="star"), "rhombus or hexagon"),
            (lambda: tables.die(7), "1 to 6 eyes, got 7"),
            (lambda: tables.card(2, "cups"), "spades, hearts, diamonds, clubs, got 'cups'"),
            (lambda: graphs.Graph({"a": (0, 0)}, [("a", "b")]), "one of 1 nodes, got 'b'"),
        ]
        for call, expected in mistakes:
            with self.assertRaisesRegex(ValueError, expected):
                call()


if __name__ == "__main__":
    unittest.main()
