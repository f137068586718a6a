"""A class for the tests of the site: its server, its roster, and the archives that its students submit."""

import io
import os
import re
import shutil
import signal
import stat
import subprocess
import tempfile
import unittest
import zipfile
from pathlib import Path

from games import BOTYARD, REPOSITORY
from playwright.sync_api import sync_playwright

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

EVENT = """
game = "connect-four"
format = "round-robin"
[time]
move_ms = 800
[gate]
against = ["random"]
blocks = 1
score = 0.0
[[bot]]
name = "reference random"
command = "random"
[[bot]]
name = "reference greedy"
command = "greedy"
"""

MARKUP = "<img src=x onerror=alert(1)>"

# Twelve students in nine teams, and the staff.
STUDENTS = [
    ("1001", "Ada " + MARKUP, "Monday", "red"),
    ("1002", "Ben", "Monday", "red"),
    ("1003", "Cid", "Monday", "blue"),
    ("1004", "Dora", "Monday", "green"),
    ("1005", "Eve", "Monday", "broken build"),
    ("1006", "Fay", "Tuesday", "slow"),
    ("1007", "Gus", "Tuesday", "crash"),
    ("1008", "Hal", "Tuesday", "cheat"),
    ("1009", "Ida", "Tuesday", "large"),
    ("1010", "Jo", "Tuesday", "bomb"),
    ("1011", "Kim", "Tuesday", "bomb"),
    ("1012", "Lou", "Tuesday", "link"),
]
ROSTER = "student_id,name,email,group,team,role\n" + "".join(
    f'{number},"{name}",{number}@example.org,{group},{team},\n' for number, name, group, team in STUDENTS
) + "9001,Max,max@example.org,,,assistant\n9002,Nan,nan@example.org,,,teacher\n9003,Oz,oz@example.org,,,guest\n"

BOT = (REPOSITORY / "crates" / "site" / "demo" / "bot.py").read_text()

# It does not start in time.
SLOW = """
import time
time.sleep(20)
"""

CHEAT = """
import json, socket, sys
from pathlib import Path
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "hello", "protocol": 1, "name": "cheat"}), flush=True)
    elif message["type"] == "start":
        for attempt in [lambda: socket.create_connection(("127.0.0.1", 80), 1), lambda: Path("/etc/shadow").read_text(),
                        lambda: Path("moved.txt").write_text("x")]:
            try:
                attempt()
                print("it worked", file=sys.stderr)
            except OSError as error:
                print(f"refused: {error}", file=sys.stderr)
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "turn":
        print(json.dumps({"type": "move", "turn": message["turn"], "action": {"column": 99}}), flush=True)
"""


def archive(files):
    """A zip archive of these files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as writer:
        for name, content in files.items():
            writer.writestr(name, content)
    return out.getvalue()


def bot(strategy, **more):
    return archive({"bot.toml": 'run = "python3 bot.py"\n', "bot.py": BOT, "strategy.txt": strategy + "\n", **more})


def program(text):
    return archive({"bot.toml": 'run = "python3 bot.py"\n', "bot.py": text})


def link():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as writer:
        entry = zipfile.ZipInfo("secret")
        entry.create_system = 3
        entry.external_attr = (stat.S_IFLNK | 0o777) << 16
        writer.writestr(entry, "/etc/shadow")
    return out.getvalue()


ARCHIVES = {
    "red": bot("middle"),
    "blue": bot("first"),
    "green": bot("last"),
    "broken build": archive({"bot.toml": 'build = ["python3 missing.py"]\nrun = "python3 bot.py"\n', "bot.py": BOT}),
    "slow": program(SLOW),
    "crash": program("import sys\nsys.stdin.readline()\nraise KeyError('best move')\n"),
    "cheat": program(CHEAT),
    "large": os.urandom(21 << 20),
    "bomb": archive({"bot.toml": 'run = "python3 bot.py"\n', "zeros": b"\0" * (101 << 20)}),
    "link": link(),
}


class Server:
    """`botyard serve` in a directory."""

    def __init__(self, directory, *options):
        self.directory = Path(directory)
        command = [BOTYARD, "serve", self.directory, "--port", "0", *options]
        # A busy machine would make every trial wait.
        env = {**os.environ, "BOTYARD_QUIET_WITHIN": "0"}
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env)
        # Before the address it says what it did to the files of the directory.
        said = []
        for line in self.process.stdout:
            self.address = line.strip().rstrip("/")
            if re.fullmatch(r"http://127\.0\.0\.1:\d+", self.address):
                return
            said.append(line)
        self.process.kill()
        raise AssertionError("".join(said))

    def link(self):
        """The link of the administrator, which the first start prints."""
        self.process.stdout.readline()
        return self.process.stdout.readline().strip()

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.process.wait(60)
        self.process.stdout.close()


class ClassInBrowser(unittest.TestCase):
    """Tests of one served class, in one browser."""

    # The class that is played already.
    options = ["--demo"]

    @classmethod
    def prepare(cls):
        """Makes files in `cls.place` before the site starts."""

    @classmethod
    def setUpClass(cls):
        cls.place = Path(tempfile.mkdtemp(prefix="botyard-class."))
        cls.place.chmod(0o711)
        cls.prepare()
        cls.server = Server(cls.place / "class", *cls.options)
        cls.playwright = sync_playwright().start()
        options = ["--no-sandbox"] if os.geteuid() == 0 else []
        cls.browser = cls.playwright.chromium.launch(executable_path=CHROMIUM, args=options)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.playwright.stop()
        cls.server.end()
        shutil.rmtree(cls.place, ignore_errors=True)
