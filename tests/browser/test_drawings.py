"""What bots draw on the board of a recorded game, in a headless Chromium: in every game, where the info is, on a phone
and a desktop; and a notebook's frame shows the page."""

import html
import os
import sys
import unittest
from pathlib import Path

from games import REPOSITORY, Games
from playwright.sync_api import sync_playwright
from test_pages import CHROMIUM, SHOW

DRAWS = f"{sys.executable} {Path(__file__).parent / 'draws.py'}"
NOUGHTS = str(REPOSITORY / "tests" / "games" / "noughts")
MATCHES = {
    "draughts": ["draughts", "--seed", "2"],
    "scotland-yard": ["scotland-yard", "--seed", "3"],
    "grid": ["scotland-yard", "--seed", "3", "--rules", "grid-7x7-3"],
    "dice-wars": ["dice-wars", "--seed", "4", "--rule", "max_turns=20"],
    "connect-four": ["connect-four", "--seed", "4"],
    "liars-dice": ["liars-dice", "--seed", "4"],
    "noughts": [NOUGHTS, "--seed", "1"],
}


class Drawings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        drawn = {name: [game, DRAWS, DRAWS, *more] for name, (game, *more) in MATCHES.items()}
        cls.games = Games(*drawn, matches=drawn)
        cls.playwright = sync_playwright().start()
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.games.close()

    def open(self, address, **options):
        page = self.browser.new_page(**options)
        self.addCleanup(page.close)
        self.wrong = wrong = []
        page.on("console", lambda message: wrong.append(message.text))
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(address)
        return page

    def shown(self, name, width, height):
        options = ["--game", NOUGHTS] if name == "noughts" else []
        page = self.open(self.games.page(name, *options).as_uri(), viewport={"width": width, "height": height})
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        # A game in which nothing is hidden has one perspective.
        if page.is_visible("#perspective"):
            page.select_option("#perspective", "**")
        return page

    def test_marks_are_drawn_in_every_game(self):
        for name in MATCHES:
            with self.subTest(name):
                page = self.shown(name, 1280, 800)
                most = 0
                for index in range(1, min(int(page.get_attribute("#scrub", "max")), 8) + 1):
                    page.evaluate(SHOW, index)
                    most = max(most, page.locator("#board .marks path.bot-line").count())
                    self.assertNotIn("NaN", page.inner_html("#board"))
                    self.assertEqual(page.locator("#board > svg > :last-child").get_attribute("class"), "marks")
                    self.assertIn('the board has no place "nowhere"', page.text_content("#events"))
                self.assertGreater(most, 1)
                self.assertRegex(page.text_content("#events"), "drawings? on the board")
                self.assertNotIn('"draw"', page.text_content("main"))
                self.assertEqual(self.wrong, [])

    def test_marks_lie_on_their_places(self):
        page = self.shown("draughts", 390, 844)
        on_target = """(index) => {
          const middle = (its) => { const { x, y, width, height } = its.getBoundingClientRect(); return [x + width / 2, y + height / 2]; };
          const record = JSON.parse(document.getElementById("replay").textContent);
          const { shown } = record.turns[index][1].find((event) => event.marks).marks;
          const point = shown.find((mark) => Number(mark.point));
          if (!point) return null;
          const square = [...document.querySelectorAll("#board .square")].find((its) => its.textContent === point.point);
          const text = [...document.querySelectorAll("#board .marks text")].find((its) => its.textContent === point.text);
          const [[a, b], [c, d]] = [middle(square), middle(text)];
          return Math.hypot(a - c, b - d) < 5;
        }"""
        found = []
        for index in range(1, 9):
            page.evaluate(SHOW, index)
            found.append(page.evaluate(on_target, index))
        # Where a capture is compulsory, there may be no other choice.
        self.assertNotIn(False, found)
        self.assertIn(True, found)

    def test_marks_are_hidden_by_a_key_and_where_the_info_is(self):
        page = self.shown("scotland-yard", 1280, 800)
        page.evaluate(SHOW, 1)
        marks = page.locator("#board .marks:not(.gone) .bot-line")
        self.assertGreater(marks.count(), 0)
        page.keyboard.press("b")
        self.assertEqual((marks.count(), page.get_attribute("#marks", "aria-pressed")), (0, "false"))
        page.click("#marks")
        self.assertGreater(marks.count(), 0)
        # Decision 1 is that of Mr. X.
        for perspective, sees in [("*", False), ("mr-x", True), ("detectives", False)]:
            page.select_option("#perspective", perspective)
            self.assertEqual(marks.count() > 0, sees, perspective)
        self.assertEqual(page.is_visible("#marks"), True)
        page.select_option("#perspective", "*")
        self.assertFalse(page.is_visible("#marks"))

    def test_a_frame_of_a_notebook_shows_the_page(self):
        document = self.games.page("draughts").read_text(encoding="utf-8")
        frame = f'<iframe sandbox="allow-scripts" srcdoc="{html.escape(document)}" style="width:100%;height:720px"></iframe>'
        notebook = self.games.place / "notebook.html"
        notebook.write_text(f"<!doctype html><meta charset=utf-8>{frame}", encoding="utf-8")
        page = self.open(notebook.as_uri(), viewport={"width": 1000, "height": 800})
        inside = page.frame_locator("iframe")
        inside.locator("html[data-ready=true]").wait_for(timeout=60_000)
        inside.locator("#forward").click()
        inside.locator("#count", has_text="1 of").wait_for()
        page.wait_for_timeout(600)
        self.assertEqual(self.wrong, [])


if __name__ == "__main__":
    unittest.main()
