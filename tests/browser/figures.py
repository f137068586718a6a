"""How fast the page of a game is: prints the time until it is open, the frames a second while the slider is
moved, and its size. It exits with 1 if the page opens after more than a second, or is larger than its replay by more
than 400,000 bytes. Run it in the place of the browser tests, on a machine that does nothing else:

    .ci/run browser
    cd tests/browser && BOTYARD=../../target/release/botyard ../../target/tools/browser/bin/python figures.py

An argument names another match of games.py than `long`, which has more than 1,500 events."""

import os
import statistics
import sys
import time

from games import Games
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
TIMES = 5
# In seconds, and in bytes besides the replay.
SLOWEST_OPEN = 1.0
LARGEST_PAGE = 400_000

# Moves the slider once for every frame of the screen, forwards and then to places far from each other.
SCRUB = """async (frames) => {
  const scrub = document.getElementById("scrub");
  const last = Number(scrub.max);
  const seconds = [];
  for (const place of [(frame) => (last * frame) / frames, (frame) => (frame * 7919) % (last + 1)]) {
    const begin = performance.now();
    for (let frame = 0; frame < frames; frame++) {
      scrub.value = String(Math.round(place(frame)));
      scrub.dispatchEvent(new Event("input"));
      await new Promise((done) => requestAnimationFrame(done));
    }
    seconds.push((performance.now() - begin) / 1000);
  }
  return seconds;
}"""
FRAMES = 120


def measured(browser, path):
    """The seconds until the page is open, and the frames a second and their CPU time while it is scrubbed."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    begun = time.monotonic()
    page.goto(path.as_uri())
    page.wait_for_selector("html[data-ready=true]")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    opened = time.monotonic() - begun
    client = context.new_cdp_session(page)
    client.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy():
        metrics = client.send("Performance.getMetrics")["metrics"]
        return next(its["value"] for its in metrics if its["name"] == "TaskDuration")

    before = busy()
    forwards, at_random = page.evaluate(SCRUB, FRAMES)
    cpu = (busy() - before) / (2 * FRAMES)
    context.close()
    return opened, FRAMES / forwards, FRAMES / at_random, cpu * 1000


def main():
    name = sys.argv[1] if len(sys.argv) > 1 else "long"
    games = Games(name)
    try:
        page = games.page(name)
        events, replay, size = len(games.events(name)), games.replays[name].stat().st_size, page.stat().st_size
        with sync_playwright() as playwright:
            options = ["--no-sandbox"] if os.geteuid() == 0 else []
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=options)
            measured(browser, page)
            runs = [measured(browser, page) for _ in range(TIMES)]
            browser.close()
        opened, forwards, at_random, cpu = (statistics.median(each) for each in zip(*runs))
        print(f"{events} events; page {size} bytes, its replay {replay} bytes ({size - replay:+} bytes)")
        print(f"median of {TIMES}: open after {opened:.2f} s; {forwards:.0f} frames a second forwards,")
        print(f"{at_random:.0f} at random; {cpu:.1f} ms of CPU time a frame")
        missed = []
        if opened > SLOWEST_OPEN:
            missed.append(f"the page is open after {opened:.2f} s; expected at most {SLOWEST_OPEN} s")
        if size - replay > LARGEST_PAGE:
            missed.append(f"the page has {size - replay} bytes besides the replay; expected at most {LARGEST_PAGE}")
        if missed:
            sys.exit("\n".join(missed))
    finally:
        games.close()


if __name__ == "__main__":
    main()
