"""What the tests share: the kit on the path, and a referee's side of a conversation."""

import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Dict, List, Optional

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "src"))

Json = Dict[str, Any]

HELLO: Json = {"type": "hello", "protocol": 1, "limits": {"line_bytes": 65536}, "unknown": [1]}
QUIT: Json = {"type": "quit"}


def start(game: str = "any", **fields: Any) -> Json:
    return {"type": "start", "game_id": "7-1", "game": game, "seats": ["a", "b"], "you": ["a"], **fields}


def turn(number: int = 1, legal: Optional[List[Any]] = None, **fields: Any) -> Json:
    clock = {"kind": "wall", "move_ms": 1000, "bank_ms": None, "increment_ms": 0}
    message: Json = {"type": "turn", "turn": number, "seat": "a", "view": {}, "clock": clock, **fields}
    if legal is not None:
        message["legal"] = legal
    return message


def end(**fields: Any) -> Json:
    outcome = {"kind": "completed", "scores": [1.0, 0.0], "ranks": [1, 2], "reason": "won"}
    return {"type": "end", "outcome": outcome, "faults": [], "reveal": {}, **fields}


def lines(*messages: Json) -> bytes:
    return b"".join(json.dumps(message).encode() + b"\n" for message in messages)


def conversation(bot: Any, *messages: Json) -> List[Json]:
    """Returns what a bot says to these messages, in memory."""
    from botyard.bot import serve

    said = io.BytesIO()
    serve(bot, io.BytesIO(lines(*messages)), said)
    return [json.loads(line) for line in said.getvalue().splitlines()]


def process(source: str, *messages: Json, arguments: Optional[List[str]] = None) -> "subprocess.CompletedProcess[bytes]":
    """Runs the source text of a bot as a program with the kit on its path."""
    program = f"import sys; sys.path.insert(0, {str(ROOT / 'src')!r})\n{source}"
    command = [sys.executable, "-c", program, *(arguments or [])]
    # As a contained bot has it; what Python does not buffer could not be held back before the loop begins.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(
        command, input=lines(*messages), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, env=environment
    )
