"""Liar's Dice, as an environment of PettingZoo. Its agents are ``player-1`` and so on."""

from typing import Any, Optional

from .aec import RawEnv, wrapped


def raw_env(rules: Any = None, render_mode: Optional[str] = None) -> RawEnv:
    """Returns the environment without checks. ``rules`` are those of :class:`botyard.engine.Game`."""
    return RawEnv("liars-dice", 0, rules, render_mode)


def env(rules: Any = None, render_mode: Optional[str] = None) -> Any:
    """Returns the environment with PettingZoo's checks: see :func:`botyard.env.aec.wrapped`."""
    return wrapped(raw_env(rules, render_mode))
