"""A person at the page of `botyard play --browser` in a headless Chromium: wins games by clicks and by the
keyboard alone, with undo, hints and resignation, and shares the page with another person."""

import re
import signal
import unittest

from games import BOASTFUL
from playing import Playing

DRAUGHTS = ["draughts", "--as", "black", "--against", "random:seed=1", "--rule", "ballots=none", "--seed", "1"]
GRID = ["scotland-yard", "--rules", "grid-5x5-2", "--against", "random:seed=3", "--seed", "3"]
DICE = ["dice-wars", "--rule", "players=2", "--rule", "areas=6", "--against", "random:seed=1", "--seed", "4"]

# A point at which a click hits the element: an area of a map need not have its middle inside.
POINT = """(element) => {
  element.scrollIntoView({ block: "nearest" });
  const { left, top, width, height } = element.getBoundingClientRect();
  for (let step = 1; step < 400; step++) {
    // Points that fill the box evenly.
    const [x, y] = [left + width * ((step * 0.618034 + 0.5) % 1), top + height * ((step * 0.754878 + 0.5) % 1)];
    if (document.elementFromPoint(x, y)?.closest(".target") === element) return [x, y];
  }
  return null;
}"""

# What leads to the action of the hint: `place`, `choice`, or `done` if it was played.
STEP = """(number) => {
  const isDone = document.querySelectorAll("#log li").length > number || document.documentElement.dataset.phase !== "move";
  if (isDone) return "done";
  return document.querySelector(".targets .next.hinted") ? "place" : "choice";
}"""


