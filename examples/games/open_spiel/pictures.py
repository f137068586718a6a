"""Pictures of OpenSpiel's states: boards, read from its texts, and the text itself where there is no board to draw.

``BOARDS`` says of each game how its text shows the board and how its actions name cells. A text that does not have that
form, as under unusual parameters, is drawn as text.
"""

import re
import textwrap
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence, Tuple, Union

from botyard.boards import Board, HexBoard
from botyard.drawing import Attributes, Drawing, circle, element, escaped

Cell = Tuple[int, int]
AnyBoard = Union[Board, HexBoard]

#: The longest line of a text that is drawn, in characters.
_WIDE = 60

_ANSI = re.compile("\x1b\\[[0-9;]*m")

#: How actions name cells: the pattern, and the cell of what it found on a board with that many rows.
Naming = Tuple[str, Callable[[Sequence[str], int], Cell]]


def _algebraic(groups: Sequence[str], rows: int) -> Cell:
    return rows - int(groups[1]), ord(groups[0]) - ord("a")


def _from_the_top(groups: Sequence[str], rows: int) -> Cell:
    return int(groups[1]) - 1, ord(groups[0]) - ord("a")


def _without_i(groups: Sequence[str], rows: int) -> Cell:
    return rows - int(groups[1]), "abcdefghjklmnopqrstuvwxyz".index(groups[0])


