"""Pages of recorded games in a headless Chromium: everything is drawn, every control works, nothing is
loaded, and texts of bots stay texts."""

import json
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

# Whether a pawn is in the part of the board that is shown.
IN_SIGHT = """() => {
  const board = document.getElementById("board").getBoundingClientRect();
  const pawns = [...document.querySelectorAll("#board .pawn:not(.gone) circle")];
  return pawns.some((its) => {
    const { left, right, top, bottom } = its.getBoundingClientRect();
    return left > board.left && right < board.right && top > board.top && bottom < board.bottom;
  });
}"""

# Records the places over which elements are moved from now on.
RECORD_JUMPS = """() => {
  window.jumps = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.jumps.push(frames.map(({ transform }) => transform));
    return animate.call(this, frames, options);
  };
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
                    for position in (0, last):
                        page.evaluate(SHOW, position)
                        self.assertNotIn("[object", page.text_content("main"))
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
        page.locator("svg.times").click(position={"x": 200, "y": 20})
        page.wait_for_function("() => Number(document.getElementById('scrub').value) > 5")
        # The speed has ends.
        for key, end in [("+", "30"), ("-", "0.5")]:
            for _ in range(9):
                page.keyboard.press(key)
            self.assertEqual(page.input_value("#speed"), end)
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
        dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
        press("d")
        self.assertNotEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), dark)
        press("d")
        self.assertEqual(page.evaluate("getComputedStyle(document.body).backgroundColor"), dark)
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
        # The graph of the times is a slider, too.
        times = page.locator("svg.times")
        times.focus()
        press("End")
        self.at(page, last)
        self.assertEqual(times.get_attribute("aria-valuenow"), str(last))
        self.assertRegex(times.get_attribute("aria-valuetext"), rf"^Decision {last}: ")
        self.fine()

    def test_a_jump_over_two_pieces_goes_over_its_squares(self):
        page = self.open("jumps")
        moves = [event["action"] for event in self.games.events("jumps") if event["type"] == "move"]
        turn, squares = next((turn, move.split("x")) for turn, move in enumerate(moves, 1) if move.count("x") > 1)
        # Where the middles of squares are on the board.
        middles = page.evaluate(
            """(squares) => squares.map((square) => {
                const { x, y, width, height } = document.querySelectorAll("#board .square rect")[square - 1].getBBox();
                return [x + width / 2, y + height / 2];
            })""",
            [int(square) for square in squares],
        )
        for before, key, expected in [(turn - 1, "ArrowRight", middles), (turn, "ArrowLeft", middles[::-1])]:
            page.evaluate(SHOW, before)
            self.at(page, before)
            page.evaluate(RECORD_JUMPS)
            page.keyboard.press(key)
            page.wait_for_function("() => window.jumps.length > 0")
            points = [[float(its) for its in re.findall(r"-?[\d.]+", at)] for at in page.evaluate("window.jumps[0]")]
            self.assertEqual(points, expected)
        # Without motion, the piece is there at once.
        page.emulate_media(reduced_motion="reduce")
        page.evaluate(SHOW, turn - 1)
        page.evaluate(RECORD_JUMPS)
        page.keyboard.press("ArrowRight")
        self.at(page, turn)
        self.assertEqual(page.evaluate("window.jumps"), [])
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
        page.click("#next-reveal")
        page.wait_for_selector(".log li:nth-child(3).used.reveal")
        third = self.count(page)
        page.keyboard.press("r")
        page.wait_for_selector(".log li:nth-child(8).used.reveal")
        self.assertNotEqual(self.count(page), third)
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

    def test_an_analysis_shows_its_line_and_goes_from_mistake_to_mistake(self):
        page = self.open("analyzed")
        stored = next(self.games.replays["analyzed"].parent.glob("*.second.analysis.json"))
        decisions = json.loads(stored.read_text())["decisions"]
        expected = next(its for its in decisions if its["seat"] == 1 and len(its["pv"]) > 1)
        page.select_option("#perspective", "detectives")
        page.evaluate(SHOW, expected["turn"])
        line = page.text_content("#events .line-of-play")
        for action in expected["pv"][:3]:
            self.assertIn(f"detective {action['detective']} " if "detective" in action else "ticket", line)
            self.assertIn(f"ticket {action['ticket']} to {action['to']}", line)
        # The graph has the focus, and the keys of the page move it.
        page.keyboard.press("Home")
        graph = page.locator("svg.estimates")
        graph.focus()
        page.keyboard.press("ArrowRight")
        self.at(page, 1)
        self.assertEqual(graph.get_attribute("aria-valuenow"), "1")
        self.assertRegex(graph.get_attribute("aria-valuetext"), r"^Decision 1: winning chance of detectives \d+%")
        graph.click(position={"x": graph.bounding_box()["width"] - 3, "y": 20})
        self.at(page, self.last(page))
        page.keyboard.press("Home")
        self.at(page, 0)
        marked = page.evaluate(
            """() => [...document.querySelectorAll("#list button")].flatMap(
                (its, index) => (/ [?]/.test(its.textContent) ? [index] : []))"""
        )
        self.assertGreater(len(marked), 0)
        for turn in marked:
            page.click("#next-mistake")
            self.at(page, turn)
            self.assertEqual(page.locator("#events .mistake").count(), 1)
        page.keyboard.press("m")
        self.at(page, marked[0])
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

    def test_small_places_are_legible_on_a_phone(self):
        page = self.open("london", "#n=9", width=390, height=844)
        self.assertEqual(page.get_attribute("#zoom", "aria-pressed"), "true")
        station = page.locator("#board .station .ground").first.bounding_box()
        self.assertGreaterEqual(station["width"], 22)
        # The number is not smaller than small print.
        scale = page.evaluate("document.querySelector('#board > svg').getScreenCTM().a")
        self.assertGreaterEqual(11 * scale, 11)
        # Pawns are in sight, whichever decision is shown.
        last = self.last(page)
        for turn in [1, 2, last // 2, last]:
            page.evaluate(SHOW, turn)
            self.assertTrue(page.evaluate(IN_SIGHT), turn)
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        page.keyboard.press("z")
        self.assertLess(page.locator("#board > svg").bounding_box()["width"], 390)
        # A choice of the reader stays.
        page.keyboard.press("p")
        self.assertEqual(page.get_attribute("#zoom", "aria-pressed"), "false")
        self.fine()
        self.assertEqual(self.open("london").get_attribute("#zoom", "aria-pressed"), "false")

    def test_no_text_of_a_board_is_tiny_on_a_phone(self):
        for name in ["london", "grid", "draughts", "dice-wars", "liars-dice"]:
            page = self.open(name, "#n=5", width=390, height=844)
            sizes = page.evaluate(
                """() => {
                    const scale = document.querySelector("#board > svg").getScreenCTM().a;
                    const texts = [...document.querySelectorAll("#board > svg text")].filter((its) => its.textContent && its.getBoundingClientRect().width > 0);
                    return texts.map((its) => parseFloat(getComputedStyle(its).fontSize) * scale);
                }"""
            )
            self.assertGreater(len(sizes), 3, name)
            self.assertGreaterEqual(min(sizes), 9.5, name)
            self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390, name)
            # No word of the tables is broken, and no column is cut off.
            for cell in page.locator("#side th").all():
                box = cell.bounding_box()
                self.assertLessEqual(box["x"] + box["width"], 390, name)
            self.fine()
            page.context.close()

    def test_no_piece_covers_the_number_of_its_square(self):
        for width in [390, 1280]:
            page = self.open("draughts", width=width)
            covered = page.evaluate(
                """() => {
                    const circles = [...document.querySelectorAll("#board .piece:not(.gone) .body")].map((its) => its.getBoundingClientRect());
                    const numbers = [...document.querySelectorAll("#board .square text")];
                    return numbers.filter((number) => {
                        const { left, right, top, bottom } = number.getBoundingClientRect();
                        return circles.some((its) => {
                            const [x, y] = [its.left + its.width / 2, its.top + its.height / 2];
                            // A line of text is higher than its figures.
                            const base = top + (bottom - top) * 0.8;
                            const [dx, dy] = [Math.max(left - x, x - right, 0), Math.max(top - y, y - base, 0)];
                            return Math.hypot(dx, dy) < its.width / 2;
                        });
                    }).map((number) => number.textContent);
                }"""
            )
            self.assertEqual(covered, [], width)
            self.assertEqual(page.locator("#board .piece:not(.gone)").count(), 24)
            self.fine()

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
