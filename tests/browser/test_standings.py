"""The pages of a tournament in a headless Chromium: readable on a phone and on a desk, with and without scripts, by
keyboard, and without a request; names stay texts."""

import os
import shutil
import tempfile
import unittest
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from games import REPOSITORY, run
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
WIDTHS = {390: 844, 1280: 900}
MISBEHAVE = REPOSITORY / "tests" / "bots" / "misbehave.py"
MARKUP = "<img src=x onerror=alert(1)>"
HEBREW = "\u05e9\u05dc\u05d5\u05dd 7 (x)"
LONG = "W" * 60

CLASS = f"""
name = "class <script>alert(2)</script>"
game = "connect-four"
seed = 5
blocks = 10
[time]
move_ms = 30000
[sandbox]
mode = "none"
[gate]
against = ["random:seed=9"]
[[bot]]
name = "anna"
team = "7b"
command = "greedy"
[[bot]]
name = "{MARKUP}"
command = "random:seed=1"
[[bot]]
name = "{HEBREW}"
command = "random:seed=2"
[[bot]]
name = "{LONG}"
team = "{LONG}"
command = "random:seed=3"
[[bot]]
name = "carla"
command = "python3 crash.py"
"""

FAULTY = f"""
game = "connect-four"
format = "swiss"
rounds = 1
seed = 5
blocks = 2
[time]
move_ms = 30000
[sandbox]
mode = "none"
[[bot]]
name = "anna"
command = "random:seed=1"
[[bot]]
name = "dora"
command = "python3 {MISBEHAVE} garbage"
"""


