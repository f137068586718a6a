"""The Python kit for Botyard bots.

A bot is a subclass of :class:`Bot` with a method ``choose``; :func:`main` connects it to the referee::

    from botyard import Bot, main

    class Mine(Bot):
        def choose(self, turn):
            return turn.random.choice(turn.legal_actions())

    if __name__ == "__main__":
        main(Mine)

Each game has a module with the types of its views and actions and with helper functions:
``botyard.scotland_yard``, ``botyard.draughts``, ``botyard.dice_wars``, ``botyard.connect_four`` and
``botyard.liars_dice``.
"""

from .bot import (
    Bot,
    Clock,
    Game,
    NoLegalActions,
    Outcome,
    Rulebook,
    Session,
    Turn,
    main,
    rulebook,
    run,
    serve,
)
from .options import BoolOption, EnumOption, FloatOption, IntOption, OptionError, TextOption

__version__ = "0.1.0"

__all__ = [
    "BoolOption",
    "Bot",
    "Clock",
    "EnumOption",
    "FloatOption",
    "Game",
    "IntOption",
    "NoLegalActions",
    "OptionError",
    "Outcome",
    "Rulebook",
    "Session",
    "TextOption",
    "Turn",
    "main",
    "rulebook",
    "run",
    "serve",
]
