"""Trains a policy for Scotland Yard on the grid of 5x5 cells, by playing against itself.

    python3 train_policy.py [--updates 400] [--seed 1] [--out policy.npz]
"""

import argparse

import numpy as np

from botyard.engine import Game, VectorEnv

RULES = "grid-5x5-2"
GAMES, STEPS = 256, 180  # games at once, and steps between two updates
LEARNING_RATE, ENTROPY = 0.01, 0.02
DISCOUNT = 0.95  # what an end is worth one step earlier: flee long, catch soon


def probabilities(scores, masks):
    """Softmax over the legal actions."""
    scores = np.where(masks, scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


def draw(chances, rng):
    """Draws an action for each row of probabilities."""
    sums = chances.cumsum(axis=1)
    return (sums <= rng.random((len(chances), 1)) * sums[:, -1:]).sum(axis=1)


class Adam:
    """Gradient ascent with a step size for each weight (Kingma and Ba, 2015)."""

    def __init__(self, shape):
        self.mean, self.square, self.time = np.zeros(shape), np.zeros(shape), 0

    def step(self, gradient):
        self.time += 1
        self.mean += 0.1 * (gradient - self.mean)
        self.square += 0.001 * (gradient**2 - self.square)
        mean = self.mean / (1 - 0.9**self.time)
        return LEARNING_RATE * mean / (np.sqrt(self.square / (1 - 0.999**self.time)) + 1e-8)


def play(env, weights, rng):
    """Plays STEPS steps. Returns what was seen, the choices, how the games ended for the seats that chose, and the part
    of the games that the detectives won."""
    env.reset(int(rng.integers(2**62)))
    size, count = env.game.observation_size, env.game.action_count
    seen = np.empty((STEPS, GAMES, size), np.float32)
    masks = np.empty((STEPS, GAMES, count), bool)
    actions = np.empty((STEPS, GAMES), np.int64)
    seats = np.empty((STEPS, GAMES), np.int8)
    returns = np.full((STEPS, GAMES), np.nan, np.float32)
    begun = np.zeros(GAMES, np.int64)  # the step at which the game in progress began
    caught = []
    for step in range(STEPS):
        seen[step], masks[step], seats[step] = env.observations, env.masks, env.seats
        actions[step] = draw(probabilities(seen[step] @ weights, masks[step]), rng)
        _, _, _, rewards, dones = env.step(actions[step])
        for game in np.flatnonzero(dones):
            span = slice(begun[game], step + 1)
            left = np.arange(step - begun[game], -1, -1)
            returns[span, game] = rewards[game, seats[span, game]] * DISCOUNT**left
            begun[game] = step + 1
            caught.append(rewards[game, 1] > 0)
    ended = ~np.isnan(returns)  # without the games that are still in progress
    return seen[ended], masks[ended], actions[ended], seats[ended], returns[ended], np.mean(caught)


def train(updates, seed, say=print):
    rng = np.random.default_rng(seed)
    game = Game("scotland-yard", RULES)
    env = VectorEnv(game, GAMES, seed)
    weights = np.zeros((game.observation_size, game.action_count), np.float32)
    values = np.zeros((len(game.seats), game.observation_size))  # the expected end, for each seat
    adam = Adam(weights.shape)
    for update in range(1, updates + 1):
        seen, masks, actions, seats, returns, caught = play(env, weights, rng)
        advantages = np.empty_like(returns)
        for seat in range(len(game.seats)):
            own = seats == seat
            advantages[own] = returns[own] - seen[own] @ values[seat]
            values[seat] += seen[own].T @ advantages[own] / (10 * own.sum())
        chances = probabilities(seen @ weights, masks)
        # REINFORCE (Williams, 1992): make what ended better than expected more likely, and keep some chance.
        logs = np.log(np.where(chances > 0, chances, 1))
        surprise = -logs - (-logs * chances).sum(axis=1, keepdims=True)
        gradient = -chances * advantages[:, None] + ENTROPY * chances * surprise
        gradient[np.arange(len(actions)), actions] += advantages
        weights += adam.step(seen.T @ gradient / len(actions)).astype(np.float32)
        if update % 50 == 0:
            say(f"update {update}: the detectives win {caught:.0%} of the games")
    return weights


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--updates", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", default="policy.npz")
    options = parser.parse_args()
    np.savez(options.out, weights=train(options.updates, options.seed))
