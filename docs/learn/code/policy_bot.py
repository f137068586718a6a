"""Plays the policy that train_policy.py trained, as a bot."""

from pathlib import Path

import numpy as np

import botyard

weights = np.load(Path(__file__).with_name("policy.npz"))["weights"]


def policy(observation, mask):
    """A number for each action: the bot plays the legal one with the largest."""
    return observation @ weights


botyard.serve(policy, "scotland-yard", rules="grid-5x5-2", name="policy")
