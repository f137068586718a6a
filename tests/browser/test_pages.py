"""Pages of recorded games in a headless Chromium: everything is drawn, every control works, nothing is
loaded, and texts of bots stay texts."""

import os
import re
import unittest
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from games import Games, run
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
ONE_OF_EACH = ["london", "grid", "draughts", "dice-wars", "connect-four", "liars-dice", "boastful"]

# Draws one position and waits until it is on the screen.
SHOW = """async (to) => {
  const scrub = document.getElementById("scrub");
  scrub.value = String(to);
  scrub.dispatchEvent(new Event("input"));
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
}"""


class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.games = Games()
        cls.playwright = sync_playwright().start()
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.games.close()

    def open(self, name, hash="", width=1280, height=900, scheme="light"):
        """Opens a page in a context of its own, and records what must not happen."""
        context = self.browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        self.addCleanup(context.close)
        page = context.new_page()
        self.wrong = wrong = []
        self.requests = requests = []
        page.on("console", lambda message: wrong.append(f"console: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: requests.append(request.url))
        path = name if isinstance(name, Path) else self.games.page(name)
        page.goto(path.as_uri() + hash)
        page.wait_for_selector("html[data-ready=true]", timeout=60_000)
        self.path = path
        return page

    def fine(self):
        """Nothing went wrong, and nothing but the page itself was requested."""
        self.assertEqual(self.wrong, [])
        self.assertEqual([url.split("#")[0] for url in self.requests], [self.path.as_uri()])

    def count(self, page):
        return page.text_content("#count")

    def at(self, page, turn):
        """Waits until a decision is shown."""
        page.wait_for_function(
            "(turn) => document.getElementById('count').textContent.startsWith(`${turn} of `)", arg=turn, timeout=30_000
        )

    def last(self, page):
        return int(page.get_attribute("#scrub", "max"))

    def special(self, page):
        """Some decisions with faults, logs and reveals: those that the list of moves marks."""
        return page.evaluate(
            """() => [...document.querySelectorAll("#list button")].flatMap(
                (its, index) => (/ [!*]$/.test(its.textContent) ? [index] : [])).slice(0, 6)"""
        )

    def test_every_kind_of_event_of_every_replay_is_drawn_from_every_perspective(self):
        kinds = set()
        drawn = 0
        for name in self.games.replays:
            if name == "long":
                continue
            with self.subTest(name):
                page = self.open(name)
                kinds |= {event["type"] for event in self.games.events(name)}
                perspectives = page.locator("#perspective option").count()
                for number in range(perspectives):
                    if number > 0:
                        page.keyboard.press("p")
                    last = self.last(page)
                    for index in sorted({*range(0, last + 1, max(1, last // 8)), *self.special(page)}):
                        page.evaluate(SHOW, index)
                        drawn += 1
                    page.evaluate(SHOW, last)
                    self.assertGreater(page.locator("#board svg *").count(), 10)
                    self.assertNotEqual(page.text_content("#caption"), "")
                    self.assertNotIn("NaN", page.inner_html("#board"))
                    self.assertNotIn("undefined", page.inner_html("main"))
                self.fine()
                page.context.close()
        print(f"\n{drawn} positions of {len(self.games.replays)} replays were drawn")
        self.assertEqual(kinds, {"header", "chance", "move", "state", "log", "fault", "end"})

    def test_controls(self):
        page = self.open("draughts")
        last = self.last(page)
        self.at(page, 0)
        self.assertTrue(page.is_disabled("#back") and page.is_disabled("#first"))
        for button, turn in [("#forward", 1), ("#forward", 2), ("#back", 1), ("#last", last), ("#first", 0)]:
            page.click(button)
            self.at(page, turn)
        page.select_option("#speed", "30")
        page.click("#play")
        self.assertEqual(page.get_attribute("#play", "aria-label"), "Pause")
        page.wait_for_function("() => Number(document.getElementById('scrub').value) > 3", timeout=30_000)
        page.click("#play")
        self.assertEqual(page.get_attribute("#play", "aria-label"), "Play")
        page.click("#last")
        self.at(page, last)
        page.click("#play")
        page.wait_for_function(f"() => Number(document.getElementById('scrub').value) < {last}", timeout=30_000)
        self.at(page, last)
        page.wait_for_selector("#play[aria-label=Play]")
        page.locator("#list button").nth(5).click()
        self.at(page, 5)
        self.assertEqual(page.locator("#list [aria-current]").count(), 1)
        page.click("#zoom")
        self.assertEqual(page.get_attribute("#zoom", "aria-pressed"), "true")
        page.locator("svg.times").click(position={"x": 400, "y": 20})
        page.wait_for_function("() => Number(document.getElementById('scrub').value) > 5")
        page.click("#help")
        self.assertTrue(page.is_visible("#keys"))
        page.click("#close-keys")
        self.assertFalse(page.is_visible("#keys"))
        self.fine()

    def test_keyboard_alone(self):
        page = self.open("draughts")
        last = self.last(page)
        press = page.keyboard.press
        for key, turn in [
            ("ArrowRight", 1), ("ArrowDown", 2), ("ArrowLeft", 1), ("ArrowUp", 0), ("PageDown", 10),
            ("PageUp", 0), ("Shift+ArrowRight", 10), ("Shift+ArrowLeft", 0), ("End", last), ("Home", 0),
            ("5", round(last / 2 + 1e-9)), ("0", 0),
        ]:
            press(key)
            self.at(page, turn)
        speed = page.input_value("#speed")
        press("+")
        self.assertNotEqual(page.input_value("#speed"), speed)
        press("-")
        self.assertEqual(page.input_value("#speed"), speed)
        press("Space")
        page.wait_for_selector("#play[aria-label=Pause]")
        press("Space")
        page.wait_for_selector("#play[aria-label=Play]")
        press("?")
        self.assertTrue(page.is_visible("#keys"))
        press("Escape")
        self.assertFalse(page.is_visible("#keys"))
        press("z")
        self.assertEqual(page.get_attribute("#zoom", "aria-pressed"), "true")
        press("z")
        # Every control can be reached, and one move of the list.
        press("Home")
        self.at(page, 0)
        page.evaluate("document.activeElement.blur()")
        reached = []
        for _ in range(60):
            press("Tab")
            reached.append(page.evaluate("document.activeElement.id || document.activeElement.textContent"))
        for control in ["zoom", "theme", "help", "play", "forward", "last", "speed", "scrub", "Start"]:
            self.assertIn(control, reached)
        self.fine()

    def test_links_to_a_moment(self):
        page = self.open("draughts", "#n=7")
        self.at(page, 7)
        page.keyboard.press("ArrowRight")
        page.wait_for_function("() => location.hash === '#n=8'")
        page.evaluate("location.hash = '#n=3'")
        self.at(page, 3)
        page.evaluate("location.hash = '#n=999999'")
        self.at(page, self.last(page))
        page.evaluate("location.hash = '#other'")
        page.wait_for_timeout(100)
        self.at(page, self.last(page))
        self.fine()

    def test_faults_and_reveals(self):
        page = self.open("draughts-substitute")
        self.assertTrue(page.is_disabled("#next-reveal"))
        page.click("#next-fault")
        page.wait_for_selector("#events .fault")
        page.keyboard.press("f")
        page.wait_for_selector("#events .fault")
        self.assertIn("fails", page.text_content("#caption"))
        self.fine()
        page = self.open("london")
        self.assertTrue(page.is_disabled("#next-fault"))
        page.keyboard.press("r")
        page.wait_for_selector(".log li:nth-child(3).used.reveal")
        self.assertRegex(page.text_content(".log li:nth-child(3) .ticket"), r"^[TBUX] \d+$")
        self.fine()

    def test_what_is_hidden_is_shown_only_when_asked_for(self):
        page = self.open("boastful")
        page.evaluate(SHOW, 2)
        hidden = page.locator("#board .pawn.mr-x.gone")
        self.assertEqual((page.input_value("#perspective"), hidden.count()), ("*", 1))
        self.assertNotIn("onerror", page.text_content("#detail"))
        page.select_option("#perspective", "**")
        self.assertEqual(hidden.count(), 0)
        self.assertIn("onerror", page.text_content("#detail"))
        page.keyboard.press("Escape")
        page.locator("#scrub").focus()
        page.keyboard.press("p")
        self.assertEqual(page.input_value("#perspective"), "*")
        self.assertEqual(hidden.count(), 1)
        self.fine()
        page = self.open("liars-dice")
        closed = page.locator("#board .face.closed:not(.gone)")
        self.assertEqual(closed.count(), 10)
        page.select_option("#perspective", "player-1")
        self.assertEqual(closed.count(), 5)
        page.select_option("#perspective", "**")
        self.assertEqual(closed.count(), 0)
        self.fine()

    def test_each_perspective_has_the_analyses_of_its_seats(self):
        page = self.open("analyzed")
        panel = page.locator("#times .estimates")
        options = page.locator("#times option")
        self.assertEqual(panel.count(), 0)
        for perspective, bots in [("mr-x", ["first", "second"]), ("detectives", []), ("**", ["first", "second"])]:
            page.select_option("#perspective", perspective)
            self.assertEqual(panel.count(), 1, perspective)
            self.assertEqual(options.all_text_contents(), bots, perspective)
        page.select_option("#perspective", "detectives")
        # The only analysis of this seat, although the other one was chosen.
        self.assertIn("Analysis by second", page.text_content("#times"))
        said = ""
        for index in range(self.last(page) + 1):
            page.evaluate(SHOW, index)
            said += page.text_content("#events")
        self.assertIn("rather detective ", said)
        self.assertIn("of the winning chance lost up to the seat's next decision", said)
        self.assertNotIn("catches", said)
        page.select_option("#perspective", "mr-x")
        menu = page.locator("#times select")
        menu.focus()
        for key, value in [("ArrowDown", "1"), ("ArrowUp", "0")]:
            page.keyboard.press(key)
            self.assertEqual(menu.input_value(), value)
            self.assertTrue(menu.evaluate("its => its === document.activeElement"))
        self.fine()

    def test_a_game_in_which_all_bots_failed_is_no_draw(self):
        page = self.open("all-failed")
        page.keyboard.press("End")
        page.wait_for_selector("#events .end")
        for place in ("#caption", "#events .end"):
            self.assertIn("every bot has failed; there is no winner", page.text_content(place))
        self.fine()

    def test_mr_x_can_be_where_the_engine_says(self):
        compared = 0
        for name in ["london", "pawns", "grid", "stay", "scotland-yard-substitute"]:
            page = self.open(name)
            last = self.last(page)
            for turn in sorted({0, 1, last // 3, last // 2, 2 * last // 3, last}):
                page.evaluate(SHOW, turn)
                stations = page.evaluate(
                    """() => [...document.querySelectorAll("#board .station")].flatMap(
                        (its, index) => (its.classList.contains("candidate") ? [index + 1] : []))"""
                )
                drawn = run("replay", "picture", self.games.replays[name], "--at", turn)
                expected = [int(station) for station, kinds in re.findall(r'id="station-(\d+)" class="([^"]*)"', drawn) if "candidate" in kinds]
                self.assertEqual(stations, sorted(expected), f"{name}, decision {turn}")
                compared += len(stations)
            self.fine()
        self.assertGreater(compared, 300)

    def test_texts_of_bots_stay_texts(self):
        page = self.open("boastful")
        page.select_option("#perspective", "**")
        last = self.last(page)
        seen = ""
        for index in range(last + 1):
            page.evaluate(SHOW, index)
            seen += page.text_content("#detail")
        for summary in page.locator("#whole summary").all():
            summary.click()
        whole = page.text_content("#whole")
        self.assertIn("<script>alert(1)</script>", whole)
        self.assertIn("started <img src=x onerror=alert(1)>", whole)
        self.assertIn("</script><script>alert(2)</script>\\u{202e}daer\\u{2028}", seen)
        self.assertGreaterEqual(seen.count("x" * 1000), 10)
        self.assertNotIn("\u202e", seen + whole)
        self.assertEqual(page.locator("main img, main script").count(), 0)
        self.assertIsNone(page.evaluate("({}).polluted ?? null"))
        self.fine()

    def test_no_page_breaks_an_accessibility_rule(self):
        checked = 0
        for name in ONE_OF_EACH + ["unfinished", "draughts-substitute"]:
            for scheme in ["light", "dark"]:
                page = self.open(name, "#n=4", scheme=scheme)
                if name == "boastful":
                    page.select_option("#perspective", "**")
                for help_is_open in [False, True]:
                    if help_is_open:
                        page.keyboard.press("?")
                    found = Axe().run(page).response["violations"]
                    said = [(its["id"], its["help"], [node["html"][:200] for node in its["nodes"][:3]]) for its in found]
                    self.assertEqual(said, [], f"{name}, {scheme}")
                    checked += 1
                self.fine()
                page.context.close()
        self.assertEqual(checked, 36)

    def test_themes_phone_and_paper(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        for name in ONE_OF_EACH:
            page = self.open(name, "#n=5", width=390, height=844, scheme="dark")
            dark = page.evaluate(ground)
            page.click("#theme")
            self.assertNotEqual(page.evaluate(ground), dark)
            page.click("#theme")
            self.assertEqual(page.evaluate(ground), dark)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390, name)
            page.emulate_media(media="print")
            self.assertFalse(page.is_visible("#play"))
            self.assertTrue(page.is_visible("#board svg") and page.is_visible("#list"))
            self.fine()
            page.context.close()

    def test_unfinished_games_and_copies_say_so(self):
        page = self.open("unfinished")
        self.assertIn("The replay has no end", page.text_content("#notice"))
        self.fine()
        page = self.open("copy-detectives")
        self.assertIn("only what detectives saw", page.text_content("#notice"))
        self.assertFalse(page.is_visible("#perspective"))
        self.fine()
        page = self.open("draughts")
        self.assertTrue(page.is_hidden("#notice"))

    def test_a_long_game(self):
        """How fast it is is printed by figures.py; here is what holds on every machine."""
        self.assertGreaterEqual(len(self.games.events("long")), 1500)
        added = self.games.page("long").stat().st_size - self.games.replays["long"].stat().st_size
        self.assertLessEqual(added, 400_000)
        page = self.open("long")
        # What is asked for between two frames of the screen is drawn once.
        draws = page.evaluate(
            """async () => {
                let draws = 0;
                new MutationObserver(() => { draws += 1; }).observe(document.getElementById("count"), { childList: true });
                const scrub = document.getElementById("scrub");
                for (let index = 0; index < 200; index++) {
                    scrub.value = String(index);
                    scrub.dispatchEvent(new Event("input"));
                }
                await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
                return draws;
            }"""
        )
        self.assertEqual(draws, 1)
        self.at(page, 199)
        self.fine()


if __name__ == "__main__":
    unittest.main()
