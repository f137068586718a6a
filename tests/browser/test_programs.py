"""Games whose rules are programs, in a headless Chromium: a person wins tic-tac-toe and Hex by clicks on their drawings
and plays a game with hidden cards, on a phone and a desktop, in dark and light; and what has no drawing is readable."""

import json
import subprocess
import unittest
from urllib.request import urlopen

from games import BOTYARD, REPOSITORY, first, run
from playing import Playing

PHONE = {"width": 390, "height": 844, "scheme": "dark", "touch": True}
DESKTOP = {"width": 1280, "height": 800, "scheme": "light"}
GAMES = REPOSITORY / "tests" / "games"
BOT = "random:seed=1"

# Whether the two text colours of the page and the drawing are the same, and the drawing is in its box.
SHOWN = """() => {
  const drawing = document.querySelector("#board > svg.drawn");
  const [board, box] = [document.getElementById("board"), drawing.getBoundingClientRect()].map((it) => it.getBoundingClientRect?.() ?? it);
  const isInside = box.left >= board.left - 1 && box.right <= board.right + 1 && box.width > 200;
  return [getComputedStyle(drawing).fill === getComputedStyle(document.body).color, isInside];
}"""


class Programs(Playing):
    def pick(self, page, name):
        """Clicks a place of the drawing, and waits until the person is asked again."""
        number = page.locator("#log li").count()
        page.locator(f".drawn [role=button][aria-label='{name}']").click()
        return self.decided(page, number)

    def sent(self):
        """What the server sends to a page until it is shown: the events' data by their names, and as text."""
        events, text = {}, ""
        with urlopen(f"{self.address}events", timeout=60) as stream:
            for line in stream:
                name, _, value = line.decode().strip().partition(": ")
                text += value
                if name == "event":
                    event = value
                elif name == "data":
                    events[event] = json.loads(value)
                    if event == "state":
                        return events, text

    def leave(self, page):
        page.context.close()
        self.process.kill()

    def win(self, page, lines):
        """Picks places until the person has won: always of the line with the most places of the person that no other has."""
        free = lambda: {its.get_attribute("aria-label") for its in page.locator(".drawn [role=button]").all()}
        own, at_first = set(), free()
        while self.phase(page, "move", "over") == "move":
            now = free()
            taken = at_first - now - own
            line = max((line for line in lines if not set(line) & taken), key=lambda line: len(own & set(line)), default=now)
            place = sorted(set(line) & now)[0]
            own.add(place)
            self.pick(page, place)
        self.assertIn("You win.", page.text_content("#result"))

    def test_tic_tac_toe_is_won_by_clicks_on_a_phone_and_a_desktop(self):
        rows = ["top left,top,top right", "left,middle,right", "bottom left,bottom,bottom right"]
        rows = [row.split(",") for row in rows]
        lines = [*rows, *map(list, zip(*rows)), [rows[at][at] for at in range(3)], [rows[at][2 - at] for at in range(3)]]
        for options in (PHONE, DESKTOP):
            page = self.begin(GAMES / "noughts", "--as", "x", "--against", BOT, "--seed", "1", **options)
            self.phase(page, "move")
            self.assertEqual(page.locator(".drawn [role=button]").count(), 9)
            self.assertEqual(page.evaluate(SHOWN), [True, True])
            self.accessible(page, "the first move")
            self.win(page, lines)
            self.assertIn("x: ", " ".join(self.log(page)))
            self.assertEqual(page.locator(".drawn [role=button]").count(), 0)
            self.accessible(page, "the end")
            self.fine(page)
            with page.context.expect_page() as opened:
                page.click("#replay-link")
            opened.value.wait_for_selector("html[data-ready=true]")
            self.assertEqual(opened.value.locator("#board > svg.drawn > :not(.marks)").count(), 10)
            self.leave(page)

    def test_hex_is_played_by_keys_and_won_by_clicks(self):
        columns = [[f"{column}{row}" for row in (1, 2, 3)] for column in "abc"]
        for options in (DESKTOP | {"scheme": "dark"}, PHONE | {"scheme": "light"}):
            page = self.begin(GAMES / "hex", "--rules", "small", "--as", "red", "--against", BOT, "--seed", "1", **options)
            self.phase(page, "move")
            page.click("summary:text('The position in words')")
            self.assertEqual(page.locator("table.grid td").all_text_contents(), ["."] * 9)
            self.accessible(page, "Hex")
            # From the first place to its neighbour, which is picked, and whose focus ring has its shape.
            page.locator(".drawn [role=button]").first.focus()
            page.keyboard.press("ArrowRight")
            focused = page.evaluate("document.activeElement.getAttribute('aria-label')")
            self.assertEqual(focused, "b1")
            self.assertEqual(page.locator(".drawn .ring polygon").count(), 1)
            page.keyboard.press("Enter")
            self.decided(page, 1)
            page.click("#undo")
            page.wait_for_function("() => document.querySelectorAll('#log li').length === 1")
            self.phase(page, "move")
            self.win(page, columns)
            self.fine(page)
            self.leave(page)

    def test_a_hidden_card_is_seen_by_its_seat_alone(self):
        place = self.place / "poker"
        place.mkdir()
        (place / "game.py").write_text((GAMES / "poker.py").read_text())
        (place / "game.toml").write_text('name = "poker"\nabout = "A test"\nrun = "python3 game.py none"\n')
        for options in (PHONE, DESKTOP):
            page = self.begin(place, "--as", "left", "--against", BOT, "--seed", "1", "--out", "out", **options)
            self.phase(page, "move")
            events, sent = self.sent()
            self.assertEqual([its["key"] for its in events["game"]["about"]["perspectives"]], ["left"])
            while self.phase(page, "move", "over") == "move":
                number = page.locator("#log li").count()
                drawn = page.text_content("#board > svg.drawn")
                page.click("#choices button:text-is('bet')")
                self.decided(page, number)
            self.accessible(page, "the end of the hidden game")
            self.fine(page)
            replay = first(self.place / "out")
            hands = json.loads(replay.read_text().splitlines()[1])["outcome"]["hands"]
            self.assertEqual(drawn, str(hands["left"]))
            card = lambda seat: json.dumps(["text", {}, str(hands[seat])], separators=(",", ":"))
            self.assertIn(card("left"), sent)
            self.assertNotIn(card("right"), sent)
            self.leave(page)
            replay.unlink()

    def test_a_game_without_a_drawing_is_readable_and_played_by_buttons(self):
        page = self.begin(GAMES / "kuhn-poker", "--as", "left", "--against", BOT, "--seed", "1", **PHONE)
        self.phase(page, "move")
        self.assertRegex(page.inner_text("#board"), r"^bets\s+none\s+card\s+[JQK]$")
        self.assertEqual(page.locator("#choices button").all_text_contents(), ["pass", "bet"])
        self.accessible(page, "views without a drawing")
        page.click("#choices button:text-is('bet')")
        self.phase(page, "over")
        self.assertEqual(page.locator("#log li").last.text_content()[:9], "Turn 2. r")
        self.fine(page)

    def test_many_actions_are_searched_and_unlisted_ones_typed(self):
        page = self.begin(GAMES / "hex", "--rule", "size=9", "--as", "red", "--against", BOT, "--seed", "1", **DESKTOP)
        self.phase(page, "move")
        self.assertEqual(page.locator("#choices button").count(), 81)
        page.fill("#search", "i")
        self.assertEqual(page.locator("#choices button").count(), 9)
        self.accessible(page, "a search")
        page.click("#choices button:text-is('i9')")
        self.phase(page, "move")
        self.fine(page)
        self.leave(page)
        page = self.begin(REPOSITORY / "examples/games/connect6", "--rule", "size=7", "--as", "black", "--as", "white", **PHONE)
        self.phase(page, "move")
        page.fill("#action", "[1, 2]")
        page.click("#choices button:text-is('Play')")
        page.wait_for_selector("#notice:has-text('expected a list of 1 different points')")
        self.assertEqual(self.wrong.pop().split(" of ")[0], "console: error: Failed to load resource: the server responded with a status")
        page.fill("#action", "[24]")
        page.press("#action", "Enter")
        page.wait_for_function("() => document.querySelectorAll('#log li').length === 2")
        self.accessible(page, "a typed action")
        self.fine(page)

    def test_a_recorded_game_is_drawn_forwards_and_backwards(self):
        run("match", GAMES / "hex", BOT, "random:seed=2", "--seed", "1", "--out", self.place / "out")
        page_file = self.place / "hex.html"
        run("replay", "view", "--game", GAMES / "hex", first(self.place / "out"), "-o", page_file)
        self.address = f"file://{page_file}"
        page = self.open(**DESKTOP)
        stones = lambda: page.locator("#board > svg.drawn > polygon:not([data-action])").count()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('3 ')")
        self.assertEqual(stones(), 3)
        page.keyboard.press("ArrowLeft")
        page.wait_for_function("() => document.querySelector('#count').textContent.startsWith('2 ')")
        self.assertEqual(stones(), 2)
        self.accessible(page, "a recorded game of a program")
        page.context.close()
        # The same game on the page that follows games.
        command = [BOTYARD, "watch", self.place / "out", "--game", GAMES / "hex"]
        watch = subprocess.Popen(command, text=True, stdout=subprocess.PIPE)
        self.addCleanup(lambda: (watch.kill(), watch.communicate()))
        self.requests.clear()
        self.address = watch.stdout.readline().strip()
        page = self.open(**DESKTOP)
        page.click("table a")
        page.wait_for_selector("#board > svg.drawn polygon:not([data-action])")
        self.fine(page)


if __name__ == "__main__":
    unittest.main()
