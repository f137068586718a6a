"""Replays for the tests of the page: matches of every game, and those that the repository keeps."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]
BOTYARD = Path(os.environ.get("BOTYARD", REPOSITORY / "target" / "debug" / "botyard"))
KEPT = REPOSITORY / "crates" / "replay" / "tests" / "data"
BOASTFUL = f"{sys.executable} {Path(__file__).parent / 'boastful.py'}"
MISBEHAVING = f"{sys.executable} {REPOSITORY / 'tests' / 'bots' / 'misbehave.py'}"

MATCHES = {
    "london": ["scotland-yard", "greedy", "random", "--seed", "5"],
    "pawns": ["scotland-yard", "greedy", *["random"] * 5, "--seed", "2", "--rule", "seats=pawns"],
    "grid": ["scotland-yard", "greedy", "random", "--seed", "3", "--rules", "grid-7x7-3"],
    "stay": ["scotland-yard", "greedy", "random", "--seed", "3", "--rules", "grid-15x15-3-stay"],
    "draughts": ["draughts", "greedy", "random", "--seed", "2"],
    "jumps": ["draughts", "alpha-beta:depth=3,egdb=none", "random", "--seed", "2"],
    "janacek": ["draughts", "random", "greedy", "--seed", "2", "--rules", "janacek-2007"],
    "dice-wars": ["dice-wars", "greedy", "random", "random", "random", "--seed", "4", "--rule", "max_turns=60"],
    "connect-four": ["connect-four", "greedy", "random", "--seed", "4"],
    "liars-dice": ["liars-dice", "random", "random", "--seed", "4"],
    "boastful": ["scotland-yard", BOASTFUL, BOASTFUL, "--seed", "6", "--rules", "grid-5x5-2"],
    "all-failed": ["draughts", *[f"{MISBEHAVING} exit_at_start"] * 2, "--keep-going"],
    "analyzed": ["scotland-yard", "greedy", "random", "--seed", "3", "--rules", "grid-5x5-2"],
    "long": ["dice-wars", *["random"] * 8, "--seed", "1", "--rule", "players=8", "--rule", "max_turns=800", "--rule", "areas=40"],
}


def run(*arguments):
    """Runs botyard; returns what it printed."""
    # Programs of root run as another user, who cannot start a Python in a home directory.
    environment = {**os.environ, "PATH": os.pathsep.join(["/usr/bin", os.environ["PATH"]])}
    done = subprocess.run([BOTYARD, *map(str, arguments)], capture_output=True, text=True, env=environment)
    if done.returncode:
        raise AssertionError(f"botyard {arguments}: {done.returncode}\n{done.stdout[-800:]}\n{done.stderr[-2000:]}")
    return done.stdout


def first(directory):
    return next(iter(sorted(directory.glob("*.ndjson"))))


class Games:
    """Replays and their pages in a directory of their own: those with these names, of matches and of replays that the
    repository keeps, and by default all. `matches` are those that the names are looked for in."""

    def __init__(self, *names, matches=MATCHES):
        self.place = Path(tempfile.mkdtemp(prefix="botyard-browser."))
        self.replays = {}
        for name in names or matches:
            if name not in matches:
                self.replays[name] = KEPT / f"{name}.ndjson"
                continue
            run("match", *matches[name], "--sandbox", "none", "--move-time", "5000", "--out", self.place / name)
            self.replays[name] = first(self.place / name)
        # One analysis of one seat, and one of both.
        for analysis in (["first=mcts:iterations=20", "--seat", "mr-x"], ["second=mcts:iterations=10"]):
            if "analyzed" in self.replays:
                run("analyze", self.replays["analyzed"], "--sandbox", "none", "--time", "60000", "--with", *analysis)
        if names:
            return
        for kept in sorted(KEPT.glob("*.ndjson")):
            self.replays[kept.stem] = kept
        cut = self.place / "unfinished.ndjson"
        lines = self.replays["draughts"].read_text().splitlines(keepends=True)
        cut.write_text("".join(lines[: len(lines) // 2]))
        self.replays["unfinished"] = cut
        for seat in ("mr-x", "detectives"):
            copy = self.place / f"copy-{seat}.ndjson"
            run("replay", "export", self.replays["london"], "--seat", seat, "--out", copy)
            self.replays[f"copy-{seat}"] = copy

    def page(self, name, *options):
        """The page of a replay."""
        out = self.place / f"{name}.html"
        if not out.exists():
            run("replay", "view", self.replays[name], "-o", out, *options)
        return out

    def events(self, name):
        # Texts of bots have other separators of lines.
        return [json.loads(line) for line in self.replays[name].read_text().split("\n") if line]

    def close(self):
        shutil.rmtree(self.place)
