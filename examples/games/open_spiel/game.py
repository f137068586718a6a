"""OpenSpiel's games for Botyard.

``python3 game.py`` has all of them, one under each set of rules. ``python3 game.py NAME GAME`` has one game, under the
name NAME of its bundle; GAME is in OpenSpiel's notation: ``hex``, ``hex(board_size=5)``. With ``describe`` before them,
it prints the line about the game and a table of its rules.
"""

import sys

from botyard.rules import Refused, serve
from bundles import description, every, single

if __name__ == "__main__":
    words = sys.argv[1:]
    try:
        if not words:
            serve(every())
        elif words[0] == "describe" and len(words) == 3:
            print(description(single(words[1], words[2])))
        elif len(words) == 2:
            serve(single(*words))
        else:
            sys.exit("expected no arguments, or the name of the bundle and a game of OpenSpiel")
    except Refused as refused:
        sys.exit(refused.message)
