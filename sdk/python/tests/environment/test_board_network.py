"""The recipe of docs/training.md: games become arrays, a network is trained from them, and ``max-n`` plays with it."""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any, Dict, List

import numpy as np
from common import REPOSITORY, program

EXAMPLE = REPOSITORY / "sdk/python/examples/train_board_network.py"
RULES = ["--rules", "sui-2021", "--sandbox", "none", "--move-time", "600000", "--oversubscribe"]


def lines(replay: Path) -> List[Dict[str, Any]]:
    return [json.loads(line) for line in replay.read_text(encoding="utf-8").splitlines()]


class BoardNetwork(unittest.TestCase):
    def setUp(self) -> None:
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.place = Path(place.name)

    def run_in_place(self, *command: str) -> str:
        ran = subprocess.run(command, cwd=self.place, capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        return ran.stdout

    def test_games_become_arrays_a_network_and_a_bot(self) -> None:
        bots = ["max-n-2021", "dw-stei-adt", "dw-stei-at", "dw-sdc-at"]
        games = ["--seed", "1", "-n", "8", "--out", "games"]
        self.run_in_place(program(), "match", "dice-wars", *bots, *RULES, *games)
        replays = sorted((self.place / "games").glob("*.ndjson"))
        said = self.run_in_place(program(), "replay", "export", *map(str, replays), "--arrays", "boards")
        self.check_arrays([lines(replay) for replay in replays], said)

        train = [sys.executable, str(EXAMPLE), "boards", "--report", "--epochs", "1", "--states", "1000"]
        printed = self.run_in_place(*train)
        self.assertRegex(printed, r"epoch   1  train \d\.\d+ .*validation \d\.\d+ .*test \d\.\d+ ")
        self.assertEqual(printed, self.run_in_place(*train))

        opponents = ["max-n:eval=region,nodes=20", "dw-stei", "max-n-2021:eval=network.weights"]
        with_network = ["max-n:eval=network.weights,nodes=20", *opponents, "--seed", "1", "-n", "1", "--json"]
        played = self.run_in_place(program(), "match", "dice-wars", *with_network, *RULES)
        ended = [event for event in map(json.loads, played.splitlines()) if event.get("type") == "game_ended"]
        self.assertEqual([event["faults"] for event in ended], [[]])

    def check_arrays(self, games: "List[List[Dict[str, Any]]]", said: str) -> None:
        states, numbers = np.load(self.place / "boards/states.npy"), np.load(self.place / "boards/games.npy")
        self.assertEqual((states.dtype, numbers.dtype), (np.uint8, np.uint32))
        self.assertEqual(said, f"boards: {len(states)} states of {len(games)} games\n")
        self.assertEqual((states.shape, numbers.shape), ((len(states), 664), (len(states),)))
        rows, columns = np.triu_indices(34)
        for number, game in enumerate(games):
            own = states[numbers == number]
            adjacency, owners, dice, winner = np.split(own, [595, 629, 663], axis=1)
            opening = next(line for line in game if line["type"] == "chance")["outcome"]
            matrix = np.zeros((34, 34), int)
            for area in opening["map"]["areas"]:
                matrix[area["id"] - 1, np.array(area["adjacent"]) - 1] = 1
            self.assertTrue((adjacency == matrix[rows, columns]).all())
            self.assertEqual([owners[0].tolist(), dice[0].tolist()], [opening["owners"], opening["dice"]])
            won = [score >= 1 for score in game[-1]["outcome"]["scores"]].index(True) + 1
            self.assertTrue((winner == won).all())
            # All have been conquered in the last state.
            self.assertTrue((owners[-1] == won).all())
            self.assertEqual(len(own), sum(line["type"] == "move" for line in game) + 1)


if __name__ == "__main__":
    unittest.main()
