"""Screenshots of every page: recorded games, an analysis, running games, games that a person plays, standings, and
the first page of the demonstration of a class, each on a desktop and on a phone, light and dark. Run it in the place
of the browser tests:

    .ci/run browser
    cd tests/browser && BOTYARD=../../target/release/botyard ../../target/tools/browser/bin/python screenshots.py OUT

It writes OUT/PAGE-WIDTH-SCHEME.png of the whole page. `--part play` takes only this part, and `--only WORD` only
the pages with this word in their names."""

import argparse
import os
import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path

from games import BOTYARD, Games, run
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
SIZES = {1280: 900, 390: 844}
SCHEMES = ["light", "dark"]
LONG = 120_000
PARTS = ["recorded", "live", "play", "standings", "site"]

RECORDED = ["draughts", "london", "grid", "dice-wars", "connect-four", "liars-dice"]
# How a person plays each game, against bots that always answer alike.
PLAYED = {
    "draughts": ["draughts", "--as", "white"],
    "london": ["scotland-yard", "--as", "detectives"],
    "grid": ["scotland-yard", "--rules", "grid-7x7-3", "--as", "mr-x"],
    "dice-wars": ["dice-wars", "--rule", "players=4", "--as", "player-1"],
    "connect-four": ["connect-four", "--as", "yellow"],
    "liars-dice": ["liars-dice", "--as", "player-1"],
}
TOURNAMENT = """
name = "Spring term, group 7b"
game = "connect-four"
seed = 5
blocks = 12
[time]
move_ms = 30000
[sandbox]
mode = "none"
[gate]
against = ["random:seed=9"]
[[bot]]
name = "Ada's bot"
team = "7b"
command = "greedy"
[[bot]]
name = "four-in-a-row"
team = "7b"
command = "random:seed=1"
[[bot]]
name = "\u05e9\u05dc\u05d5\u05dd"
command = "random:seed=2"
[[bot]]
name = "a name that is as long as names may be in a tournament, 60"
team = "7c"
command = "random:seed=3"
[[bot]]
name = "stops at once"
command = "python3 crash.py"
"""


class Screenshots:
    """A browser that takes the pictures of a page into a directory."""

    def __init__(self, browser, out, only):
        self.browser, self.out, self.only = browser, out, only
        self.taken = 0

    def wants(self, name):
        return not self.only or any(word in name for word in self.only)

    def take(self, name, address, prepare=None, ready="html[data-ready=true]"):
        """Takes the pictures of a page, once it is ready and a function has prepared it."""
        if not self.wants(name):
            return
        for width, height in SIZES.items():
            for scheme in SCHEMES:
                context = self.browser.new_context(
                    viewport={"width": width, "height": height}, color_scheme=scheme, reduced_motion="reduce"
                )
                page = context.new_page()
                page.set_default_timeout(LONG)
                page.goto(address)
                page.wait_for_selector(ready)
                if prepare:
                    prepare(page)
                page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                page.screenshot(path=self.out / f"{name}-{width}-{scheme}.png", full_page=True)
                context.close()
                self.taken += 1


@contextmanager
def serving(place, *arguments):
    """Runs a program that prints the address of its page; ends it afterwards."""
    process = subprocess.Popen([BOTYARD, *map(str, arguments)], text=True, stdout=subprocess.PIPE, cwd=place)
    try:
        address = process.stdout.readline().strip()
        if not address.startswith("http://127.0.0.1:"):
            raise AssertionError(f"botyard {arguments} printed no address: {address!r}")
        yield address
    finally:
        process.kill()
        process.communicate()


