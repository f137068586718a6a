"""Runs `botyard play` at a pseudo terminal and types at it, as a person would.

    python3 at_terminal.py SCENARIO BOTYARD

SCENARIO is a function below. It exits with 0 if the scenario went as expected; otherwise it prints what was on
the screen."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

# Longer than anything takes on the busiest machine.
PATIENCE = 250
CONTROL = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")
GAME = ["draughts", "--as", "black", "--rule", "ballots=none", "--seed", "1", "--move-time", "30000"]
RANDOM = ["--against", "random:seed=1"]
UP, LEFT = b"\x1b[A", b"\x1b[D"


class Terminal:
    """A program at a pseudo terminal of 80 columns and 24 lines."""

    def __init__(self, *arguments):
        self.master, self.slave = pty.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.before = termios.tcgetattr(self.slave)
        self.text, self.read = "", 0
        command = [sys.argv[2], "play", *arguments]
        env = {**os.environ, "TERM": "xterm"}
        self.program = subprocess.Popen(
            command, stdin=self.slave, stdout=self.slave, stderr=self.slave, env=env, preexec_fn=self.control
        )

    def control(self):
        os.setsid()
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def pump(self, seconds):
        """Reads what has been printed, waiting at most so long for it. Returns whether there was anything."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.text += os.read(self.master, 65536).decode(errors="replace")
        return True

    def shown(self):
        """What was printed since the last text that was expected, without control sequences."""
        return CONTROL.sub("", self.text)[self.read :]

    def expect(self, *texts):
        """Waits until these texts have been printed, in this order."""
        for text in texts:
            end = time.monotonic() + PATIENCE
            while text not in self.shown():
                if not self.pump(1) and (time.monotonic() > end or self.program.poll() is not None):
                    if not self.pump(0):
                        raise AssertionError(f"{text!r} was not printed, but {self.shown()!r}")
            self.read += self.shown().index(text) + len(text)

    def send(self, keys):
        os.write(self.master, keys if isinstance(keys, bytes) else keys.encode())

    def lines_are_edited(self):
        return not termios.tcgetattr(self.slave)[3] & (termios.ICANON | termios.ECHO)

    def ends(self, code):
        """Waits for the end of the program, which gives the terminal back as it was."""
        end = time.monotonic() + PATIENCE
        while self.program.poll() is None:
            assert time.monotonic() < end, "it has not ended"
            self.pump(0.05)
        while self.pump(0):
            pass
        assert self.program.returncode == code, f"exit code {self.program.returncode}"
        assert termios.tcgetattr(self.slave) == self.before, "the terminal is not as it was"

    def children(self):
        """The command lines of the program's children, by PID."""
        children = {}
        for process in Path("/proc").glob("[0-9]*"):
            try:
                parent = int((process / "stat").read_text().rpartition(")")[2].split()[1])
                if parent == self.program.pid:
                    children[int(process.name)] = (process / "cmdline").read_bytes().split(b"\0")
            except OSError:
                pass  # It has ended.
        return children


def at_the_prompt(*arguments):
    terminal = Terminal(*GAME, *(arguments or RANDOM))
    terminal.expect("you are Black", "black> ")
    assert terminal.lines_are_edited()
    return terminal


