"""Connect Four: the types of its views and actions, legal actions, and dropping a disc.

The rules and the JSON are described in ``docs/games/connect-four.md``.
"""

from typing import Dict, List, TypedDict

from .bot import Rulebook

COLUMNS, ROWS = 7, 6
YELLOW, RED, EMPTY = "x", "o", "."


class Action(TypedDict):
    """A disc in a column, from 1 (left) to 7 (right)."""

    column: int


class _View(TypedDict):
    columns: List[List[str]]
    discs: int


class View(_View, total=False):
    """The board: columns from left to right, each from bottom to top. Yellow moves when ``discs`` is even."""

    end: str


class ConnectFour(Rulebook):
    """The game. It has no rules to set."""

    NAME = "connect-four"

    def __init__(self, rules: "Dict[str, object]", setup: "Dict[str, object]") -> None:
        pass

    def legal(self, view: View) -> List[Action]:
        """Returns the legal actions, from left to right."""
        if "end" in view:
            return []
        return [{"column": n} for n, cells in enumerate(view["columns"], 1) if cells[-1] == EMPTY]

    def play(self, view: View, action: Action) -> View:
        """Returns the view after a disc of the side to move. ``end`` is ``four_in_line`` or ``full`` at the end."""
        columns = [list(cells) for cells in view["columns"]]
        column = action["column"] - 1
        row = columns[column].index(EMPTY)
        columns[column][row] = YELLOW if view["discs"] % 2 == 0 else RED
        after: View = {"columns": columns, "discs": view["discs"] + 1}
        if wins_at(columns, column, row):
            after["end"] = "four_in_line"
        elif after["discs"] == COLUMNS * ROWS:
            after["end"] = "full"
        return after


def wins_at(columns: List[List[str]], column: int, row: int) -> bool:
    """Returns whether the disc there (counted from 0) is in a line of four."""
    disc = columns[column][row]

    def run(across: int, up: int) -> int:
        x, y, length = column + across, row + up, 0
        while 0 <= x < COLUMNS and 0 <= y < ROWS and columns[x][y] == disc:
            x, y, length = x + across, y + up, length + 1
        return length

    return any(run(dx, dy) + run(-dx, -dy) >= 3 for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)))


RULEBOOK = ConnectFour
