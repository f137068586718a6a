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

:func:`play` plays a refereed game with functions of this process, which a notebook shows.

``botyard.engine`` has the rules of the games in this process, and ``botyard.env`` environments of PettingZoo and
Gymnasium; both need more than the kit. :func:`serve` makes a bot of a policy that was trained there.
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
)
from .options import BoolOption, EnumOption, FloatOption, IntOption, OptionError, TextOption
from .policy import PolicyBot, serve

TYPE_CHECKING = False
if TYPE_CHECKING:
    from .notebook import PlayedGame, play

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    # A bot needs no sockets, threads and temporary files, and its start is short without them.
    if name in ("PlayedGame", "play"):
        from . import notebook

        return getattr(notebook, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


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
    "PlayedGame",
    "PolicyBot",
    "Rulebook",
    "Session",
    "TextOption",
    "Turn",
    "main",
    "play",
    "rulebook",
    "run",
    "serve",
]