WAITING_BOT = """
import json, os, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "hello", "protocol": 1, "name": "waiting"}
    elif message["type"] == "start":
        answer = {"type": "ready"}
    elif message["type"] == "turn":
        while not os.path.exists(sys.argv[1]):
            time.sleep(0.01)
        legal = message["legal"]
        action = "24-20" if "24-20" in legal else legal[0]
        answer = {"type": "move", "turn": message["turn"], "action": action}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""


def against_a_waiting_bot():
    """A game in which the bot has not answered yet. Returns the file for which it waits, too."""
    Path("bot.py").write_text(WAITING_BOT)
    flag = Path("flag").resolve()
    bot = f"python3 {Path('bot.py').resolve()} {flag}"
    terminal = at_the_prompt("--against", bot, "--sandbox", "none")
    terminal.send("11-15\r")
    terminal.expect("1  black: 11-15")
    return terminal, flag


def history_and_completion():
    terminal = at_the_prompt()
    # Completed as far as all legal moves agree; then all of them are listed.
    terminal.send("11\t\t")
    terminal.expect("11-16", "11-15")
    terminal.send("5\r")
    terminal.expect("1  black: 11-15", "2  white: ", "black> ")
    terminal.send(UP + b"\r")
    terminal.expect("11-15", "is not legal", "black> ")
    terminal.send("boa\t\r")
    terminal.expect("you are Black", "< the last move", "black> ")
    # A line may be edited in the middle.
    terminal.send(b"hlp" + LEFT + LEFT + b"e\r")
    terminal.expect("quit         leave the game", "black> ")
    terminal.send("quit\r")
    terminal.expect("the game is left unfinished")
    terminal.ends(0)


def typed_while_a_bot_thinks():
    terminal, flag = against_a_waiting_bot()
    assert terminal.lines_are_edited(), "keys are not echoed into the output"
    terminal.send("9-1")
    flag.touch()
    terminal.expect("2  white: 24-20", "black> ")
    terminal.send("4\r")
    terminal.expect("3  black: 9-14", "black> ")
    # Several lines at once.
    terminal.send("log\rboard\r")
    terminal.expect("1  black: 11-15", "you are Black", "black> ")
    terminal.send("quit\r")
    terminal.ends(0)


def control_c_interrupts():
    terminal = at_the_prompt()
    terminal.send(b"11-1\x03")
    terminal.expect("the game is left unfinished")
    terminal.ends(1)
    terminal, _ = against_a_waiting_bot()
    terminal.send(b"\x03")
    terminal.expect("the game is left unfinished")
    terminal.ends(1)


def control_d_leaves():
    terminal = at_the_prompt()
    terminal.send(b"\x04")
    terminal.expect("the game is left unfinished")
    terminal.ends(0)
    terminal, flag = against_a_waiting_bot()
    terminal.send(b"\x04")
    flag.touch()
    terminal.expect("the game is left unfinished")
    terminal.ends(0)


def a_signal_ends_the_game():
    # SIGINT is a key here; sent by another program it belongs to the editor.
    for number in [signal.SIGTERM, signal.SIGHUP]:
        terminal = at_the_prompt()
        terminal.send("11-1")
        terminal.expect("11-1")
        terminal.program.send_signal(number)
        terminal.expect("the game is left unfinished")
        terminal.ends(1)


def the_game_ends_while_a_line_is_typed():
    terminal = at_the_prompt()
    terminal.send("11-1")
    terminal.expect("11-1")
    relays = [pid for pid, command in terminal.children().items() if b"relay" in command]
    assert len(relays) == 1, terminal.children()
    os.kill(relays[0], signal.SIGKILL)
    # The result begins on a line of its own.
    terminal.expect("\r\n", "crash after 0 moves", "black: you lose")
    terminal.ends(0)


def the_terminal_is_closed():
    arguments = [*GAME, *RANDOM, "--out", "out"]
    terminal = Terminal(*arguments)
    terminal.expect("black> ")
    terminal.send("11-15\r")
    terminal.expect("2  white: ", "black> ")
    os.close(terminal.slave)
    os.close(terminal.master)
    assert terminal.program.wait(PATIENCE) == 1
    saved = list(Path("out").glob("*.ndjson"))
    assert len(saved) == 1, saved
    resumed = Terminal("--resume", str(saved[0]))
    resumed.expect("resumed after 2 moves", "black> ")
    resumed.send("log\r")
    resumed.expect("1  black: 11-15", "2  white: ", "black> ")
    resumed.send("quit\r")
    resumed.ends(0)


if __name__ == "__main__":
    scenario = globals()[sys.argv[1]]
    scenario()