class Standings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="botyard-standings."))
        (cls.place / "crash.py").write_text('raise KeyError("best")\n')
        for name, text in [("class", CLASS), ("faulty", FAULTY)]:
            (cls.place / f"{name}.toml").write_text(text)
            run("tournament", "run", cls.place / f"{name}.toml", "--out", cls.place / f"{name}.tournament")
            run("tournament", "page", cls.place / f"{name}.tournament", "--out", cls.place / name)
        cls.playwright = sync_playwright().start()
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        shutil.rmtree(cls.place)

    def open(self, path, width=1280, scheme="light", **options):
        """Opens a page in a context of its own, and records what must not happen."""
        size = {"width": width, "height": WIDTHS[width]}
        context = self.browser.new_context(viewport=size, color_scheme=scheme, **options)
        self.addCleanup(context.close)
        page = context.new_page()
        self.wrong = wrong = []
        self.requests = requests = []
        page.on("console", lambda message: wrong.append(f"console: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: requests.append(request.url))
        page.goto((self.place / path).as_uri())
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        return page

    def fine(self, pages=1):
        """Nothing went wrong, and nothing but the pages themselves was requested."""
        self.assertEqual(self.wrong, [])
        self.assertEqual(len(self.requests), pages, self.requests)

    def paths(self):
        return [path.relative_to(self.place) for name in ["class", "faulty"] for path in self.report_pages(name)]

    def report_pages(self, name):
        return [self.place / name / "index.html", *sorted((self.place / name / "bots").glob("*.html"))]

    def shown(self, page):
        """The names of the bots in the table, in its order."""
        return page.eval_on_selector_all(
            "#bots tbody tr", "rows => rows.filter((row) => !row.hidden).map((row) => row.querySelector('th bdi').textContent)"
        )

    def test_pages_fit_phones_and_desks_and_break_no_accessibility_rule(self):
        checked = 0
        for path in self.paths():
            for width in WIDTHS:
                for scheme in ["light", "dark"]:
                    page = self.open(path, width, scheme)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width, f"{path}, {width}")
                    # No cell is cut off, in or outside of the page, but what is scrolled to and the names of folded rows.
                    cut = page.eval_on_selector_all(
                        "main *",
                        """(all, width) => all.filter((its) => {
                            const box = its.getBoundingClientRect();
                            const isShown = box.width > 1 && box.right > 0 && !its.closest("thead");
                            if (its.closest("#bots.folds tr:not(.open) th, .wide")) return false;
                            return isShown && (box.right > width + 1 || box.left < -1);
                        }).map((its) => its.outerHTML.slice(0, 200))""",
                        width,
                    )
                    self.assertEqual(cut, [], f"{path}, {width}")
                    for summary in page.locator("summary").all():
                        summary.click()
                    self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                    found = Axe().run(page).response["violations"]
                    said = [(its["id"], its["help"], [node["html"][:200] for node in its["nodes"][:3]]) for its in found]
                    self.assertEqual(said, [], f"{path}, {width}, {scheme}")
                    self.fine()
                    page.context.close()
                    checked += 1
        self.assertEqual(checked, 4 * (6 + 3))

    def test_filters_work_by_keyboard(self):
        for width in WIDTHS:
            page = self.open("class/index.html", width)
            press = page.keyboard.press
            everyone = self.shown(page)
            self.assertEqual((len(everyone), everyone[0], everyone[-1]), (5, "anna", "carla"))
            self.assertEqual(page.text_content("#count"), "5 of 5 bots")
            press("/")
            page.keyboard.type("AnN")
            self.assertEqual(self.shown(page), ["anna"])
            self.assertEqual(page.text_content("#count"), "1 of 5 bots")
            page.keyboard.type("/")
            self.assertEqual((self.shown(page), page.text_content("#count")), ([], "No bot fits."))
            press("Escape")
            self.assertEqual(self.shown(page), everyone)
            press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.id"), "group")
            press("ArrowDown")
            self.assertEqual((page.input_value("#group"), self.shown(page)), ("1", ["anna"]))
            press("ArrowDown")
            self.assertNotIn("anna", self.shown(page))
            self.assertNotIn("carla", self.shown(page))
            press("Home")
            press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.id"), "order")
            press("End")
            self.assertEqual(page.input_value("#order"), "name")
            self.assertEqual(self.shown(page)[:3], [MARKUP, "anna", "carla"])
            press("Home")
            self.assertEqual(self.shown(page), everyone)
            press("Tab")
            press("Space")
            self.assertEqual(self.shown(page), ["anna"])
            press("Space")
            # The bots are reached next, and their pages by Enter.
            press("Tab")
            press("Enter")
            page.wait_for_url("**/bots/1-anna.html")
            press("Tab")
            self.assertEqual(page.evaluate("document.activeElement.className"), "skip")
            page.click("header a")
            page.wait_for_url("**/index.html#standings")
            self.fine(3)

    def test_the_reasons_of_the_gate_are_seen_first(self):
        for width, height in WIDTHS.items():
            page = self.open("class/index.html", width)
            box = page.locator(".notice li").bounding_box()
            self.assertLess(box["y"] + box["height"], height)
            self.assertIn("could not be started", page.text_content(".notice"))
            page.focus(".notice summary")
            page.keyboard.press("Enter")
            self.assertTrue(page.is_visible(".notice pre:has-text('KeyError')"))
            self.fine()

    def test_names_stay_texts(self):
        page = self.open("class/index.html")
        self.assertEqual(page.text_content("h1"), "class <script>alert(2)</script>")
        self.assertEqual(page.locator("img, main script").count(), 0)
        self.assertEqual(self.shown(page).count(MARKUP), 1)
        # What follows a name from right to left keeps its place.
        row = page.locator("#bots tr", has_text=HEBREW)
        name, rank = row.locator("th bdi"), row.locator("td").first
        self.assertLess(rank.bounding_box()["x"], name.bounding_box()["x"])
        self.assertEqual(name.text_content(), HEBREW)
        self.fine()

    def test_pages_are_complete_without_scripts(self):
        for width in WIDTHS:
            page = self.open("class/index.html", width, java_script_enabled=False)
            self.assertEqual(page.locator("#bots tbody tr").count(), 5)
            self.assertFalse(page.is_visible("#filters") or page.is_visible("#theme"))
            self.assertTrue(page.is_visible("#bots tbody tr:last-child th"))
            page.click("#bots tbody th a >> nth=0")
            page.wait_for_url("**/bots/1-anna.html")
            self.assertTrue(page.is_visible("svg.share"))

    def test_faults_lead_to_the_page_of_their_game(self):
        page = self.open("faulty/index.html", 390)
        self.assertIn("Swiss table", page.text_content("main"))
        page.click("#bots a:has-text('dora')")
        page.wait_for_url("**/bots/2-dora.html")
        self.assertIn("I would rather not say", page.text_content("#faults"))
        page.click("#faults tbody a >> nth=0")
        page.wait_for_selector("#board", timeout=60_000)
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        self.assertIn("connect-four", page.title())
        self.fine(3)

    def test_the_theme_can_be_changed(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        page = self.open("class/index.html", scheme="dark")
        dark = page.evaluate(ground)
        self.assertEqual(page.text_content("#theme"), "Light")
        page.click("#theme")
        self.assertNotEqual(page.evaluate(ground), dark)
        self.assertEqual(page.text_content("#theme"), "Dark")
        page.click("#theme")
        self.assertEqual(page.evaluate(ground), dark)
        self.fine()


if __name__ == "__main__":
    unittest.main()