class Play(Playing):
    def click(self, page, target):
        """Clicks a target of the board with the mouse."""
        point = page.locator(target).first.evaluate(POINT)
        self.assertIsNotNone(point, target)
        page.mouse.click(*point)

    def pick(self, page, place):
        self.click(page, f".targets [data-place='{place}']")

    def play_hints(self, page, play, ask=lambda page: page.click("#hint")):
        """Plays what the page's hint says until the game is over."""
        for _ in range(120):
            if self.phase(page, "move", "over") == "over":
                return
            number = page.locator("#log li").count()
            ask(page)
            page.wait_for_selector("#play-hint")
            play(page)
            self.decided(page, number)
        self.fail("the game has no end")

    def click_hint(self, page):
        """Clicks the places of the hint, one after the other, and then a choice if there is one."""
        number = page.locator("#log li").count()
        for _ in range(12):
            match page.evaluate(STEP, number):
                case "done":
                    return
                case "place":
                    self.click(page, ".targets .next.hinted")
                case "choice":
                    # What is no place, such as a ticket or the end of a turn.
                    page.click("#play-hint")

    def opening(self, text):
        (self.place / "opening.txt").write_text(text + "\n")
        return ["--opening", "opening.txt"]

    def test_draughts_is_won_by_a_jump_over_two_pieces(self):
        page = self.begin(*DRAUGHTS, *self.opening("B:W18,26:B15"), "--out", "out")
        self.phase(page, "move")
        self.assertEqual(page.locator(".targets .next").count(), 1)
        self.pick(page, 15)
        self.assertEqual(page.locator(".targets .next").get_attribute("data-place"), "22")
        self.accessible(page, "a picked piece")
        # The end of the jump is enough, and the picked piece can be put down again.
        self.pick(page, 15)
        self.pick(page, 15)
        self.pick(page, 22)
        self.pick(page, 31)
        self.phase(page, "over")
        self.assertIn("You win.", page.text_content("#result"))
        self.assertIn("15x22x31", " ".join(self.log(page)))
        with page.context.expect_page() as opened:
            page.click("#replay-link")
        replay = opened.value
        replay.wait_for_selector("html[data-ready=true]")
        self.assertIn("draughts", replay.text_content("#title"))
        self.assertEqual(len(list((self.place / "out").glob("*.ndjson"))), 1)
        self.fine(page)

    def test_the_end_of_a_jump_is_enough(self):
        page = self.begin(*DRAUGHTS, *self.opening("B:W18,26:B15"))
        self.phase(page, "move")
        self.pick(page, 15)
        self.pick(page, 31)
        self.phase(page, "over")
        self.assertIn("You win.", page.text_content("#result"))
        self.fine(page)

    def test_draughts_is_won_by_clicking_hints(self):
        page = self.begin(*DRAUGHTS, *self.opening("B:W32:BK14,K15,K18"))
        self.play_hints(page, self.click_hint)
        self.assertIn("You win.", page.text_content("#result"))
        self.fine(page)

    def test_scotland_yard_is_won_by_clicking_hints(self):
        page = self.begin(*GRID, "--as", "detectives")
        self.play_hints(page, self.click_hint)
        self.assertIn("You win.", page.text_content("#result"))
        self.fine(page)

    def test_dice_wars_is_won_by_clicking_hints(self):
        page = self.begin(*DICE, "--as", "player-1")
        self.phase(page, "move")
        self.click(page, ".targets .next")
        self.assertRegex(page.text_content("#choices"), r"attack area \d: \d against \d, won with \d+(\.\d+)?%")
        page.keyboard.press("Escape")
        self.play_hints(page, self.click_hint)
        self.assertIn("You win.", page.text_content("#result"))
        self.fine(page)

    def test_a_grid_is_played_by_the_keyboard_alone(self):
        page = self.begin(*GRID, "--as", "mr-x", "--rule", "limit=3")
        for _ in range(60):
            if self.phase(page, "move", "over") == "over":
                break
            number = page.locator("#log li").count()
            # Not every direction is legal, and some need a ticket.
            for key in ["ArrowUp", "d", "ArrowDown", "a"]:
                page.keyboard.press(key)
                if page.get_attribute("html", "data-phase") != "move":
                    break
                if page.locator("#choices button").count() and page.locator("#choices .note").count():
                    page.locator("#choices button").nth(1).focus()
                    page.keyboard.press("Enter")
                    break
            self.decided(page, number)
        self.phase(page, "over")
        self.assertIn("Over (", page.text_content("#result"))
        self.assertGreater(len(self.log(page)), 3)
        self.fine(page)

    def test_estimates_are_shown_on_request_where_nothing_is_hidden(self):
        for width, height in [(1280, 900), (390, 800)]:
            against = ["draughts", "--as", "black", "--against", "alpha-beta:depth=4,egdb=none", "--seed", "1"]
            page = self.begin(*against, width=width, height=height)
            self.phase(page, "move")
            self.assertFalse(page.is_visible("#estimates"))
            self.assertEqual(page.get_attribute("#estimate", "aria-pressed"), "false")
            page.keyboard.press("e")
            self.assertTrue(page.is_visible("#estimates"))
            for number in range(2):
                before = page.locator("#log li").count()
                page.click("#choices button >> nth=0")
                if page.get_attribute("html", "data-phase") == "move" and page.locator("#choices .note").count():
                    page.click("#choices button:not([data-pick='start again']) >> nth=0")
                self.decided(page, before + 1)
            self.assertRegex(page.text_content("#estimates"), r"alpha-beta.* \(white\): winning chance \d+% \(score -?\d+\.\d\d, decision \d+\)")
            value = int(page.get_attribute("#estimates .meter", "aria-valuenow"))
            self.assertIn(f"winning chance {value}%", page.text_content("#estimates"))
            self.assertRegex(page.get_attribute("#estimates .times", "aria-label"), rf"{value}% at decision \d+, from \d+% to \d+%")
            self.accessible(page, f"estimates, {width} wide")
            page.click("#estimate")
            self.assertFalse(page.is_visible("#estimates"))
            self.fine(page)
        for hidden in ([*GRID, "--as", "mr-x"], [*DRAUGHTS, "--rated"]):
            page = self.begin(*hidden)
            self.phase(page, "move")
            page.keyboard.press("e")
            self.assertFalse(page.is_visible("#estimate") or page.is_visible("#estimates"))

    def tab_to(self, page, selector):
        """Presses the tab key until what fits has the focus."""
        for _ in range(400):
            if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
                return
            page.keyboard.press("Tab")
        self.fail(f"the tab key does not reach {selector}")

    def test_whole_games_are_played_by_the_keyboard_alone(self):
        jump = [*DRAUGHTS, *self.opening("B:W32:BK14,K15,K18")]
        # What wins, if that can be made sure.
        for game, is_won in [
            (jump, True),
            ([*GRID, "--as", "detectives"], True),
            ([*DICE, "--as", "player-1"], True),
            (["connect-four", "--as", "yellow", "--against", "random:seed=1", "--seed", "2"], False),
            (["liars-dice", "--as", "player-1", "--against", "random:seed=1", "--seed", "2", "--rules", "one-die"], False),
        ]:
            page = self.begin(*game)

            def play(page):
                self.tab_to(page, "#play-hint")
                page.keyboard.press("Enter")

            with self.subTest(game[0]):
                self.play_hints(page, play, lambda page: page.keyboard.press("h"))
                self.assertIn("You win." if is_won else "Over (", page.text_content("#result"))
                # The next game, too.
                self.tab_to(page, "#again")
                page.keyboard.press("Enter")
                self.phase(page, "move")
                self.fine(page)

    def test_places_are_reached_by_the_tab_and_the_arrow_keys(self):
        page = self.begin(*DRAUGHTS)
        self.phase(page, "move")
        focused = "() => document.activeElement.getAttribute('data-place')"
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate(focused):
                break
        first = page.evaluate(focused)
        self.assertIsNotNone(first)
        page.keyboard.press("ArrowLeft")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        self.assertNotEqual(page.evaluate(focused), first)
        page.keyboard.press("Enter")
        # The focus is on the next place, which is picked by the space bar.
        self.assertTrue(page.evaluate("() => document.activeElement.matches('.target.next')"))
        page.keyboard.press(" ")
        self.decided(page, 2)
        self.assertEqual(len(self.log(page)), 3)
        self.assertTrue(page.evaluate("() => document.activeElement.matches('.target')"))
        page.keyboard.press("h")
        page.wait_for_selector("#play-hint")
        page.focus("#play-hint")
        page.keyboard.press("Enter")
        self.decided(page, 4)
        page.keyboard.press("u")
        page.wait_for_function("() => document.querySelectorAll('#log li').length === 3")
        page.keyboard.press("?")
        self.assertTrue(page.is_visible("#keys"))
        page.keyboard.press("Escape")
        self.assertFalse(page.is_visible("#keys"))
        self.fine(page)

    def test_undo_resignation_and_the_next_games(self):
        page = self.begin(*DRAUGHTS)
        self.phase(page, "move")
        self.assertTrue(page.is_disabled("#undo"))
        self.pick(page, 11)
        self.pick(page, 15)
        self.decided(page, 2)
        first = self.log(page)
        page.click("#undo")
        page.wait_for_function("() => document.querySelectorAll('#log li').length === 1")
        self.phase(page, "move")
        page.click("#choices button >> nth=0")
        page.click("#choices button:has-text('to ') >> nth=0")
        self.decided(page, 2)
        self.assertNotEqual(self.log(page), first)
        page.click("#resign")
        page.click("#no")
        self.phase(page, "move")
        page.click("#resign")
        page.click("#yes")
        self.phase(page, "over")
        self.assertIn("You lose. You have resigned.", page.text_content("#result"))
        page.click("#swap")
        page.wait_for_selector("#status:has-text('you are white')")
        self.assertGreaterEqual(len(self.log(page)), 2)
        page.click("#new")
        self.assertIn("left unfinished", page.text_content("#seats-note"))
        page.uncheck("#seat-boxes input[value=white]")
        page.click("#begin")
        self.assertIn("Choose at least one seat.", page.text_content("#seats-error"))
        page.check("#seat-boxes input[value=black]")
        page.click("#begin")
        page.wait_for_selector("#status:has-text('you are black')")
        self.fine(page)

    def test_a_reload_and_a_second_tab_show_the_same_game_and_the_end_of_the_server_is_said(self):
        page = self.begin(*DRAUGHTS)
        self.phase(page, "move")
        self.pick(page, 11)
        self.pick(page, 15)
        self.decided(page, 2)
        log = self.log(page)
        second = self.open()
        self.phase(second, "move")
        self.assertEqual(self.log(second), log)
        page.reload()
        self.phase(page, "move")
        self.assertEqual(self.log(page), log)
        second.locator("#choices button").first.click()
        second.locator("#choices button:has-text('to ')").first.click()
        self.decided(page, len(log) + 1)
        second.close()
        self.process.send_signal(signal.SIGINT)
        page.wait_for_selector("#notice:has-text('The server has ended')")
        self.assertEqual(page.text_content("#status"), "The game is left unfinished.")
        self.assertEqual(page.locator("#choices button, .targets").count(), 0)
        self.assertTrue(page.is_disabled("#undo") and page.is_disabled("#hint") and page.is_disabled("#resign"))
        self.assertEqual(self.process.wait(60), 1)
        self.assertEqual(self.process.stdout.read(), "the game is left unfinished\n")
        self.fine(page)

    def test_moves_of_bots_are_shown_one_after_the_other(self):
        rules = ["dice-wars", "--rule", "players=6", "--rule", "areas=20", "--seed", "4"]
        page = self.begin(*rules, "--as", "player-6", "--against", "random:seed=1", motion="no-preference")
        page.wait_for_function("() => document.querySelectorAll('#log li').length > 1")
        self.phase(page, "move", "over")
        log = self.log(page)
        self.assertGreater(len(log), 5)
        self.assertTrue(log[1].startswith("Turn 1."), log[:3])
        self.fine(page)

    def test_two_people_and_a_bot_play_at_one_table(self):
        seats = ["--as", "player-1", "--as", "player-2", "--against", "random:seed=1"]
        page = self.begin("dice-wars", "--rule", "players=3", "--rule", "areas=9", "--rule", "max_turns=20", "--seed", "4", *seats)
        asked = set()
        for _ in range(400):
            if self.phase(page, "move", "over") == "over":
                break
            asked.add(page.text_content("#status"))
            number = page.locator("#log li").count()
            # One of them attacks, the other one ends every turn.
            attacks = page.locator(".targets .next")
            if attacks.count() and "player-1" in page.text_content("#status"):
                self.click(page, ".targets .next")
                self.click(page, ".targets .next")
            else:
                page.click("#choices button:text-is('end the turn')")
            self.decided(page, number)
        self.phase(page, "over")
        self.assertEqual(asked, {"Your turn as player-1.", "Your turn as player-2."})
        self.assertIn("player-3", " ".join(self.log(page)))
        self.assertFalse(page.is_visible("#swap"))
        self.fine(page)

    def test_the_next_of_several_seats_is_taken(self):
        page = self.begin("dice-wars", "--rule", "players=3", "--as", "player-3", "--against", "random:seed=1", "--seed", "4")
        self.phase(page, "move", "over")
        if page.get_attribute("html", "data-phase") == "move":
            page.click("#resign")
            page.click("#yes")
        self.phase(page, "over")
        self.assertEqual(page.text_content("#swap"), "Play player-1")
        page.click("#swap")
        page.wait_for_selector("#status:has-text('you are player-1')")
        self.fine(page)

    def test_dice_are_moved_between_own_areas(self):
        rules = ["--rule", "players=2", "--rule", "areas=12", "--rule", "transfers=5"]
        page = self.begin("dice-wars", *rules, "--as", "player-1", "--against", "random:seed=1", "--seed", "4")
        self.phase(page, "move")
        places = page.eval_on_selector_all(".targets .next", "all => all.map((its) => its.dataset.place)")
        for place in places:
            self.pick(page, place)
            transfers = page.locator("#choices button", has_text="move dice to area")
            if transfers.count():
                break
            page.keyboard.press("Escape")
        to = re.search(r"\d+$", transfers.first.text_content())[0]
        dice = "(area) => document.querySelectorAll('#board text.dice')[area - 1].textContent"
        before = [int(page.evaluate(dice, int(area))) for area in (place, to)]
        self.pick(page, to)
        self.decided(page, 1)
        self.assertIn(f"player-1 moves dice from {place} to {to}.", " ".join(self.log(page)))
        moved = min(8 - before[1], before[0] - 1)
        after = [int(page.evaluate(dice, int(area))) for area in (place, to)]
        self.assertEqual(after, [before[0] - moved, before[1] + moved])
        self.fine(page)

    def test_a_double_move_is_played_on_the_map_of_london(self):
        page = self.begin("scotland-yard", "--as", "mr-x", "--against", "random:seed=1", "--seed", "5")
        self.phase(page, "move")
        double = ".tickets tr:has(th:text-is('Mr. X')) td:last-child"
        left = int(page.text_content(double))
        self.click(page, ".targets .next")
        page.click("#choices button:text-is('taxi, first step of a double move')")
        page.wait_for_function("() => document.querySelectorAll('#log li').length > 1")
        self.phase(page, "move")
        # The second step is his as well.
        self.assertEqual(len(self.log(page)), 2)
        self.assertIn("first half of a double move", self.log(page)[1])
        self.assertFalse(any("double" in text for text in page.locator("#choices button").all_text_contents()))
        self.click(page, ".targets .next")
        if page.get_attribute("html", "data-phase") == "move" and page.locator("#choices .note").count():
            page.click("#choices button:text-is('taxi')")
        self.decided(page, 2)
        log = self.log(page)
        self.assertTrue("Mr. X: " in log[2] and "Detective 1" in " ".join(log[3:]), log)
        self.assertEqual(int(page.text_content(double)), left - 1)
        self.fine(page)

    def test_a_game_is_won_on_the_map_of_london(self):
        page = self.begin("scotland-yard", "--as", "mr-x", "--against", "random:seed=1", "--seed", "5", "--rule", "limit=3")
        self.play_hints(page, self.click_hint)
        self.assertIn("You win.", page.text_content("#result"))
        self.assertIn("survived", page.text_content("#result"))
        self.fine(page)

    def test_what_bots_say_is_in_the_log_unless_it_could_reveal_something(self):
        rules = ["draughts", "--as", "black", "--rule", "ballots=none", "--seed", "1", "--against", f"b={BOASTFUL}"]
        page = self.begin(*rules)
        self.phase(page, "move")
        for number in [2, 4]:
            page.click("#choices button >> nth=0")
            page.click("#choices button:has-text('to ') >> nth=0")
            self.decided(page, number)
        remarks = page.locator("#log .remark").all_text_contents()
        self.assertEqual(len(remarks), 3)
        self.assertTrue(remarks[0].startswith('"<img src=x onerror=alert(1)>'), remarks)
        self.assertIn("says: <img src=x onerror=alert(1)>", remarks[1])
        self.assertNotIn("\u202e", "".join(remarks))
        self.assertEqual(page.locator("#log img, #log script").count(), 0)
        page.reload()
        self.phase(page, "move")
        self.assertEqual(page.locator("#log .remark").all_text_contents(), remarks)
        self.fine(page)
        for arguments in [[*rules, "--rated"], ["scotland-yard", "--rules", "grid-5x5-2", "--seed", "3", "--against", f"b={BOASTFUL}", "--as", "detectives"]]:
            page = self.begin(*arguments)
            self.phase(page, "move")
            for _ in range(2):
                number = page.locator("#log li").count()
                self.play_first(page)
                self.decided(page, number)
            self.assertEqual(page.locator("#log .remark").count(), 0)
            self.assertNotIn("onerror", page.content())
            self.fine(page)

    def test_two_people_share_the_page(self):
        page = self.begin("scotland-yard", "--as", "mr-x", "--as", "detectives", "--rules", "grid-5x5-2", "--seed", "3")
        self.phase(page, "curtain")
        self.assertIn("Hand over to mr-x", page.text_content("#curtain"))
        self.assertFalse(page.is_visible("#board") or page.is_visible("#zoom"))
        self.accessible(page, "a curtain")
        page.click("#look")
        self.phase(page, "move")
        self.assertTrue(page.is_visible("#board .pawn.mr-x"))
        self.play_first(page)
        self.phase(page, "curtain")
        self.assertEqual(page.locator("#board *").count() + page.locator("#log li").count(), 0)
        page.click("#look")
        self.phase(page, "move")
        self.assertIn("as detectives", page.text_content("#status"))
        self.fine(page)

    def play_first(self, page):
        """Picks the first of the choices until a decision is made."""
        for _ in range(5):
            if page.get_attribute("html", "data-phase") != "move":
                return
            page.locator("#choices button:not([data-pick='start again'])").first.click()

    def test_the_seat_is_chosen_on_the_page_and_games_without_a_board_have_a_list(self):
        for game in ["connect-four", "liars-dice"]:
            page = self.begin(game, "--against", "random:seed=1", "--seed", "2")
            self.phase(page, "choose")
            self.accessible(page, f"the choice of a seat of {game}")
            page.locator("#choose-seats button").first.click()
            for _ in range(60):
                if self.phase(page, "move", "over") == "over":
                    break
                number = page.locator("#log li").count()
                page.locator("#choices button").last.click()
                self.decided(page, number)
            self.phase(page, "over")
            self.assertTrue(page.is_visible("#again"))
            self.accessible(page, f"the end of {game}")
            self.fine(page)

    def test_a_station_of_london_and_its_ticket_are_picked_on_a_phone(self):
        page = self.begin("scotland-yard", "--as", "mr-x", "--against", "random:seed=1", "--seed", "5",
                          width=390, height=844, scheme="dark", touch=True)
        self.phase(page, "move")
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
        self.accessible(page, "London on a phone")
        self.click(page, ".targets .next")
        tickets = page.locator("#choices button").all_text_contents()
        self.assertIn("black ticket", tickets)
        self.assertTrue(any("first step of a double move" in ticket for ticket in tickets), tickets)
        page.tap("#choices button:text-is('black ticket')")
        self.decided(page, 2)
        self.assertIn("Mr. X: black to", " ".join(self.log(page)))
        self.fine(page)

    def test_every_game_is_accessible_in_both_themes(self):
        for game in [DRAUGHTS, [*GRID, "--as", "detectives"], [*DICE, "--as", "player-1"]]:
            self.start(*game)
            for scheme in ["light", "dark"]:
                page = self.open(scheme=scheme)
                self.phase(page, "move")
                self.accessible(page, f"{game[0]}, {scheme}")
                page.click("#new")
                self.accessible(page, f"{game[0]}, {scheme}, seats")
            self.fine(page)


if __name__ == "__main__":
    unittest.main()
