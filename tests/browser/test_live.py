"""The page of a running game in a headless Chromium: it follows a match to its end through a restart of
the server and a reload, and has nothing that is hidden."""

import gzip
import os
import signal
import subprocess
import tempfile
import time
import unittest
import urllib.request
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from games import BOASTFUL, BOTYARD
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
LONG = 120_000


class Live(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.playwright = sync_playwright().start()
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()

    def setUp(self):
        place = tempfile.TemporaryDirectory(prefix="botyard-live.")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        self.gate = self.place / "gate"
        self.permit(0)
        self.out = self.place / "out"
        context = self.browser.new_context()
        self.addCleanup(context.close)
        self.page = context.new_page()
        self.wrong = wrong = []
        self.requests = requests = []
        self.page.on("console", lambda message: wrong.append(f"console: {message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        self.page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: requests.append(request.url))

    def permit(self, turn):
        """Lets the bots play as far as this decision."""
        self.permitted = turn
        new = self.gate.with_suffix(".new")
        new.write_text(str(turn))
        new.replace(self.gate)

    def start(self, *arguments, **options):
        process = subprocess.Popen([BOTYARD, *map(str, arguments)], text=True, stdout=subprocess.PIPE, **options)

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        return process

    def match(self, *arguments, game=("scotland-yard", "--rules", "grid-15x15-3-stay"), **options):
        bot = f"{BOASTFUL} {self.gate}"
        conditions = ["--sandbox", "none", "--move-time", "600000", "--seed", "6", "--out", self.out]
        bots = [f"<script>alert(3)={bot}", f"b={bot}"]
        return self.start("match", game[0], *bots, *game[1:], *conditions, *arguments, **options)

    def watch(self, port=0, *arguments):
        server = self.start("watch", self.out, "--port", port, *arguments)
        address = server.stdout.readline().strip()
        self.assertRegex(address, r"^http://127\.0\.0\.1:\d+/$")
        return server, address

    def reaches(self, turn):
        """Waits until the page has this decision and shows its last one."""
        self.page.wait_for_function(
            """(turn) => {
              const scrub = document.getElementById("scrub");
              return Number(scrub.max) >= turn && scrub.value === scrub.max;
            }""",
            arg=turn,
            timeout=LONG,
        )

    def advance(self, turn, shown=True):
        """Lets the bots play as far as this decision, until the page has it, and shows its last one."""
        while self.permitted < turn:
            self.permit(self.permitted + 1)
            expected = "(turn) => Number(document.getElementById('scrub').max) >= turn"
            self.page.wait_for_function(expected, arg=self.permitted, timeout=LONG)
        if shown:
            self.reaches(turn)

    def replayed(self):
        """The moves in the replay of the match."""
        replays = list(self.out.glob("*.ndjson"))
        return [line for its in replays for line in its.read_text().split("\n") if '{"type":"move"' in line]

    def says(self, text):
        self.page.wait_for_function(
            "(text) => document.getElementById('notice').textContent.includes(text)", arg=text, timeout=LONG
        )

    def test_a_match_is_followed_to_its_end_through_a_restart_of_the_server_and_a_reload(self):
        self.followed_through_a_restart("scotland-yard", "--rules", "grid-15x15-3-stay")
        # Nothing of what bots said about themselves, neither in the page nor in what it was sent.
        address = self.page.url.split("#")[0]
        source = urllib.request.urlopen(address).read().decode()
        events = urllib.request.urlopen(address.replace("/game/", "/events/")).read().decode()
        self.assertIn("event: end", events)
        for text in (source, events, self.page.content()):
            # Its name and version are public, its `info` and its log are not.
            self.assertNotIn("polluted", text)
            self.assertNotIn("y" * 40, text)
        self.assertEqual(self.page.locator("#perspective option").count(), 1)

    def test_a_match_of_draughts_is_followed_through_a_restart_as_well(self):
        self.followed_through_a_restart("draughts")
        # Nothing is hidden in this game: what bots say is shown, as text.
        self.page.click("#first")
        self.page.click("#forward")
        self.page.wait_for_selector("#events pre:has-text('onerror')")
        self.assertEqual(self.page.locator("main img, main script").count(), 0)
        self.assertEqual(self.wrong, [])

    def followed_through_a_restart(self, *game):
        """Follows a match to its end, through a restart of the server and a reload of the page."""
        match = self.match(game=game)
        while not list(self.out.glob("*.ndjson")):
            self.assertIsNone(match.poll())
        server, address = self.watch()
        page = self.page
        page.goto(address)
        page.wait_for_selector("#games a", timeout=LONG)
        self.assertIn("<script>alert(3)", page.text_content("#games"))
        page.click("#games a")
        page.wait_for_selector("html[data-ready=true]", timeout=LONG)
        self.says("Live.")
        self.advance(3)
        # A reader of an earlier position stays there.
        page.click("#first")
        self.advance(5, shown=False)
        self.assertEqual(page.input_value("#scrub"), "0")
        page.click("#last")
        self.reaches(5)
        self.assertEqual(self.wrong, [])

        server.send_signal(signal.SIGINT)
        self.assertEqual(server.wait(60), 0)
        self.says("The connection is lost")
        self.permit(self.permitted + 2)
        self.watch(address.rsplit(":", 1)[1].strip("/"))
        self.says("Live.")
        self.advance(self.permitted)
        # The browser itself reports that it could not connect.
        self.assertTrue(all("ERR_" in its for its in self.wrong), self.wrong)
        self.wrong.clear()

        page.wait_for_function("() => location.hash === '#live'")
        page.reload()
        page.wait_for_selector("html[data-ready=true]")
        self.reaches(5)
        self.permit(10_000)
        page.wait_for_selector("html[data-over=true]", timeout=LONG)
        self.assertEqual(match.wait(60), 0)
        lines = next(self.out.glob("*.ndjson")).read_text().split("\n")
        last = sum('{"type":"move"' in line for line in lines)
        self.reaches(last)
        page.wait_for_function("() => document.getElementById('caption').textContent.includes('Over')", timeout=LONG)
        self.assertEqual(self.wrong, [])
        self.assertEqual([url for url in self.requests if not url.startswith(address)], [])

    def test_a_game_that_was_interrupted_is_not_shown_as_running(self):
        self.permit(8)
        match = self.match()
        while len(self.replayed()) < 8:
            self.assertIsNone(match.poll())
        match.kill()
        match.wait()
        replay = next(self.out.glob("*.ndjson"))
        _, address = self.watch()
        page = self.page
        page.goto(address)
        page.wait_for_function("() => document.getElementById('games').textContent.includes('No end yet.')")
        # A minute and its move time, which is ten minutes, have passed.
        at = time.time() - 12 * 60
        os.utime(replay, (at, at))
        since = time.strftime("%H:%M:%S", time.localtime(at))
        page.wait_for_function(
            "(since) => document.getElementById('games').textContent.includes(`no sign of life since ${since}`)",
            arg=since,
            timeout=LONG,
        )
        # The list was made again, and the focus stays where it was.
        page.keyboard.press("Tab")
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "A")
        os.utime(replay)
        page.wait_for_function("() => document.getElementById('games').textContent.includes('No end yet.')", timeout=LONG)
        self.assertEqual(page.evaluate("document.activeElement.tagName"), "A")
        os.utime(replay, (at, at))
        page.keyboard.press("Enter")
        page.wait_for_selector("html[data-ready=true]", timeout=LONG)
        self.says(f"No sign of life since {since}")
        os.utime(replay)
        self.says("Live.")
        self.assertEqual(self.wrong, [])

    def test_the_list_breaks_no_accessibility_rule_and_fits_a_phone(self):
        kept = Path(__file__).resolve().parents[2] / "crates" / "replay" / "tests" / "data"
        replays = self.out / "replays" / "00"
        replays.mkdir(parents=True)
        for name in ["draughts-retry", "scotland-yard-forfeit", "dice-wars-substitute"]:
            text = (kept / f"{name}.ndjson").read_text()
            (replays / f"{name}.ndjson").write_text(text)
            (replays / f"packed-{name}.ndjson.gz").write_bytes(gzip.compress(text.encode()))
            lines = text.splitlines(keepends=True)
            for kind in ["running", "silent"]:
                (replays / f"{kind}-{name}.ndjson").write_text("".join(lines[: len(lines) // 2]))
            os.utime(replays / f"silent-{name}.ndjson", (1_700_000_000, 1_700_000_000))
        (replays / "garbled.ndjson").write_text("hello\n")
        _, address = self.watch()
        for scheme in ["light", "dark"]:
            for width in [390, 1280]:
                context = self.browser.new_context(viewport={"width": width, "height": 844}, color_scheme=scheme)
                self.addCleanup(context.close)
                page = context.new_page()
                page.goto(address)
                page.wait_for_selector("#games a")
                self.assertEqual(page.locator("#games tr").count(), 13)
                found = Axe().run(page).response["violations"]
                said = [(its["id"], its["help"], [node["html"][:200] for node in its["nodes"][:3]]) for its in found]
                self.assertEqual(said, [], f"{scheme}, {width}")
                self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), width)
                self.assertEqual(page.locator("h1").count(), 1)
        # The keyboard reaches every game, in the order of the list.
        reached = []
        for _ in range(13):
            page.keyboard.press("Tab")
            reached.append(page.evaluate("document.activeElement.textContent"))
        self.assertEqual(reached, page.locator("#games a").all_text_contents())
        # A compressed game that is over can be opened.
        page.click("text=packed-draughts-retry")
        page.wait_for_selector("html[data-over=true]", timeout=LONG)
        self.assertIn("Over", page.text_content("#caption"))

    def test_the_truth_is_shown_when_the_server_and_the_reader_ask_for_it(self):
        self.permit(10_000)
        self.assertEqual(self.match().wait(120), 0)
        _, address = self.watch(0, "--truth")
        page = self.page
        page.goto(address)
        page.click("#games a")
        page.wait_for_selector("html[data-over=true]", timeout=LONG)
        self.assertEqual(page.input_value("#perspective"), "*")
        page.click("#first")
        page.click("#forward")
        page.wait_for_function("() => document.getElementById('scrub').value === '1'")
        self.assertNotIn("onerror", page.text_content("#detail"))
        page.select_option("#perspective", "**")
        self.assertIn("onerror", page.text_content("#detail"))
        self.assertEqual(self.wrong, [])

    def test_a_new_list_leaves_the_links_and_the_focus_where_they_are(self):
        match = self.match()
        while not list(self.out.glob("*.ndjson")):
            self.assertIsNone(match.poll())
        _, address = self.watch()
        page = self.page
        page.goto(address)
        page.wait_for_selector("#games a", timeout=LONG)
        page.evaluate("document.querySelector('#games a').dataset.first = 'true'")
        page.focus("#games a")
        self.assertIn("No end yet.", page.text_content("#games"))
        self.permit(10_000)
        self.assertEqual(match.wait(60), 0)
        page.wait_for_function(
            "() => !document.getElementById('games').textContent.includes('No end yet.')", timeout=LONG
        )
        self.assertEqual(page.locator("#games tr").count(), 1)
        self.assertEqual(page.locator("#games td").count(), 3)
        self.assertEqual(page.locator("#games a[data-first=true]:focus").count(), 1)
        self.assertEqual(self.wrong, [])

    def test_a_match_serves_its_own_pages_until_its_end(self):
        match = self.match("--watch", stderr=subprocess.PIPE)
        line = match.stderr.readline()
        while "http://" not in line:
            self.assertNotEqual(line, "")
            line = match.stderr.readline()
        page = self.page
        page.goto(line.split()[-1])
        page.wait_for_selector("#games a", timeout=LONG)
        page.click("#games a")
        page.wait_for_selector("html[data-ready=true]", timeout=LONG)
        self.permit(10_000)
        page.wait_for_selector("html[data-over=true]", timeout=LONG)
        match.communicate(timeout=60)
        self.assertEqual(match.returncode, 0)
        self.assertEqual(self.wrong, [])


if __name__ == "__main__":
    unittest.main()
