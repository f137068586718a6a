"""What a teacher and a student do in a term, by clicks from the first page: in the class of the demonstration, people
are changed one by one, events are made and edited, grades are released, and questions are answered."""

import unittest

from axe_playwright_python.sync_playwright import Axe
from site_class import ClassInBrowser

PASSWORD = "demonstration"
TEACHER, STUDENT = "9002", "1001"


class Wishes(ClassInBrowser):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.people = {account: cls.signed_in(account) for account in [TEACHER, STUDENT]}

    @classmethod
    def signed_in(cls, account):
        context = cls.browser.new_context(viewport={"width": 1280, "height": 900}, base_url=cls.server.address)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.goto("/login")
        page.fill("#account", account)
        page.fill("#password", PASSWORD)
        page.press("#password", "Enter")
        page.wait_for_url("**/")
        return page

    def open(self, page, *links):
        """Follows links of the event that is open, by their words: the first one in the navigation."""
        page.get_by_role("navigation").get_by_role("link", name="Liar's Dice").click()
        page.get_by_role("navigation").get_by_role("link", name=links[0], exact=True).click()
        for link in links[1:]:
            page.get_by_role("main").get_by_role("link", name=link).first.click()
        page.wait_for_load_state()
        return page.get_by_role("main")

    def press(self, page, button, **fields):
        """Fills the form of a button, by the names of its fields, and presses it."""
        form = page.locator("main form", has=page.get_by_role("button", name=button)).first
        for name, value in fields.items():
            field = form.locator(f"[name='{name}']")
            if field.first.evaluate("field => field.tagName") == "SELECT":
                field.select_option(label=value)
            elif field.first.get_attribute("type") == "radio":
                form.get_by_label(value).check()
            else:
                field.fill(value)
        form.get_by_role("button", name=button).click()
        page.wait_for_load_state()
        return page.get_by_role("main")

    def is_accessible(self, page):
        rules = Axe().run(page).response["violations"]
        found = [f"{rule['id']}: {node['html'][:200]}" for rule in rules for node in rule["nodes"]]
        self.assertEqual(found, [], page.url)

    def test_a_person_is_added_moved_locked_removed_taken_back_and_deleted(self):
        page = self.people[TEACHER]
        self.open(page, "Roster")
        main = self.press(page, "Add", name="Zed Zander", student_id="1999", team="Anemones")
        self.assertIn("Zed Zander is in the class", main.inner_text())
        main = self.open(page, "Roster", "Change Zed Zander")
        main = self.press(page, "Save", team="Bluebells")
        self.assertIn("team from Anemones to Bluebells", main.inner_text())
        main = self.press(page, "Lock the account", reason="spam")
        self.assertIn("locked", main.inner_text())
        self.press(page, "Unlock the account", reason="a mistake")
        self.assertIn("The new join code of Zed Zander", self.press(page, "New join code").inner_text())
        self.open(page, "Roster", "Change Zed Zander")
        self.press(page, "Remove", reason="left", history="Keep name and history")
        self.is_accessible(page)
        self.open(page, "Roster", "Zed Zander")
        self.is_accessible(page)
        main = self.press(page, "Take back into the class", team="Anemones")
        self.assertIn("state from removed to in the class", main.inner_text())
        self.press(page, "Remove", reason="asked for it", history="Delete the personal data")
        self.assertNotIn("Zed", self.open(page, "Roster").inner_text())
        main = self.open(page, "Audit")
        page.fill("[name=text]", "asked for it")
        page.get_by_role("button", name="Search").click()
        self.assertRegex(main.inner_text(), r"(?s)1 entry.*Person \d+, with the personal data deleted")
        with page.expect_download() as download:
            main.get_by_role("link", name="CSV").click()
        self.assertNotIn("Zed", download.value.path().read_text())

    def test_an_import_of_a_roster_is_shown_made_and_undone(self):
        page = self.people[TEACHER]
        self.open(page, "Roster")
        roster = "student_id,name,group,team\n1001,Ada Almeida,Friday,Anemones\n1990,New Person,Friday,Anemones\n"
        page.set_input_files("#file", {"name": "roster.csv", "mimeType": "text/csv", "buffer": roster.encode()})
        page.get_by_role("button", name="Show what changes").click()
        page.get_by_text("Nothing is stored yet").wait_for()
        page.get_by_role("button", name="Import").click()
        page.get_by_text("Imported: 1 added, 1 changed").wait_for()
        main = self.press(page, "Undo the import", reason="the wrong file")
        self.assertIn("The import was undone", main.inner_text())
        self.assertNotIn("New Person", main.inner_text())

    def test_an_event_is_copied_edited_opened_ordered_and_closed_and_a_change_of_games_asks(self):
        page = self.people[TEACHER]
        self.open(page, "Events")
        self.press(page, "Make the event", title="Cup", slug="cup", **{"from": "a copy of Liar's Dice"})
        main = self.press(page, "Save the settings", **{"time.move_ms": "500"})
        self.assertIn("A draft", main.inner_text())
        self.assertIn("move_ms = 500", main.locator("textarea").input_value())
        self.is_accessible(page)
        self.press(page, "Open the event")
        self.open(page, "Events")
        page.locator("tr", has_text="Cup").get_by_role("link", name="edit").click()
        self.press(page, "Move it before the one above")
        titles = self.open(page, "Events").locator("tbody th").all_inner_texts()
        self.assertEqual(titles, ["Connect Four", "Cup", "Liar's Dice"])
        page.locator("tr", has_text="Cup").get_by_role("link", name="edit").click()
        self.press(page, "Close the event")
        self.assertIn("closed", page.locator("tr", has_text="Cup").inner_text())
        # A closed event takes no versions, and says so.
        student = self.people[STUDENT]
        self.open(student, "Cup")
        student.get_by_role("navigation").get_by_role("link", name="My team").click()
        self.assertIn("Cup is closed", student.get_by_role("main").inner_text())
        self.assertEqual(student.locator("#file").count(), 0)
        # A change of the games of Liar's Dice, which has some.
        self.open(page, "Events")
        page.locator("tr", has_text="Liar's Dice").get_by_role("link", name="edit").click()
        main = self.press(page, "Save the settings", **{"time.move_ms": "700"})
        self.assertRegex(main.inner_text(), r"This ends event \d+ with .* games")
        self.is_accessible(page)
        self.press(page, "Begin a new event", reason="a shorter clock")
        page.locator("section:has(#past) a").first.click()
        page.wait_for_load_state()
        self.assertIn("/event/past/", page.url)
        self.is_accessible(page)

    def test_grades_by_hand_are_frozen_released_seen_and_hidden(self):
        page, student = self.people[TEACHER], self.people[STUDENT]
        self.open(page, "Connect Four")
        page.get_by_role("navigation").get_by_role("link", name="Grades").click()
        main = self.press(page, "Give the points", whom="Ada Almeida (1001)", points="2.5", reason="a fine report")
        self.assertNotRegex(main.inner_text(), r"\s-0\s")
        main = self.press(page, "Freeze these grades")
        self.assertIn("Grades of Connect Four", main.inner_text())
        self.is_accessible(page)
        address = page.url
        own = lambda: self.open(student, "My grades").inner_text()
        self.assertNotIn("a fine report", own())
        self.press(page, "Show students their own row", reason="all have theirs")
        self.assertIn("by hand: a fine report", own())
        self.assertIn("Connect Four: ", own())
        page.goto(address)
        self.press(page, "Hide them from students", reason="a mistake")
        self.assertNotIn("a fine report", own())
        page.get_by_role("link", name="All grades").click()
        self.press(page, "Take back", reason="given to the wrong one")

    def test_announcements_questions_and_the_zone(self):
        page, student = self.people[TEACHER], self.people[STUDENT]
        self.open(page, "Announcements")
        self.press(page, "Post it", title="Another room", text="Today in **B 12**.")
        self.assertIn("B 12", self.open(student, "Announcements").inner_text())
        self.open(page, "Announcements", "Change or withdraw")
        self.press(page, "Change it", text="Today in **B 13**.")
        self.assertIn("B 13", self.open(student, "Announcements").inner_text())
        self.open(page, "Announcements", "Change or withdraw")
        self.press(page, "Withdraw it", reason="it was wrong")
        self.assertNotIn("B 13", self.open(student, "Announcements").inner_text())
        self.open(student, "Questions")
        self.press(student, "Ask", text="May a bot use threads?")
        self.open(page, "Questions")
        question = page.locator("section", has_text="May a bot use threads?")
        question.locator("textarea").fill("As many as its processes allow.")
        question.get_by_role("button", name="Answer").click()
        self.assertIn("As many as its processes", self.open(student, "Questions").inner_text())
        self.open(page, "Settings")
        main = self.press(page, "Set the time zone", zone="Europe/Berlin", reason="where the course is")
        self.assertIn("Europe/Berlin", main.inner_text())

    def test_the_board_is_frozen_and_shown_and_a_deadline_is_set_and_extended(self):
        page, student = self.people[TEACHER], self.people[STUDENT]
        self.open(page, "Event")
        self.press(page, "Freeze the board", reason="the last days")
        self.assertIn("The board is frozen", self.open(student, "Standings").inner_text())
        self.open(page, "Event")
        self.press(page, "Show the live board", reason="a mistake")
        self.assertNotIn("The board is frozen", self.open(student, "Standings").inner_text())
        self.open(page, "Deadline")
        self.assertNotEqual(page.input_value("#until"), "", "the deadline in force is in the field")
        self.press(page, "Set the deadline", until="2199-01-01T12:00", reason="more time")
        self.press(page, "Extend", team="Anemones", until="2199-02-01T12:00", reason="was ill")
        self.assertIn("2199", self.open(student, "Home").locator("#deadline + p").inner_text())
        self.assertIn("2199-02-01", self.open(student, "Event").inner_text())


if __name__ == "__main__":
    unittest.main()
