"""An independent judge: the package jsonschema accepts every line of real games, in both directions, by the schemas
in docs/schemas. Views, actions, rules, setups, openings and chance outcomes are judged by the game's schemas too."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Counter, Dict, List, Tuple

import jsonschema
from common import HERE, REPOSITORY, program

SCHEMAS = REPOSITORY / "docs/schemas"


def validator(name: str) -> Any:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    kind = jsonschema.validators.validator_for(schema)
    kind.check_schema(schema)
    return kind(schema)


class Judge:
    """Validates lines, and counts what it has seen."""

    def __init__(self) -> None:
        self.validators: Dict[str, Any] = {}
        self.seen: Counter[str] = Counter()
        self.opening_is_next = False

    def judge(self, name: str, value: Any) -> None:
        if name not in self.validators:
            self.validators[name] = validator(name)
        self.seen[name] += 1
        error = jsonschema.exceptions.best_match(self.validators[name].iter_errors(value))
        if error is not None:
            raise AssertionError(f"{name}: {error.message} at {error.json_path} of {json.dumps(value)[:500]}")

    def line(self, game: str, direction: str, message: Dict[str, Any]) -> None:
        kind = message["type"]
        whose = {">": "referee", "<": "bot"}[direction]
        self.judge(f"protocol/{whose}-message", message)
        self.judge(f"protocol/{whose}-{kind}", message)
        if kind == "start":
            self.judge(f"{game}/rules", message["rules"])
            for setup in [message["setup"], *message.get("setups", {}).values()]:
                self.judge(f"{game}/setup", setup)
        elif kind == "turn":
            self.judge(f"{game}/view", message["view"])
            for action in message.get("legal", []):
                self.judge(f"{game}/action", action)
        elif kind == "move" and message["action"] != {"nothing": "legal"}:
            self.judge(f"{game}/action", message["action"])

    def replay(self, game: str, line: Dict[str, Any]) -> None:
        if line["type"] == "move":
            self.judge(f"{game}/action", line["action"])
            for seen in line.get("seen", {}).values():
                self.judge(f"{game}/seen-action", seen)
        elif line["type"] == "chance":
            kind = "opening" if self.opening_is_next else "chance"
            self.opening_is_next = False
            self.judge(f"{game}/{kind}", line["outcome"])
            for seen in line.get("seen", {}).values():
                self.judge(f"{game}/seen-{kind}", seen)
        elif line["type"] == "header":
            self.opening_is_next = True
            self.judge(f"{game}/rules", line["rules"])


class Lines(unittest.TestCase):
    def games(self, judge: Judge, game: str, *options: str, count: int = 13) -> List[Path]:
        """Plays games between recording bots, and judges their lines and replays."""
        with tempfile.TemporaryDirectory() as place:
            files = [Path(place, name) for name in ("one", "two")]
            bots = [f"{sys.executable} {HERE / 'recording_bot.py'} {file}" for file in files]
            wrong = [bots[0] + " --wrong", bots[1]] if "retry" in options else bots
            command = [program(), "match", game, *(f"{name}={bot}" for name, bot in zip(("one", "two"), wrong))]
            command += ["--games", str(count), "--seed", "5", "--move-time", "30000", "--sandbox", "none"]
            command += ["--option", "one:depth=5", "--concurrency", "1", "--oversubscribe", "--out", f"{place}/out", *options]
            ran = subprocess.run(command, cwd=place, capture_output=True, text=True)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            for file in files:
                for line in file.read_bytes().splitlines():
                    direction, _, text = line.partition(b" ")
                    judge.line(game, direction.decode(), json.loads(text))
            replays = list(Path(place, "out").glob("*.ndjson"))
            self.assertEqual(len(replays), count)
            for replay in replays:
                for line in replay.read_bytes().splitlines():
                    judge.replay(game, json.loads(line))
        return replays

    def test_every_line_of_every_game(self) -> None:
        runs: List[Tuple[str, List[str]]] = [
            ("scotland-yard", []),
            ("scotland-yard", ["--rules", "grid-5x5-2"]),
            ("scotland-yard", ["--rules", "bristol", "--rule", "show_candidates=true", "--rule", "show_second_legs=true"]),
            ("draughts", ["--bank", "60000", "--increment", "100"]),
            ("dice-wars", ["--rule", "players=2", "--rule", "areas=14"]),
            ("connect-four", ["--no-legal"]),
            ("connect-four", ["--on-fault", "retry"]),
            ("liars-dice", []),
        ]
        judge, played = Judge(), 0
        for game, options in runs:
            with self.subTest(game=game, options=options):
                played += len(self.games(judge, game, *options))
        self.assertGreaterEqual(played, 100)
        for kind in ["hello", "start", "turn", "end", "error", "quit"]:
            self.assertGreater(judge.seen[f"protocol/referee-{kind}"], 0, kind)
        for kind in ["hello", "ready", "move", "log"]:
            self.assertGreater(judge.seen[f"protocol/bot-{kind}"], 0, kind)
        for seen in ["scotland-yard/seen-action", "scotland-yard/seen-opening", "liars-dice/seen-chance", "dice-wars/chance"]:
            self.assertGreater(judge.seen[seen], 0, seen)
        self.assertGreater(judge.seen["protocol/referee-turn"], 1000)

    def test_the_judge_refuses_what_is_wrong(self) -> None:
        judge = Judge()
        wrong: List[Tuple[str, Dict[str, Any]]] = [
            ("<", {"type": "move", "turn": 1}),
            ("<", {"type": "move", "turn": 1, "action": "15"}),
            ("<", {"type": "move", "turn": -1, "action": "11-15"}),
            (">", {"type": "turn", "turn": 1, "seat": "black", "view": {}}),
            (">", {"type": "start", "game": "draughts"}),
        ]
        for direction, message in wrong:
            with self.assertRaises(AssertionError, msg=message):
                judge.line("draughts", direction, message)


if __name__ == "__main__":
    unittest.main()
