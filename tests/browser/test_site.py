"""The site of a class in a headless Chromium, from an empty directory to grades: an administrator sets up a class of
twelve, students submit and see why they are refused, the ladder runs, the deadline passes, the final is played and
released in steps. Every page is checked for accessibility, widths and colours."""

import csv
import hashlib
import io
import math
import os
import re
import shutil
import signal
import sqlite3
import time
import unittest
import zipfile
from pathlib import Path

from axe_playwright_python.sync_playwright import Axe
from games import run
from site_class import ARCHIVES, EVENT, MARKUP, ROSTER, STUDENTS, ClassInBrowser, Server, bot

SCREENSHOTS = os.environ.get("SCREENSHOTS")
WIDTHS = {390: 844, 1280: 900}
PASSWORD = "correct horse battery"
PATIENCE = 150
GATE, REFERENCE, PLACES, CAP = 40, 10, 40, 85


class Site(ClassInBrowser):
    options = []

    @classmethod
    def prepare(cls):
        (cls.place / "class").mkdir()
        (cls.place / "class" / "event.toml").write_text(EVENT)
        cls.wrong, cls.shown = [], set()

    def visitor(self):
        """The page of somebody with a browser of their own."""
        context = self.browser.new_context(viewport={"width": 1280, "height": 900}, base_url=self.server.address)
        self.addCleanup(context.close)
        page = context.new_page()
        page.set_default_timeout(30_000)
        wrong = self.wrong
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: (wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.on("request", lambda request: request.url.startswith((self.server.address, "data:", "blob:"))
                or wrong.append(f"request: {request.url}"))
        return page

    def signed_in(self, account):
        page = self.visitor()
        page.goto("/login")
        page.fill("#account", account)
        page.fill("#password", PASSWORD)
        page.press("#password", "Enter")
        page.wait_for_url("**/")
        return page

    def submit(self, page, content):
        """Submits an archive, and returns the address that follows."""
        page.goto("/team")
        page.set_input_files("#file", {"name": "bot.zip", "mimeType": "application/zip", "buffer": content})
        with page.expect_navigation():
            page.get_by_role("button", name="Submit").click()
        return page.url

    def wait(self, what, done, patience=PATIENCE):
        end = time.monotonic() + patience
        while not (found := done()):
            self.assertLess(time.monotonic(), end, f"{what} takes too long: {found!r}")
            time.sleep(0.3)
        return found

    def status(self, page, address):
        return page.request.get(self.server.address + address, max_redirects=0).status

    def look(self, page, *addresses):
        """Checks pages at every width and in every scheme."""
        for address in addresses:
            page.goto(address)
            for width, height in WIDTHS.items():
                page.set_viewport_size({"width": width, "height": height})
                for scheme in ["light", "dark"]:
                    page.emulate_media(color_scheme=scheme)
                    wide = page.evaluate("document.documentElement.scrollWidth")
                    self.assertLessEqual(wide, width, f"{address}, {width}")
                    if (width, scheme) in [(390, "light"), (1280, "dark")]:
                        self.is_accessible(page, f"{address}, {width}, {scheme}")
                    if SCREENSHOTS:
                        name = re.sub(r"\W+", "-", address).strip("-") or "home"
                        path = Path(SCREENSHOTS) / f"{name}-{width}-{scheme}.png"
                        page.screenshot(path=path, full_page=True)
            page.set_viewport_size({"width": 1280, "height": 900})
            self.shown.add(address)

    def is_accessible(self, page, what):
        results = Axe().run(page)
        found = [
            f"{rule['id']}: {node['html'][:200]}" for rule in results.response["violations"] for node in rule["nodes"]
        ]
        self.assertEqual(found, [], what)

    def test_a_class_from_an_empty_directory_to_grades(self):
        admin = self.sets_up()
        self.people_join(admin)
        students = {team: self.signed_in(number) for number, _, _, team in reversed(STUDENTS)}
        first = self.students_submit(students)
        self.ladder_runs(admin, students, first)
        self.a_person_plays(students)
        second = self.version_replaces(students)
        self.a_version_is_held(admin, second)
        self.a_program_submits(students)
        self.games_are_rejudged(admin)
        self.nothing_is_seen_by_guessing(students, first)
        self.deadline_passes(admin, students)
        self.final_is_released(admin, students)
        self.grades_are_right(admin)
        self.backup_is_whole()
        self.archive_has_pages()
        self.kill_loses_nothing()
        self.assertEqual(self.wrong, [])

    def sets_up(self):
        admin = self.visitor()
        link = self.server.link()
        # The keyboard alone suffices: the first link leads over the navigation.
        admin.goto(link)
        for key in ["Tab", "Enter", "Tab"]:
            admin.keyboard.press(key)
        self.assertEqual(admin.evaluate("document.activeElement.id"), "email")
        admin.keyboard.type("root@example.org")
        admin.keyboard.press("Tab")
        admin.keyboard.type(PASSWORD)
        admin.keyboard.press("Enter")
        admin.wait_for_url("**/")
        admin.get_by_role("link", name="Import the roster").click()
        admin.wait_for_url("**/roster")
        roster = {"name": "roster.csv", "mimeType": "text/csv", "buffer": ROSTER.encode()}
        admin.set_input_files("#file", roster)
        admin.get_by_role("button", name="Show what changes").click()
        admin.get_by_text("Nothing is stored yet").wait_for()
        self.is_accessible(admin, "the preview of a roster")
        admin.get_by_role("button", name="Import").click()
        admin.get_by_text("Imported: 15 added").wait_for()
        admin.goto(link)
        self.assertIn("once", admin.content())
        return admin

    def people_join(self, admin):
        self.look(admin, "/roster/codes")
        codes = admin.locator(".slips .code").all_inner_texts()
        self.assertEqual(len(codes), 15)
        for code in codes:
            joining = self.visitor()
            joining.goto("/join")
            joining.fill("#code", code.lower())
            joining.fill("#password", PASSWORD)
            joining.press("#password", "Enter")
            joining.wait_for_url("**/")
            joining.context.close()
        self.look(self.visitor(), "/login", "/join")
        self.look(admin, "/roster")
        self.assertEqual(admin.locator(".results img").count(), 0)
        self.assertIn(MARKUP, admin.inner_text("main"))

    def students_submit(self, students):
        """Everyone submits, and sees why."""
        addresses = {team: self.submit(students[team], content) for team, content in ARCHIVES.items()}
        for team, expected in [
            ("large", "The file has more than 20 MiB."),
            ("bomb", "Not accepted: the archive unpacks to more than 100 MiB."),
            ("link", "secret is a link or a device: send files and directories alone"),
        ]:
            self.assertIn(expected, students[team].inner_text("main"), team)
        for team, expected in [
            ("red", "plays"),
            ("blue", "plays"),
            ("green", "plays"),
            ("broken build", "rejected"),
            ("slow", "rejected"),
            ("crash", "rejected"),
            ("cheat", "rejected"),
        ]:
            page = students[team]
            # The log grows while it is looked at, without reloading.
            page.goto(addresses[team])
            self.wait(f"the verdict on {team}", lambda: page.inner_text("#state") == expected)
        for team, words in [
            ("broken build", ["build failed", "missing.py"]),
            ("slow", ["failed"]),
            ("crash", ["KeyError"]),
            ("cheat", ["illegal"]),
        ]:
            students[team].goto(addresses[team])
            text = students[team].inner_text("main")
            for word in words:
                self.assertIn(word, text, team)
        log = students["red"].inner_text("#log")
        for line in ["$ botyard build version-1", "$ botyard check version-1 --game connect-four", "gate of the event"]:
            self.assertIn(line, log)
        return addresses

    def ladder_runs(self, admin, students, first):
        page = students["red"]
        page.goto("/standings")
        # It follows the games by itself.
        games = lambda: int(re.match(r"([\d,]+)", page.inner_text("#time").replace(",", "")).group(1))
        begun = games()
        self.wait("a game of the ladder", lambda: games() > max(begun, 12))
        own = page.locator("tr.own")
        self.assertEqual(own.count(), 1)
        self.assertIn("red", own.inner_text())
        self.assertNotIn("blue", page.inner_text("main"), "others are seen by their aliases")
        admin.goto("/standings")
        self.assertIn("blue", admin.inner_text("main"))
        path = lambda team: first[team].removeprefix(self.server.address)
        self.look(page, "/", "/team", "/practice", "/standings", "/event", "/rules", "/account", "/personal-data",
                  path("red"))
        page.goto("/team")
        page.get_by_role("link", name="Results, faults and games").click()
        self.wait("the rating over time", lambda: page.reload() and page.locator("svg.share").count())
        self.look(page, page.url.removeprefix(self.server.address))
        self.look(students["crash"], path("crash"))
        # A challenge, whose games count nowhere.
        page.goto("/practice")
        page.select_option("#opponent", label="reference greedy")
        page.get_by_role("button", name="Play").click()
        played = lambda: page.goto("/practice") and page.locator("a[href^='/games/']").count() == 2
        self.wait("the challenge", played)
        page.locator("a[href^='/games/']").first.click()
        page.wait_for_selector("html[data-ready=true]")

    def a_person_plays(self, students):
        """A member plays against the bot of the team, by the keyboard alone."""
        page = students["red"]
        page.goto("/practice")
        own = page.locator("#bot option", has_text="your own").get_attribute("value")
        page.select_option("#bot", value=own)
        page.get_by_role("button", name="Begin the game").click()
        page.wait_for_url("**/practice/play")
        page.wait_for_selector("html[data-phase=move]")
        self.look(page, "/practice/play")
        page.wait_for_selector("html[data-phase=move]")
        before = page.locator("#log li").count()
        reached = lambda: page.keyboard.press("Tab") or page.evaluate(
            "document.activeElement.closest('.targets') !== null")
        self.assertTrue(any(reached() for _ in range(40)), "no place of the board is reached")
        page.keyboard.press("Enter")
        answered = lambda: page.locator("#log li").count() > before and page.locator("html[data-phase=move]").count()
        self.wait("the answer of the bot", answered)
        self.assertEqual(self.status(students["green"], "/practice/play"), 303, "there is no game of another person")
        page.get_by_role("button", name="Resign").click()
        page.locator("#yes").click()
        page.wait_for_selector("html[data-phase=over]")
        self.look(page, "/practice", "/practice/play")
        page.goto("/practice")
        page.get_by_role("button", name="End it").click()
        page.wait_for_url("**/practice")
        self.assertEqual(page.get_by_role("link", name="Continue the game").count(), 0)

    def version_replaces(self, students):
        page = students["blue"]
        second = self.submit(page, bot("middle", note="a better one"))
        page.goto(second)
        self.wait("the second version", lambda: page.inner_text("#state") == "plays")
        page.goto("/team")
        self.assertIn("replaced", page.inner_text("main"))
        # The team has the files of both, and what changed.
        with page.expect_download() as download:
            page.locator("tr", has_text="version 1").get_by_role("link", name="Download").click()
        with zipfile.ZipFile(download.value.path()) as archive:
            self.assertEqual(archive.read("blue-%s-version-1/strategy.txt" % self.team_of(page)), b"first\n")
        page.get_by_role("link", name="version 2").click()
        page.get_by_role("link", name="What changed").click()
        self.assertIn("a better one", page.inner_text("main"))
        self.look(page, page.url.removeprefix(self.server.address))
        page.get_by_role("link", name="version 1").first.click()
        page.get_by_role("link", name="strategy.txt").click()
        self.assertIn("first", page.inner_text("pre.code"))
        self.look(page, page.url.removeprefix(self.server.address))
        return second

    def team_of(self, page):
        """The number of a student's team, on the page of the team."""
        link = page.get_by_role("link", name="Results, faults and games").get_attribute("href")
        return link.rsplit("/", 1)[1]

    def a_version_is_held(self, admin, address):
        admin.goto(address)
        self.reason(admin, "Decide", "looks copied")
        self.assertIn("on hold", admin.inner_text("#state"))
        standings = lambda: admin.goto("/standings") and admin.inner_text("#bots")
        self.wait("the held version to go", lambda: "blue" not in standings())
        self.look(admin, address.removeprefix(self.server.address), "/desk")
        admin.goto(address)
        admin.select_option("#decision", "lift")
        self.reason(admin, "Decide", "it is not")
        self.assertIn("plays", admin.inner_text("#state"))

    def a_program_submits(self, students):
        page = students["cheat"]
        page.goto("/team")
        page.fill("#name", "laptop")
        page.get_by_role("button", name="Make a token").click()
        token = page.inner_text("#token")
        self.is_accessible(page, "the page of a new token")
        self.assertRegex(token, r"^botyard_[0-9a-f]{64}$")
        page.goto("/team")
        self.assertNotIn(token, page.content())
        self.look(page, "/team")
        page.get_by_role("button", name="Revoke laptop").click()
        self.assertEqual(page.get_by_role("button", name="Revoke laptop").count(), 0)
        answer = page.request.get(
            self.server.address + "/api/submissions/1", headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(answer.status, 401)

    def games_are_rejudged(self, admin):
        admin.goto("/rejudges")
        bot = admin.locator("#bot option", has_text="red, version 1").first.get_attribute("value")
        admin.select_option("#bot", value=bot)
        # No game was played that late.
        admin.fill("#from", "2099-01-01T00:00")
        admin.get_by_role("button", name="Show how many").click()
        self.assertIn("0 games", admin.inner_text("main"))
        admin.goto(f"/rejudges?event=ladder&bot={bot}")
        self.reason(admin, "Play them again", "the disk was full")
        address = admin.url
        done = lambda: admin.goto(address) and admin.get_by_role("button", name="Apply the new results").count()
        self.wait("the rejudge", done)
        self.wait("its preview", lambda: admin.goto(address) and "being computed" not in admin.inner_text("main"))
        self.look(admin, "/rejudges", address.removeprefix(self.server.address))
        admin.goto(address)
        self.reason(admin, "Drop them", "it was not")
        self.assertEqual(admin.inner_text("#state"), "dropped")

    def nothing_is_seen_by_guessing(self, students, first):
        blue, guest = students["blue"], self.signed_in("9003")
        path = first["red"].removeprefix(self.server.address)
        red = students["red"]
        red.goto("/team")
        team = red.get_by_role("link", name="Results, faults and games").get_attribute("href")
        red.goto(team)
        # A game in which blue does not play.
        games = red.locator("a[href^='/games/']").evaluate_all("links => links.map((link) => link.getAttribute('href'))")
        states = {game: self.status(blue, game) for game in games}
        self.assertIn(404, states.values(), states)
        for address in [path, *(path + part for part in ["/events", "/files", "/files.zip", "/changes"]), team, "/final"]:
            self.assertEqual(self.status(blue, address), 404, address)
        for address in ["/grades", "/roster", "/audit", "/submissions", "/sources.zip"]:
            self.assertEqual(self.status(blue, address), 403, address)
        for game in games:
            self.assertEqual(self.status(guest, game), 404, game)

    def reason(self, page, button, reason="for the test"):
        """Presses a button of a form with a reason."""
        form = page.locator("form", has=page.get_by_role("button", name=button))
        form.locator("[name=reason]").fill(reason)
        form.get_by_role("button", name=button).click()
        page.wait_for_load_state()

    def deadline_passes(self, admin, students):
        admin.goto("/deadline")
        admin.fill("#until", "2020-01-01T00:00")
        self.reason(admin, "Set the deadline")
        admin.select_option("#team", label="green")
        admin.fill("#extended", "2120-01-01T00:00")
        self.reason(admin, "Extend", "was ill")
        self.look(admin, "/deadline")
        self.submit(students["red"], bot("random"))
        self.assertIn("submissions ended at 2020-01-01", students["red"].inner_text("main"))
        green = students["green"]
        green.goto(self.submit(green, bot("random")))
        self.wait("the late version", lambda: green.inner_text("#state") == "plays")
        admin.goto("/event")
        admin.fill("#blocks", "3")
        admin.get_by_role("button", name="Begin the final").click()
        self.assertIn("Submissions have not ended", admin.inner_text("main"))
        admin.goto("/deadline")
        admin.select_option("#team", label="green")
        admin.fill("#extended", "2020-01-02T00:00")
        self.reason(admin, "Extend", "it is over")

    def final_is_released(self, admin, students):
        red = students["red"]
        red.goto("/event")
        hashes = red.locator("#secrets ~ dl code").all_inner_texts()
        admin.goto("/event")
        admin.fill("#blocks", "3")
        admin.get_by_role("button", name="Begin the final").click()
        done = lambda: admin.goto("/event") and admin.get_by_role("button", name="Publish the standings").count()
        red.goto("/standings")
        self.assertIn("The board is frozen", red.inner_text("main"))
        self.assertEqual(self.status(red, "/final"), 404)
        self.look(admin, "/event")
        self.wait("the final", done)
        game = self.final_games()[0]["id"]
        self.assertEqual(self.status(red, f"/games/{game}"), 404)
        red.goto("/event")
        self.assertIn("not published yet", red.inner_text("main"))
        self.reason(admin, "Publish the standings")
        red.goto("/final")
        self.assertEqual(red.locator("a[href^='/games/']").count(), 0)
        self.assertEqual(self.status(red, f"/games/{game}"), 404)
        admin.goto("/event")
        self.reason(admin, "Publish the replays")
        guest = self.signed_in("9003")
        guest.goto(f"/games/{game}")
        guest.wait_for_selector("html[data-ready=true]")
        self.look(red, "/final", "/event")
        codes = red.locator("main dl code").all_inner_texts()
        self.assertEqual(len(codes), 4)
        for number, secret in [(0, 1), (2, 3)]:
            self.assertEqual(hashlib.sha256(codes[secret].encode()).hexdigest(), codes[number])
        self.assertIn(codes[0], hashes + codes[:1])
        self.look(admin, "/submissions", "/audit")

    def final_games(self):
        """The games of the final, from a copy of the database."""
        import json
        copy = self.place / "copy"
        shutil.rmtree(copy, ignore_errors=True)
        copy.with_suffix(".zip").unlink(missing_ok=True)
        run("site", "backup", self.place / "class", copy.with_suffix(".zip"))
        run("site", "restore", copy.with_suffix(".zip"), copy)
        database = sqlite3.connect(copy / "site.db")
        self.addCleanup(database.close)
        names = dict(database.execute(
            "SELECT entrants.id, COALESCE(reference, teams.name) FROM entrants"
            " LEFT JOIN submissions ON submissions.id = submission LEFT JOIN teams ON teams.id = submissions.team"))
        games = []
        for identity, game in database.execute(
            "SELECT games.id, game FROM games JOIN events ON events.id = event WHERE kind = 'final'"
        ):
            game = json.loads(game)
            points = game["verdict"]["points"] if "points" in game["verdict"] else game["verdict"]["scored"]["points"]
            games.append({"id": identity, "points": {names[seat]: value for seat, value in zip(game["seats"], points)}})
        return games

    def grades_are_right(self, admin):
        games = self.final_games()
        teams = {team for _, _, _, team in STUDENTS}
        sums, against = {}, {}
        for game in games:
            for name, points in game["points"].items():
                sums[name] = sums.get(name, 0) + points
                other = next(its for its in game["points"] if its != name)
                against.setdefault((name, other), []).append(points)
        playing = [name for name in sums if name in teams]
        self.assertEqual(sorted(playing), ["blue", "green", "red"])
        # Five bots, each pair in three blocks of two games.
        self.assertEqual(len(games), 10 * 3 * 2)
        expected = {}
        for number, _, _, team in STUDENTS:
            points = 0
            if team in playing:
                points = GATE
                for reference in ["reference random", "reference greedy"]:
                    points += REFERENCE if low(against[team, reference]) > 0.5 else 0
                # Teams with the same points are ranked by the games among them.
                def key(one):
                    tied = [other for other in playing if sums[other] == sums[one] and other != one]
                    return sums[one], sum(sum(against[one, other]) for other in tied)

                better = sum(key(other) > key(team) for other in playing)
                points += PLACES * (1 - better / (len(playing) - 1))
            expected[number] = min(points, CAP)
        admin.goto("/grades")
        for field, value in [("gate", GATE), ("reference", REFERENCE), ("places", PLACES), ("cap", CAP)]:
            admin.fill(f"#{field}", str(value))
        admin.select_option("#by", "place")
        admin.get_by_role("button", name="Preview").click()
        self.look(admin, admin.url.removeprefix(self.server.address))
        current = lambda: admin.reload() and "being computed" not in admin.inner_text("main")
        self.wait("the standings", current)
        admin.get_by_role("button", name="Freeze these grades").click()
        admin.wait_for_url("**/grades/1")
        self.look(admin, "/grades/1")
        moodle = admin.request.get(self.server.address + "/grades/1/moodle.csv").text()
        rows = list(csv.DictReader(io.StringIO(moodle)))
        self.assertEqual({row["ID number"]: float(row["Botyard"]) for row in rows}, expected)
        canvas = admin.request.get(self.server.address + "/grades/1/canvas.csv").text()
        rows = list(csv.DictReader(io.StringIO(canvas)))[1:]
        self.assertEqual({row["SIS User ID"]: float(row["Botyard"]) for row in rows}, expected)

    def backup_is_whole(self):
        copy = Server(self.place / "copy")
        try:
            page = self.browser.new_context(base_url=copy.address).new_page()
            page.goto("/login")
            page.fill("#account", "9002")
            page.fill("#password", PASSWORD)
            page.press("#password", "Enter")
            page.wait_for_url("**/")
            page.goto("/final")
            page.locator("a[href^='/games/']").first.click()
            page.wait_for_selector("html[data-ready=true]")
            page.context.close()
        finally:
            copy.end()

    def archive_has_pages(self):
        file = self.place / "archive.zip"
        run("site", "archive", self.place / "class", "-o", file)
        with zipfile.ZipFile(file) as archive:
            archive.extractall(self.place / "archive")
        page = self.browser.new_context().new_page()
        wrong = self.wrong
        page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:"))
                or wrong.append(f"request: {request.url}"))
        page.goto((self.place / "archive" / "pages" / "index.html").as_uri())
        self.is_accessible(page, "the first page of an archive")
        page.locator("a[href='final.html']").click()
        self.is_accessible(page, "the final of an archive")
        text = page.inner_text("main")
        self.assertIn("reference greedy", text)
        for name in ["red", "blue", MARKUP]:
            self.assertNotIn(name, text, "aliases alone")
        page.locator("a[href^='games/']").first.click()
        page.wait_for_selector("html[data-ready=true]")
        page.context.close()

    def kill_loses_nothing(self):
        before = len(self.final_games())
        self.server.end(signal.SIGKILL)
        type(self).server = Server(self.place / "class")
        teacher = self.signed_in("9002")
        teacher.goto("/grades/1")
        self.assertEqual(len(self.final_games()), before)


def low(points, z=1.959963984540054):
    """The lower end of Wilson's interval of the share."""
    n, share = len(points), sum(points) / len(points)
    middle = share + z * z / (2 * n)
    return (middle - z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))) / (1 + z * z / n)


if __name__ == "__main__":
    unittest.main()
