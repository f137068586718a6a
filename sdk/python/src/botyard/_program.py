"""Programs as child processes: those of games, those of bots, and ``botyard`` itself."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Any, Callable, Dict, Optional, Tuple, cast

from .rules import Refused

Json = Dict[str, Any]

# The environment in which the referee starts a program: see "Randomness" in the rules protocol.
_VARIABLES = {"LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"}


class ProgramFailed(Exception):
    """A program exited, took too long, or wrote what is no answer. The message says to which request."""


def botyard_program(named: Optional[str] = None) -> str:
    """Returns the path of the program ``botyard``: as named, by the variable ``BOTYARD``, beside this Python, or in
    ``PATH``."""
    beside = Path(sys.executable).with_name("botyard")
    found = named or os.environ.get("BOTYARD") or (str(beside) if os.access(beside, os.X_OK) else shutil.which("botyard"))
    if found is None:
        raise FileNotFoundError(
            "cannot find the program botyard: name its path by botyard=... or the environment variable BOTYARD, or put it "
            "in a directory of PATH"
        )
    return found


class RunningProgram:
    """The running program of a game."""

    #: What runs, for messages.
    WHAT = "the program of the game"
    #: The types of messages that may precede an answer.
    BEFORE_ANSWERS: Tuple[str, ...] = ()

    def __init__(self, run: str, directory: Path, answer_seconds: float) -> None:
        self._run, self._seconds = run, answer_seconds
        self._errors: IO[bytes] = tempfile.TemporaryFile()
        try:
            self._popen = subprocess.Popen(
                shlex.split(run),
                cwd=directory,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._errors,
                env={**os.environ, **_VARIABLES},
            )
        except OSError as error:
            self._errors.close()
            raise ProgramFailed(
                f"{self.WHAT} cannot be started: `{run}` in {directory}: {error}. "
                "Is it built (botyard build) and installed?"
            ) from error
        self._to, self._from = cast(IO[bytes], self._popen.stdin), cast(IO[bytes], self._popen.stdout)
        self._failure: Optional[ProgramFailed] = None
        self._deadline: Optional[float] = None
        self._is_late = False
        self._is_closed = threading.Event()
        self._finalizer = weakref.finalize(self, _end, self._popen, self._errors, self._is_closed)
        threading.Thread(target=_watch, args=(weakref.ref(self), self._is_closed), daemon=True).start()

    def ask(self, request: Json, expected: str) -> Json:
        """Returns the answer to a request, which has the type ``expected``. Raises :class:`Refused` for a refusal."""
        if self._is_closed.is_set():
            raise self._failure or ValueError(f"{self.WHAT} was ended by close()")
        line = json.dumps(request, separators=(",", ":")).encode()
        self._deadline = time.monotonic() + self._seconds
        try:
            self._to.write(line + b"\n")
            self._to.flush()
            answer = self._from.readline()
            while self._precedes(answer):
                answer = self._from.readline()
        except OSError:
            answer = b""
        self._deadline = None
        shown = line.decode() if len(line) <= 300 else f"{line[:300].decode(errors='replace')}..."
        if not answer.endswith(b"\n"):
            if self._is_late:
                raise self.failed(f"no answer within {self._seconds:g} s to {shown}")
            self._popen.wait()
            code = self._popen.returncode
            raise self.failed(f"expected the answer {expected!r} to {shown}; the program exited with code {code}")
        try:
            parsed = json.loads(answer)
            kind = parsed["type"]
        except (ValueError, LookupError, TypeError):
            got = answer[:300].decode(errors="replace").rstrip()
            raise self.failed(f"expected the answer {expected!r} to {shown}, got {got}") from None
        if kind == "refused" and request["type"] in ("new", "open", "play", "chance"):
            raise Refused(str(parsed.get("message")), parsed.get("rule"))
        if kind != expected:
            got = answer[:300].decode(errors="replace").rstrip()
            raise self.failed(f"expected the answer {expected!r} to {shown}, got {got}")
        return dict(parsed)

    def tell(self, message: Json) -> None:
        """Sends a message that takes no answer. A program that has exited misses it."""
        try:
            self._to.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self._to.flush()
        except (OSError, ValueError):
            pass

    def _precedes(self, line: bytes) -> bool:
        if not self.BEFORE_ANSWERS:
            return False
        try:
            return json.loads(line)["type"] in self.BEFORE_ANSWERS
        except (ValueError, LookupError, TypeError):
            return False

    def failed(self, message: str) -> ProgramFailed:
        """Ends the program, and returns the error that says why."""
        self._errors.seek(0, os.SEEK_END)
        self._errors.seek(max(0, self._errors.tell() - 2000))
        said = self._errors.read().decode(errors="replace").strip()
        self._failure = ProgramFailed(f"{self._run}: {message}" + (f"\nIts standard error:\n{said}" if said else ""))
        self.close()
        return self._failure

    def close(self) -> None:
        self._finalizer()


def _end(popen: "subprocess.Popen[bytes]", errors: IO[bytes], is_closed: threading.Event) -> None:
    is_closed.set()
    to, from_ = cast(IO[bytes], popen.stdin), cast(IO[bytes], popen.stdout)
    try:
        to.write(b'{"type":"quit"}\n')
        to.close()
    except OSError:
        pass
    try:
        popen.wait(2)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
    from_.close()
    errors.close()


def _watch(of: "Callable[[], Optional[RunningProgram]]", is_closed: threading.Event) -> None:
    """Kills a program that takes too long for an answer."""
    while not is_closed.wait(0.25):
        process = of()
        if process is None:
            return
        deadline = process._deadline
        if deadline is not None and time.monotonic() > deadline:
            process._is_late = True
            process._popen.kill()
        del process


def manifest_of(directory: Path) -> Json:
    """Returns what ``game.toml`` says."""
    path = directory / "game.toml"
    if not path.is_file():
        raise FileNotFoundError(f"expected the directory of a game, with a game.toml; there is none in {directory}")
    source = path.read_text(encoding="utf-8")
    try:
        import tomllib
    except ImportError:  # Python before 3.11: the two keys that are needed, without presets.
        keys = re.findall(r'^(name|run)\s*=\s*("(?:[^"\\]|\\.)*")', source.split("\n[")[0], re.MULTILINE)
        manifest: Json = {key: json.loads(value) for key, value in keys}
    else:
        try:
            manifest = tomllib.loads(source)
        except tomllib.TOMLDecodeError as error:
            raise ValueError(f"{path}: {error}") from error
    for key in ("name", "run"):
        if not isinstance(manifest.get(key), str):
            raise ValueError(f'{path}: expected a line {key} = "..."')
    return manifest
