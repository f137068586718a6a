"""Random actions a second: one game from Python, many games at once, and OpenSpiel's checkers beside them.

    python3 sdk/python/benchmarks/steps.py [--seconds 2] [--games 256] [--threads N]

What is counted: an action of a seat, chosen uniformly among the legal ones. Every line of a group does the same
work, so ratios are those of the libraries:

* ``bare``: list the legal actions, choose one, play it.
* ``arrays``: the same, and make the observation and the mask of the seat to move before each action.

``vectorised`` is `VectorEnv.step` with its own random choices, which always makes the arrays; ``rollouts`` is
`Game.rollouts`, which makes none; both on one thread, and on ``--threads``, one for each core. Each measurement runs in turns with the others, three times, and the median
counts, so that a change in the load of the machine meets all of them. OpenSpiel is left out where it is not
installed (``pip install open_spiel``). It plays each jump of a capture as an action, we play the whole capture.
"""

import argparse
import os
import random
import statistics
import time
from typing import Callable, Dict, List, Tuple

from botyard.engine import Game, VectorEnv

try:
    import numpy as np
    import pyspiel
except ImportError:
    pyspiel = None

#: Plays for about this many seconds, and returns the number of actions and the seconds.
Measurement = Callable[[float], Tuple[int, float]]


def single(name: str, arrays: bool) -> Measurement:
    game = Game(name)

    def play(seconds: float) -> Tuple[int, float]:
        choose = random.Random(1).choice
        steps, seed, began = 0, 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            seed += 1
            state = game.start(seed)
            while not state.is_terminal:
                if arrays:
                    state.observation()
                    state.action_mask()
                state.apply_index(choose(state.legal_indices()))
                steps += 1
        return steps, time.perf_counter() - began

    return play


def spiel(name: str, arrays: bool) -> Measurement:
    game = pyspiel.load_game(name)

    def play(seconds: float) -> Tuple[int, float]:
        choose = random.Random(1).choice
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            state = game.new_initial_state()
            while not state.is_terminal():
                if arrays:
                    np.asarray(state.observation_tensor(), np.float32)
                    np.asarray(state.legal_actions_mask(), bool)
                state.apply_action(choose(state.legal_actions()))
                steps += 1
        return steps, time.perf_counter() - began

    return play


def vectorised(name: str, games: int, threads: int) -> Measurement:
    env = VectorEnv(Game(name), games, seed=1, threads=threads)

    def play(seconds: float) -> Tuple[int, float]:
        steps, began = 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            env.step(env.random_actions())
            steps += games
        return steps, time.perf_counter() - began

    return play


def rollouts(name: str, threads: int) -> Measurement:
    game = Game(name)

    def play(seconds: float) -> Tuple[int, float]:
        steps, seed, began = 0, 0, time.perf_counter()
        while time.perf_counter() - began < seconds:
            seed += 1
            steps += int(game.rollouts(100, seed, threads)[0].sum())
        return steps, time.perf_counter() - began

    return play


def measured(measurements: Dict[str, Measurement], seconds: float) -> Dict[str, float]:
    """Returns the median rate of each measurement, in actions a second."""
    rates: Dict[str, List[float]] = {label: [] for label in measurements}
    for _ in range(3):
        for label, play in measurements.items():
            steps, spent = play(seconds)
            rates[label].append(steps / spent)
    return {label: statistics.median(values) for label, values in rates.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description="Random actions a second.")
    parser.add_argument("--seconds", type=float, default=2.0, help="seconds for each measurement (default 2)")
    parser.add_argument("--games", type=int, default=256, help="games at once (default 256)")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, help="threads (default: one for each core)")
    options = parser.parse_args()

    ours: Dict[str, Measurement] = {
        "draughts, single, bare": single("draughts", False),
        "draughts, single, arrays": single("draughts", True),
    }
    for threads in sorted({1, options.threads}):
        label = f"{threads} thread{'s' if threads > 1 else ''}"
        ours[f"draughts, vectorised, {label}"] = vectorised("draughts", options.games, threads)
        ours[f"draughts, rollouts, {label}"] = rollouts("draughts", threads)
    theirs: Dict[str, Measurement] = {}
    if pyspiel is not None:
        theirs = {
            "OpenSpiel checkers, bare": spiel("checkers", False),
            "OpenSpiel checkers, arrays": spiel("checkers", True),
        }
    else:
        print("OpenSpiel is not installed: no ratios")
    rates = measured({**ours, **theirs}, options.seconds)
    print(f"{'':32} {'actions/s':>12}" + "".join(f"  {'/ ' + label.split(', ')[1]:>9}" for label in theirs))
    for label, rate in rates.items():
        ratios = "".join(f"  {rate / rates[other]:9.2f}" for other in theirs)
        print(f"{label:32} {rate:12,.0f}{ratios}")

    print("\nother games")
    for name in ["scotland-yard", "dice-wars", "connect-four", "liars-dice"]:
        rates = measured(
            {
                "single, bare": single(name, False),
                "single, arrays": single(name, True),
                "vectorised": vectorised(name, options.games, options.threads),
                "rollouts": rollouts(name, options.threads),
            },
            options.seconds / 4,
        )
        print(f"{name:16}" + "".join(f"  {label} {rate:11,.0f}" for label, rate in rates.items()))


if __name__ == "__main__":
    main()
