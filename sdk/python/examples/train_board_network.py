"""Trains the network that ``max-n`` evaluates boards of Dice Wars with: that of Doležel et al. (2021, chapter 5).

    botyard replay export replays/*.ndjson --arrays boards
    python3 train_board_network.py boards --out network.weights
    botyard match dice-wars max-n:eval=network.weights max-n:eval=region ...

It needs NumPy alone. A row of ``states.npy`` is a board (663 numbers) and the number of the player who won the game.
As many rows are kept of each winner, they are shuffled, and divided into three parts: one to learn from, one that
stops the training, one to judge it. Unlike in the report, whole games are divided, and areas get other numbers in every
batch: rows of one game have the same map, and a network that remembers maps knows the winners of all its rows.
``--report`` does as the report.
"""

import argparse
import struct
import sys
import zlib
from pathlib import Path
from typing import Any, Dict, List, NamedTuple, Optional, Tuple

import numpy as np

PLAYERS, INPUTS, FIRST, SECOND = 4, 663, 64, 32
SHAPES = [(INPUTS, FIRST), (FIRST,), (FIRST, SECOND), (SECOND,), (SECOND, PLAYERS), (PLAYERS,)]
AREAS, OWNERS, DICE = 34, 595, 629  # the number of areas, and where owners and dice begin
BATCH, RATE, DECAY = 256, 2e-3, 1e-4
PARTS = {"train": 0.7, "validation": 0.15, "test": 0.15}

Array = Any  # numpy.ndarray, whose type arguments differ between versions of NumPy


class Part(NamedTuple):
    boards: Array  # rows of 663 numbers from 0 to 8
    winners: Array  # 0 to 3


def read(place: Path) -> Tuple[Array, Array]:
    """Returns the boards with their winners, and the game of each."""
    states, games = np.load(place / "states.npy", mmap_mode="r"), np.load(place / "games.npy")
    if states.ndim != 2 or states.shape[1] != INPUTS + 1 or len(games) != len(states):
        sys.exit(
            f"{place}: expected rows of {INPUTS + 1} numbers and a game for each, got {states.shape} and {games.shape}:"
            " export them with `botyard replay export --arrays`"
        )
    return states, games