def recorded(shots, games):
    for name in RECORDED:
        middle = max(json_turns(games, name) // 2, 1)
        shots.take(f"replay-{name}", f"{games.page(name).as_uri()}#n={middle}")
    london = f"{games.page('london').as_uri()}#n={json_turns(games, 'london') // 2}"
    shots.take("replay-london-truth", london, lambda page: page.select_option("#perspective", "**"))
    shots.take("replay-keys", games.page("draughts").as_uri(), lambda page: page.keyboard.press("?"))
    shots.take("replay-fault", games.page("draughts-substitute").as_uri(), lambda page: page.keyboard.press("f"))
    analyzed = f"{games.page('analyzed').as_uri()}#n=9"
    shots.take("analysis", analyzed, lambda page: page.select_option("#perspective", "mr-x"))


def json_turns(games, name):
    return sum(event["type"] == "move" for event in games.events(name))


def live(shots, games, place):
    """Games of which half was written, as if they were running."""
    running = place / "running"
    running.mkdir()
    for name in RECORDED:
        lines = games.replays[name].read_text().splitlines(keepends=True)
        (running / f"{name}.ndjson").write_text("".join(lines[: len(lines) // 2]))
    (running / "over.ndjson").write_text(games.replays["draughts"].read_text())
    silent = running / "silent.ndjson"
    silent.write_text("".join(games.replays["grid"].read_text().splitlines(keepends=True)[:-3]))
    os.utime(silent, (1_700_000_000, 1_700_000_000))
    with serving(place, "watch", running, "--port", 0) as address:
        shots.take("live-list", address, ready="#games a")
        for name in ["draughts", "london", "dice-wars"]:
            shots.take(f"live-{name}", f"{address}game/{name}", ready="#notice:has-text('Live.')")


def hinted(page):
    """Waits until the person is to move, and asks for a hint."""
    page.wait_for_selector("html[data-phase=move]")
    page.click("#hint")
    page.wait_for_selector("#play-hint")


def picked(page):
    """Waits until the person is to move, and picks the first piece, pawn or area."""
    page.wait_for_selector("html[data-phase=move]")
    page.locator(".targets .next").first.focus()
    page.keyboard.press("Enter")


def resigned(page):
    if page.get_attribute("html", "data-phase") != "over":
        page.wait_for_selector("html[data-phase=move]")
        page.click("#resign")
        page.click("#yes")
    page.wait_for_selector("html[data-phase=over]")


def opened(page):
    page.wait_for_selector("html[data-phase=move]")
    page.click("#new")


def played(shots, place):
    conditions = ["--sandbox", "none", "--move-time", "60000", "--seed", "5", "--against", "random:seed=1"]
    for name, arguments in PLAYED.items():
        if not any(shots.wants(f"play-{name}{state}") for state in ["", "-picked", "-hint", "-seats", "-over"]):
            continue
        with serving(place, "play", "--browser", *arguments, *conditions) as address:
            shots.take(f"play-{name}", address, lambda page: page.wait_for_selector("html[data-phase=move]"))
            if name in ["draughts", "london", "dice-wars"]:
                shots.take(f"play-{name}-picked", address, picked)
            if name in ["draughts", "grid"]:
                shots.take(f"play-{name}-hint", address, hinted)
                shots.take(f"play-{name}-seats", address, opened)
                shots.take(f"play-{name}-over", address, resigned)
    if shots.wants("play-choose"):
        with serving(place, "play", "--browser", "scotland-yard", *conditions) as address:
            shots.take("play-choose", address, ready="html[data-phase=choose]")
    if shots.wants("play-curtain"):
        both = ["--as", "mr-x", "--as", "detectives", "--seed", "5"]
        with serving(place, "play", "--browser", "scotland-yard", *both) as address:
            shots.take("play-curtain", address, ready="html[data-phase=curtain]")


def standings(shots, place):
    (place / "crash.py").write_text('raise KeyError("best")\n')
    definition = place / "spring.toml"
    definition.write_text(TOURNAMENT)
    run("tournament", "run", definition, "--out", place / "spring.tournament")
    run("tournament", "page", place / "spring.tournament", "--out", place / "spring")
    shots.take("standings", (place / "spring" / "index.html").as_uri())
    for number, bot in enumerate(sorted((place / "spring" / "bots").glob("*.html")), 1):
        if number in (1, 5):
            shots.take(f"bot-{number}", bot.as_uri())


def signed_in(page):
    page.fill("#account", "1001")
    page.fill("#password", "demonstration")
    page.press("#password", "Enter")
    page.wait_for_selector("main h1")


def site(shots, place):
    if shots.wants("site-home"):
        with serving(place, "serve", "--demo", "--port", "0") as address:
            shots.take("site-home", address + "login", signed_in, ready="#account")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path, help="the directory of the pictures")
    parser.add_argument("--part", action="append", choices=PARTS, help="take only this part; may be repeated")
    parser.add_argument(
        "--only", action="append", metavar="WORD", help="take only pages with this word in their names; may be repeated"
    )
    arguments = parser.parse_args()
    parts = set(arguments.part or PARTS)
    arguments.out.mkdir(parents=True, exist_ok=True)
    options = ["--no-sandbox"] if os.geteuid() == 0 else []
    games = None
    with sync_playwright() as playwright, tempfile.TemporaryDirectory(prefix="botyard-screenshots.") as temporary:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
        shots = Screenshots(browser, arguments.out, arguments.only)
        place = Path(temporary)
        # Bots may run as another user.
        place.chmod(0o755)
        try:
            if parts & {"recorded", "live"}:
                games = Games(*RECORDED, "analyzed", "draughts-substitute")
            if "recorded" in parts:
                recorded(shots, games)
            if "live" in parts:
                live(shots, games, place)
            if "play" in parts:
                played(shots, place)
            if "standings" in parts:
                standings(shots, place)
            if "site" in parts:
                site(shots, place)
        finally:
            if games:
                games.close()
            browser.close()
    print(f"{shots.taken} pictures in {arguments.out}")


if __name__ == "__main__":
    main()