def _of_a_hexagon(groups: Sequence[str], rows: int) -> Cell:
    row = int(groups[1]) - 1
    return row, ord(groups[0]) - ord("a") - max(0, row - rows // 2)


def _of_nine_boards(groups: Sequence[str], rows: int) -> Cell:
    board, row, column = map(int, groups)
    return board // 3 * 3 + row, board % 3 * 3 + column


ALGEBRAIC: Naming = (r"([a-z])(\d+)", _algebraic)
TOP: Naming = (r"([a-z])(\d+)", _from_the_top)
GO: Naming = (r"([a-z])(\d+)", _without_i)
HEXAGON: Naming = (r"([a-z])(\d+)", _of_a_hexagon)
PAIR: Naming = (r"(\d+),\s*(\d+)", lambda groups, rows: (int(groups[0]), int(groups[1])))
PAIR_FROM_1: Naming = (r"(\d+),\s*(\d+)", lambda groups, rows: (int(groups[0]) - 1, int(groups[1]) - 1))
NINE: Naming = (r"board (\d): .\((\d),(\d)\)", _of_nine_boards)
COLUMN: Naming = (r"(\d+)", lambda groups, rows: (-1, int(groups[0])))

_STONES = {"b": "black", "w": "white", "x": "black", "o": "white", "X": "black", "O": "white"}
_MARKS = {"x": "x", "o": "o"}
_HEX = {**dict.fromkeys("xyzX", "black"), **dict.fromkeys("opqO", "white"), "@": "black"}


class Shape(NamedTuple):
    """How a board is read and drawn."""

    #: The lines of a text that are rows, with the cells as the first group.
    rows: str
    naming: Naming
    #: Colours of stones by their characters.
    stones: Dict[str, str] = {}
    #: Marks made with a pen, by their characters.
    marks: Dict[str, str] = {}
    #: Pieces with letters: the letters and the colour.
    pieces: Dict[str, Tuple[str, str]] = {}
    style: str = "wood"
    points: bool = False
    coordinates: Optional[str] = None
    #: ``rhombus``, ``hexagon``, or squares.
    hexes: Optional[str] = None


def _lettered(letters: str, upper: str, lower: str) -> Dict[str, Tuple[str, str]]:
    both = [(letter, upper) for letter in letters.upper()] + [(letter, lower) for letter in letters.lower()]
    return {letter: (letter.upper(), colour) for letter, colour in both}


_CHESS = Shape(r"([pnbrqkPNBRQK.?]{4,})", ALGEBRAIC, {}, {"?": "?"}, _lettered("pnbrqk", "white", "black"), "checkered")
_CHESS = _CHESS._replace(coordinates="bottom")
_PAPER = Shape(r"([xo.]{3})", PAIR, marks=_MARKS, style="paper")
_LINES = Shape(r"\s*\d+ ([+XO]{2,})", GO, _STONES, points=True)
_RHOMBUS = Shape(r"((?:\s*[.xyzXopqO])+)\s*", TOP, _HEX, hexes="rhombus")

BOARDS: Dict[str, Shape] = {
    "amazons": Shape(r"([XO#.]{4,})", PAIR_FROM_1, {"X": "black", "O": "white", "#": "red"}, style="checkered"),
    "antichess": _CHESS,
    "breakthrough": Shape(r"\d([bw.]+)", ALGEBRAIC, _STONES, style="checkered", coordinates="bottom"),
    "checkers": Shape(
        r"\d([.o8+*]+)",
        ALGEBRAIC,
        {"o": "white", "+": "red"},
        pieces={"8": ("K", "white"), "*": ("K", "red")},
        style="checkered",
        coordinates="bottom",
    ),
    "chess": _CHESS,
    "clobber": Shape(r"\d+([xo.]+)", ALGEBRAIC, _STONES, style="checkered", coordinates="bottom"),
    "connect_four": Shape(r"([xo.]{3,})", COLUMN, {"x": "red", "o": "yellow"}),
    "cursor_go": _LINES,
    "dark_chess": _CHESS,
    "dark_hex": _RHOMBUS,
    "dark_hex_ir": _RHOMBUS,
    "go": _LINES,
    "gomoku": Shape(r"([bw.]{4,})", PAIR, _STONES, points=True),
    "havannah": Shape(r"\s*\d+((?:[ \[\]]*[.@O])+)[ \]]*[a-z]?", HEXAGON, _HEX, hexes="hexagon"),
    "hex": _RHOMBUS,
    "kriegspiel": _CHESS,
    "latent_ttt": _PAPER,
    "lines_of_action": Shape(r"\d([xo.]+)", ALGEBRAIC, _STONES, style="checkered", coordinates="bottom"),
    "mnk": Shape(r"([xo.]{3,})", PAIR, _STONES, points=True),
    "othello": Shape(r"\d ((?:[-xo] )+)\d", TOP, _STONES, style="felt", coordinates="top"),
    "phantom_go": _LINES,
    "phantom_ttt": _PAPER,
    "phantom_ttt_ir": _PAPER,
    "rbc": _CHESS,
    "tic_tac_toe": _PAPER,
    "ultimate_tic_tac_toe": Shape(r"((?:[xo.]{3} ?){3})", NINE, marks=_MARKS, style="paper"),
    "xiangqi": Shape(r"([A-Za-z.]{9})", PAIR, pieces=_lettered("rheagcs", "red", "black"), points=True),
}


def rows_of(text: str, shape: Shape) -> List[List[str]]:
    """Returns the cells of a text, row by row; nothing if it has no such rows or several boards."""
    lines = text.split("\n")
    if "[pnbrqk" in shape.rows:
        lines = [re.sub(r"\d", lambda digit: "." * int(digit[0]), row) for row in text.split(" ")[0].split("/")]
    found = [re.fullmatch(shape.rows, line) for line in lines]
    rows = [re.findall(r"[^\s\[\]]", match[1]) for match in found if match]
    if "\n\n" in text and shape is _LINES:
        rows = rows[: len(rows[0])] if rows else rows  # The players' own boards follow.
    lengths = [len(row) for row in rows]
    if shape.hexes == "hexagon":
        size = (len(rows) + 1) // 2
        expected = [2 * size - 1 - abs(size - 1 - row) for row in range(2 * size - 1)]
        return rows if rows and lengths == expected else []
    return rows if len(rows) > 1 and len(set(lengths)) == 1 else []


def cells_of(label: str, naming: Naming, rows: Sequence[Sequence[str]]) -> List[Cell]:
    """Returns the cells that an action names, those on the board."""
    pattern, cell = naming
    cells = [cell(match.groups(), len(rows)) for match in re.finditer(pattern, label)]
    if naming is COLUMN:
        # The lowest empty cell.
        columns = [column for _, column in cells if 0 <= column < len(rows[0])]
        cells = [(sum(row[column] == "." for row in rows) - 1, column) for column in columns]
    return [(row, column) for row, column in cells if 0 <= row < len(rows) and 0 <= column < len(rows[row])]


def picture(game: Any, course: Any, player: Optional[int]) -> str:
    """Returns a state as an SVG document, as far as a player may see it; all of it for ``None``."""
    state, kind = course.state, game.kind
    text = str(state)
    if player is not None and game.hides:
        text = game.information(course, player)
        if kind.provides_observation_string:
            text = _said(state.observation_string, player) or text
    text = _ANSI.sub("", text)
    is_turn = not state.is_terminal() and not state.is_chance_node() and player in (None, game.player(course))
    labels = list(game.labels(course)) if is_turn and not (game.hides and player is None) else []
    shape = BOARDS.get(kind.short_name)
    rows = rows_of(text, shape) if shape else []
    if shape is None or not rows:
        return written(text)
    board = drawn(shape, rows, f"{kind.long_name}")
    actions: Dict[Cell, List[Tuple[Any, Optional[Cell]]]] = {}
    for label in labels:
        cells = cells_of(str(label), shape.naming, rows)
        if cells:
            actions.setdefault(cells[-1], []).append((label, cells[0] if len(cells) > 1 else None))
    for cell, here in actions.items():
        if len(here) == 1:
            board.target(cell, here[0][0], str(here[0][0]), dot=shape.style in ("checkered", "felt"))
        else:
            _choices(board, cell, here)
    return board.svg()


def drawn(shape: Shape, rows: Sequence[Sequence[str]], title: str) -> AnyBoard:
    """Returns a board with what stands on it."""
    board: AnyBoard
    if shape.hexes == "hexagon":
        board = HexBoard((len(rows) + 1) // 2, shape="hexagon", title=title)
    elif shape.hexes:
        # The first player joins the top to the bottom.
        board = HexBoard(len(rows), len(rows[0]), edges=("black", "white"), coordinates=True, title=title)
    else:
        board = Board(len(rows), len(rows[0]), shape.style, shape.points, shape.coordinates, title)
    for row, cells in enumerate(rows):
        for column, sign in enumerate(cells):
            at = (row, column)
            if sign in shape.stones:
                board.stone(at, shape.stones[sign])
            elif sign in shape.marks:
                board.mark(at, shape.marks[sign])
            elif sign in shape.pieces:
                board.piece(at, *shape.pieces[sign])
    return board


def _choices(board: AnyBoard, cell: Cell, here: Sequence[Tuple[Any, Optional[Cell]]]) -> None:
    """Draws a dot for each of several actions that end in a cell, on the side from which the piece comes."""
    x, y = board.centre(cell)
    for number, (label, origin) in enumerate(here):
        if origin is None or origin == cell:
            right, down = (number - (len(here) - 1) / 2) * 32 / len(here), 0.0
        else:
            from_x, from_y = board.centre(origin)
            length = max(((from_x - x) ** 2 + (from_y - y) ** 2) ** 0.5, 1)
            right, down = (from_x - x) / length * 16, (from_y - y) / length * 16
        board.add(circle(x + right, y + down, 6, "#1d1a16", fill_opacity=0.45), label, str(label))


def written(text: str) -> str:
    """Returns a text as a drawing, line by line, in the colour of the page's text."""
    text = text if text.strip() else "There is nothing to see."
    lines = text.expandtabs(4).strip("\n").split("\n")
    if max(map(len, lines)) > _WIDE:
        lines = [part for line in lines for part in _parts(line)]
    width = max([20, *map(len, lines)]) * 8.6 + 20
    drawing = Drawing(width, len(lines) * 19 + 16)
    for number, line in enumerate(lines):
        # Spaces at the beginning of a text and after another are left out of drawings.
        content = escaped(line.replace(" ", "\u00a0"))
        place: Attributes = {"x": 10, "y": 22 + 19 * number, "font-size": 14, "font-family": "monospace"}
        drawing.add(element("text", {**place, "fill": "currentColor"}, content) if line.strip() else "")
    return drawing.svg()


def _parts(line: str) -> List[str]:
    """Returns a long line in parts: its bracketed parts, or pieces of its words."""
    if len(line) > _WIDE and "][" in line:
        line = line.replace("][", "]\n[")
    return [part for piece in line.split("\n") for part in textwrap.wrap(piece, _WIDE) or [""]]


def _said(ask: Callable[[int], str], player: int) -> str:
    try:
        return ask(player)
    except RuntimeError:
        return ""
