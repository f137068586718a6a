"""The standard streams of a program that speaks a protocol over them."""

import io
import os
import sys
from typing import IO, Any, Tuple


class _Stray(io.TextIOBase):
    """``sys.stdout`` while the protocol owns standard output: writes to standard error, and warns once."""

    def __init__(self, instead: str) -> None:
        self._warned = False
        self._instead = instead

    def writable(self) -> bool:
        return True

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return "utf-8"

    @property
    def buffer(self) -> Any:
        self._warn()
        return sys.stderr.buffer

    def _warn(self) -> None:
        if not self._warned:
            self._warned = True
            print(
                "botyard: standard output belongs to the protocol; what you print goes to standard error. "
                f"Use {self._instead}",
                file=sys.stderr,
            )

    def write(self, text: str) -> int:
        self._warn()
        sys.stderr.write(text)
        return len(text)

    def flush(self) -> None:
        sys.stderr.flush()

    def fileno(self) -> int:
        return sys.stderr.fileno()


def take_standard_streams(instead: str) -> Tuple[IO[bytes], IO[bytes]]:
    """Returns the protocol's input and output, and replaces the standard streams.

    ``instead`` is what a warning recommends to an author who prints.

    File descriptor 1 becomes a copy of standard error, and 0 becomes empty, so that neither a C extension nor a
    child process can write into the protocol or read from it.
    """
    own_in, own_out = os.dup(0), os.dup(1)
    os.dup2(2, 1)
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, 0)
        os.close(nothing)
    except OSError:
        pass  # Without /dev/null: child processes must not read standard input.
    try:
        sys.stdout.flush()  # Earlier output goes to standard error.
    except (OSError, ValueError):
        pass
    sys.stdout = _Stray(instead)
    return os.fdopen(own_in, "rb"), os.fdopen(own_out, "wb")