def balanced(winners: Array, most: int, rng: np.random.Generator) -> Array:
    """Draws the indices of as many rows of each winner, at most `most` together, in random order."""
    of_each = [np.flatnonzero(winners == player) for player in range(1, PLAYERS + 1)]
    count = min(min(map(len, of_each)), most // PLAYERS)
    if count == 0:
        sys.exit("expected games that each of the four players has won: export more games")
    return rng.permutation(np.concatenate([rng.choice(rows, count, replace=False) for rows in of_each]))


def divide(states: Array, games: Array, by_rows: bool, most: int, rng: np.random.Generator) -> Dict[str, Part]:
    """Returns the three parts, each with as many rows of each winner."""
    units = np.arange(len(states)) if by_rows else games
    kinds = rng.permutation(int(units.max()) + 1)
    bounds = np.cumsum([0.0, *PARTS.values()]) * len(kinds)
    parts = {}
    for name, least, end in zip(PARTS, bounds, bounds[1:]):
        inside = np.flatnonzero(np.isin(units, kinds[round(least) : round(end)]))
        chosen = inside[balanced(states[inside, -1], int(most * PARTS[name]), rng)]
        rows = np.asarray(states[np.sort(chosen)])[np.argsort(np.argsort(chosen))]
        parts[name] = Part(rows[:, :-1], rows[:, -1].astype(np.int64) - 1)
    return parts


def triangle() -> Array:
    """Returns the place of each pair of areas in the upper triangle of the matrix of adjacency."""
    places = np.zeros((AREAS, AREAS), int)
    rows, columns = np.triu_indices(AREAS)
    places[rows, columns] = places[columns, rows] = np.arange(OWNERS)
    return places


def renumbered(boards: Array, rng: np.random.Generator) -> Array:
    """Returns the same boards with their areas in another order."""
    order = rng.permutation(AREAS)
    pairs = triangle()[np.ix_(order, order)][np.triu_indices(AREAS)]
    return boards[:, np.concatenate([pairs, OWNERS + order, DICE + order])]


def largest_regions(boards: Array) -> Array:
    """Returns the number of areas in the largest region of each player."""
    touch = boards[:, triangle()] > 0
    sizes = []
    for player in range(1, PLAYERS + 1):
        own = boards[:, OWNERS:DICE] == player
        joined = (touch | np.eye(AREAS, dtype=bool)) & own[:, :, None] & own[:, None, :]
        for _ in range(6):  # 2 to the power of 6 steps reach every area
            joined = np.matmul(joined.astype(np.float32), joined.astype(np.float32)) > 0
        sizes.append(joined.sum(axis=2).max(axis=1))
    return np.stack(sizes, axis=1)


def forward(weights: List[Array], inputs: Array) -> Tuple[Array, Array, Array]:
    """Returns the units of both hidden layers, and the probability of each player to win."""
    one, one_bias, two, two_bias, out, out_bias = weights
    first = np.maximum(inputs @ one + one_bias, 0)
    second = np.maximum(first @ two + two_bias, 0)
    logits = second @ out + out_bias
    shares = np.exp(logits - logits.max(axis=1, keepdims=True))
    return first, second, shares / shares.sum(axis=1, keepdims=True)


def gradients(weights: List[Array], inputs: Array, winners: Array) -> List[Array]:
    """Returns the gradients of the mean cross-entropy."""
    first, second, errors = forward(weights, inputs)
    errors[np.arange(len(winners)), winners] -= 1
    errors /= len(winners)
    into_second = (errors @ weights[4].T) * (second > 0)
    into_first = (into_second @ weights[2].T) * (first > 0)
    layers = [(inputs, into_first), (first, into_second), (second, errors)]
    return [part for before, into in layers for part in (before.T @ into, into.sum(axis=0))]


def judge(weights: List[Array], scaled: Any, part: Part) -> Tuple[float, float]:
    """Returns the mean cross-entropy, and the part of the rows whose winner has the largest share."""
    pieces = [scaled(part.boards[at : at + 8192]) for at in range(0, len(part.boards), 8192)]
    shares = np.concatenate([forward(weights, piece)[2] for piece in pieces])
    chances = shares[np.arange(len(shares)), part.winners]
    return float(-np.log(np.maximum(chances, 1e-12)).mean()), float((shares.argmax(axis=1) == part.winners).mean())


def train(parts: Dict[str, Part], renumber: bool, epochs: int, patience: int, rng: np.random.Generator) -> List[Array]:
    """Returns the weights with the least loss on the validation part, for boards as they are."""
    learned = parts["train"]
    mean, scale = np.zeros(INPUTS, np.float32), np.ones(INPUTS, np.float32)
    for inputs in (slice(OWNERS, DICE), slice(DICE, INPUTS)):
        mean[inputs], scale[inputs] = learned.boards[:, inputs].mean(), 1 / learned.boards[:, inputs].std()

    def scaled(boards: Array) -> Array:
        return (boards - mean) * scale

    weights = [rng.normal(0, (2 / sum(shape[:-1])) ** 0.5 if len(shape) > 1 else 0, shape) for shape in SHAPES]
    weights = [part.astype(np.float32) for part in weights]
    moments = [[np.zeros_like(part), np.zeros_like(part)] for part in weights]
    best: Optional[Tuple[float, List[Array]]] = None
    steps, worse = 0, 0
    for epoch in range(1, epochs + 1):
        order = rng.permutation(len(learned.boards))
        rate = RATE * (1 - (epoch - 1) / epochs)
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            steps += 1
            # Adam (Kingma and Ba 2015), with decoupled decay of weights (Loshchilov and Hutter 2019).
            boards = renumbered(learned.boards[rows], rng) if renumber else learned.boards[rows]
            changes = gradients(weights, scaled(boards), learned.winners[rows])
            for part, moment, change in zip(weights, moments, changes):
                moment[0] += 0.1 * (change - moment[0])
                moment[1] += 0.001 * (change * change - moment[1])
                step = moment[0] / (1 - 0.9**steps) / (np.sqrt(moment[1] / (1 - 0.999**steps)) + 1e-8)
                part -= rate * (step + (DECAY * part if part.ndim > 1 else 0))
        judged = {name: judge(weights, scaled, part) for name, part in parts.items()}
        said = [f"{name} {loss:.4f} ({right:.1%})" for name, (loss, right) in judged.items()]
        print(f"epoch {epoch:3}  " + "  ".join(said), flush=True)
        loss, worse = judged["validation"][0], worse + 1
        if best is None or loss < best[0]:
            best, worse = (loss, [part.copy() for part in weights]), 0
        if worse == patience:
            print(f"stopped: no less loss on the validation part for {patience} epochs")
            break
    assert best is not None
    one, one_bias, *others = best[1]
    return [one * scale[:, None], one_bias - (mean * scale) @ one, *others]


def write(path: Path, weights: List[Array]) -> None:
    """Writes a file of weights as docs/training.md describes it."""
    numbers = b"".join(part.astype("<f4").tobytes() for part in weights)
    path.write_bytes(b"bydwnet\x01" + struct.pack("<II", len(numbers) // 4, zlib.crc32(numbers)) + numbers)


def main(arguments: Optional[List[str]] = None) -> None:
    parser = argparse.ArgumentParser(description="Trains the network of max-n for Dice Wars from exported boards.")
    parser.add_argument("boards", type=Path, help="directory written by `botyard replay export --arrays`")
    parser.add_argument("--out", type=Path, default=Path("network.weights"), help="file of weights to write")
    parser.add_argument("--report", action="store_true", help="divide rows, and let areas keep their numbers")
    parser.add_argument("--states", type=int, default=300_000, help="the most rows to use")
    parser.add_argument("--epochs", type=int, default=80, help="the most epochs")
    parser.add_argument("--patience", type=int, default=20, help="epochs without less loss before training stops")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(arguments)
    rng = np.random.default_rng(args.seed)
    states, games = read(args.boards)
    parts = divide(states, games, args.report, args.states, rng)
    sizes = ", ".join(f"{name} {len(part.boards)}" for name, part in parts.items())
    print(f"{int(games.max()) + 1} games; states: {sizes}")
    right = largest_regions(parts["test"].boards).argmax(axis=1) == parts["test"].winners
    print(f"the largest region names the winner in {right.mean():.1%} of the test part")
    write(args.out, train(parts, not args.report, args.epochs, args.patience, rng))
    print(args.out)


if __name__ == "__main__":
    main()
