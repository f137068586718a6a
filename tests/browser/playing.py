"""Pages on which a person plays, in a headless Chromium: what the tests of built-in games and of programs share."""

import os
import subprocess
import tempfile
import unittest
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from games import BOTYARD
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
LONG = 120_000


class Playing(unittest.TestCase):
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
        place = tempfile.TemporaryDirectory(prefix="botyard-play.")
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)
        # Bots may run as another user.
        self.place.chmod(0o755)
        self.wrong = []
        self.requests = []

    def start(self, *arguments):
        # Without a sandbox, root runs the program of a game as another user, who may not reach a Python below /root.
        sandbox = "auto" if isinstance(arguments[0], Path) else "none"
        conditions = ["--sandbox", sandbox, "--move-time", "60000"]
        command = [BOTYARD, "play", "--browser", *map(str, arguments), *conditions]
        process = subprocess.Popen(command, text=True, stdout=subprocess.PIPE, cwd=self.place)

        def end():
            process.kill()
            process.communicate()

        self.addCleanup(end)
        self.requests.clear()
        self.process = process
        self.address = process.stdout.readline().strip()
        self.assertRegex(self.address, r"^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/$")

    def open(self, motion="reduce", width=1280, height=900, scheme="light", touch=False):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion=motion, color_scheme=scheme, has_touch=touch
        )
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(LONG)
        page.on("console", lambda message: self.wrong.append(f"console: {message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda request: self.requests.append(request.url))
        page.goto(self.address)
        page.wait_for_selector("html[data-ready=true]")
        return page

    def begin(self, *arguments, **options):
        self.start(*arguments)
        return self.open(**options)

    def phase(self, page, *phases):
        """Waits until the page is in one of these phases; returns it."""
        page.wait_for_selector(",".join(f"html[data-phase={phase}]" for phase in phases))
        return page.get_attribute("html", "data-phase")

    def log(self, page):
        return page.locator("#log li").all_text_contents()

    def decided(self, page, number):
        """Waits until the log has more entries, and the person is asked again or the game is over."""
        page.wait_for_function("(number) => document.querySelectorAll('#log li').length > number", arg=number)
        return self.phase(page, "move", "over")

    def fine(self, page):
        self.assertEqual(self.wrong, [])
        self.assertEqual([url for url in self.requests if not url.startswith(self.address)], [])

    def accessible(self, page, what):
        found = Axe().run(page).response["violations"]
        said = [(its["id"], its["help"], [node["html"][:200] for node in its["nodes"][:3]]) for its in found]
        self.assertEqual(said, [], what)
