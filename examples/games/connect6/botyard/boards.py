"""Boards of squares, of points where lines cross, and of hexagons, for :meth:`Game.picture`::

    from botyard.boards import Board

    def picture(self, state, seat):
        board = Board(3, style="paper", title="Tic-tac-toe")
        for cell, mark in enumerate(state["cells"]):
            if mark:
                board.mark(cell, mark)
            else:
                board.target(cell, action=cell, label=f"cell {cell}")
        return board.svg()

``action`` is the legal action for which something stands, and ``label`` says it in words: see :mod:`botyard.drawing`,
the only module of the kit that this one needs.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple, Union

from .drawing import GOLD, Attributes, Drawing, Point, acting, circle, colours, decimal, element, fitting, joined
from .drawing import material, path, rect, surface, text

#: A place on a board: its number from 0, row by row, or its row and column from 0.
Place = Union[int, Sequence[int]]

_ROOT3 = 1.7320508075688772


def _letters(number: int) -> str:
    """Returns the letters of a column: a to z, then aa."""
    return ("" if number < 26 else _letters(number // 26 - 1)) + chr(ord("a") + number % 26)


class _Cells(Drawing):
    """What boards with any form of cells have in common."""

    def __init__(self, width: float, height: float, title: str, lengths: Sequence[int]) -> None:
        super().__init__(width, height, title)
        self._lengths = lengths
        # Half the width of a cell.
        self._half = 25.0
        self._ground: List[str] = []
        self._lines = ""
        self._under: List[str] = []
        # In the order of drawing: where, the markup, the action and its label.
        self._pieces: List[Tuple[Tuple[int, int], str, Any, Optional[str]]] = []
        self._marked: List[Tuple[int, int]] = []

    def centre(self, at: Place) -> Point:
        """Returns where the middle of a cell is in the drawing."""
        return self._middle(*self._row_and_column(at))

    def stone(self, at: Place, colour: str, action: Any = None, label: Optional[str] = None) -> None:
        """Draws a stone: a round piece without letters."""
        self._put(at, self._disc(at, colour), action, label)

    def piece(self, at: Place, value: str, colour: str, action: Any = None, label: Optional[str] = None) -> None:
        """Draws a round piece with letters or a number."""
        x, y = self.centre(at)
        letters = colours(colour)[2]
        ring = circle(x, y, self._half * 0.62, "none", stroke=letters, stroke_opacity=0.4, stroke_width=1.2)
        size = fitting(value, self._half * 0.95, self._half * 1.15)
        value = text(x, y, size, value, letters, bold=True)
        self._put(at, self._disc(at, colour) + ring + value, action, label)

    def mark(
        self, at: Place, sign: str, colour: Optional[str] = None, action: Any = None, label: Optional[str] = None
    ) -> None:
        """Draws a cross (``x``), a nought (``o``), or any other text, as with a pen."""
        x, y = self.centre(at)
        half = self._half * 0.56
        default = {"x": "blue", "o": "red"}.get(sign.lower(), "black")
        ink = colours(colour or default)[0]
        pen: Dict[str, Any] = {"stroke_linecap": "round", "stroke_linejoin": "round"}
        if sign.lower() == "x":
            data = ""
            for side in (-1, 1):
                points = [(x - half * side, y - half), (x + 0.1 * half, y - 0.12 * half), (x + half * side, y + half)]
                at_ = [f"{decimal(one)} {decimal(other)}" for one, other in points]
                data += f"M{at_[0]}Q{at_[1]} {at_[2]}"
            markup = path(data, "none", ink, half * 0.3, **pen)
        elif sign.lower() == "o":
            ring: Attributes = {"cx": x, "cy": y, "rx": half * 1.03, "ry": half * 0.97, "fill": "none"}
            markup = element("ellipse", {**ring, "stroke": ink, "stroke-width": half * 0.3})
        else:
            markup = text(x, y, fitting(sign, self._half * 1.2, self._half * 1.7), sign, ink, bold=True)
        self._put(at, markup, action, label)

    def target(self, at: Place, action: Any, label: Optional[str] = None, dot: bool = False) -> None:
        """Makes a cell stand for an action, with what was drawn there before; ``dot`` shows where a piece can go."""
        x, y = self.centre(at)
        markup = self._cell(at, "#ffffff", 0)
        if dot:
            markup += circle(x, y, self._half * 0.24, "#1d1a16", fill_opacity=0.4)
        self._put(at, markup, action, label)

    def place(self, at: Place, name: str) -> None:
        """Names a cell, such as ``c3``, so that bots can draw on it."""
        self._under.append(element("g", {"data-place": name}, self._cell(at, "#ffffff", 0)))

    def highlight(self, at: Place, colour: str = GOLD) -> None:
        """Colours a cell, below its piece: part of the last move, or of a line that has won."""
        self._under.append(self._cell(at, colours(colour)[0], 0.65))

    def last(self, at: Place) -> None:
        """Marks the piece of the last move by a dot, above it."""
        self._marked.append(self._row_and_column(at))

    def _put(self, at: Place, markup: str, action: Any, label: Optional[str]) -> None:
        self._pieces.append((self._row_and_column(at), markup, action, label))

    def _disc(self, at: Place, colour: str) -> str:
        x, y = self.centre(at)
        fill, edge, _ = colours(colour)
        radius = self._half * 0.84
        # Light falls from the top left.
        return "".join(
            [
                circle(x + radius * 0.07, y + radius * 0.13, radius, "#000000", fill_opacity=0.3),
                circle(x, y, radius, fill, stroke=edge, stroke_width=1.2),
                circle(x - radius * 0.14, y - radius * 0.16, radius * 0.7, "#ffffff", fill_opacity=0.09),
                circle(x - radius * 0.24, y - radius * 0.28, radius * 0.42, "#ffffff", fill_opacity=0.13),
            ]
        )

    def _row_and_column(self, at: Place) -> Tuple[int, int]:
        lengths = self._lengths
        if isinstance(at, int):
            row, column = 0, at
            while 0 <= column and row < len(lengths) and column >= lengths[row]:
                row, column = row + 1, column - lengths[row]
        else:
            row, column = at
        if not (0 <= row < len(lengths) and 0 <= column < lengths[row]):
            most = sum(lengths) - 1
            raise ValueError(f"expected a place from 0 to {most}, or [row, column] in {len(lengths)} rows, got {at!r}")
        return row, column

    def _middle(self, row: int, column: int) -> Point:
        raise NotImplementedError

    def _cell(self, at: Place, fill: str, opacity: float) -> str:
        raise NotImplementedError

    def _body(self) -> List[str]:
        # The dot of the last move belongs to the piece below it, so that a click on it is one on the piece.
        dots = {place: self._dot(place) for place in self._marked}
        highest = {place: number for number, (place, *_) in enumerate(self._pieces)}
        pieces = [
            acting(markup + dots.pop(place, "") if highest[place] == number else markup, action, label)
            for number, (place, markup, action, label) in enumerate(self._pieces)
        ]
        return [*self._ground, *self._under, self._lines, *pieces, *dots.values(), *self._parts]

    def _dot(self, place: Tuple[int, int]) -> str:
        x, y = self._middle(*place)
        return circle(x, y, self._half * 0.2, "#ffffff", stroke="#1d1a16", stroke_width=1.6)


class Board(_Cells):
    """A board of squares, or of points where lines cross (``points=True``, as in Go).

    ``style`` is ``wood``, ``checkered``, ``paper`` or ``felt``. ``coordinates`` letters the columns from a and numbers
    the rows: from the ``top``, or from the ``bottom``. Places are counted from the top left.
    """

    def __init__(
        self,
        rows: int,
        columns: Optional[int] = None,
        style: str = "wood",
        points: bool = False,
        coordinates: Optional[str] = None,
        title: str = "",
    ) -> None:
        columns = rows if columns is None else columns
        if rows < 1 or columns < 1:
            raise ValueError(f"expected at least one row and one column, got {rows} and {columns}")
        self._frame = 28.0 if coordinates else 6.0 if style == "paper" else 14.0
        width, height = columns * 50 + 2 * self._frame, rows * 50 + 2 * self._frame
        super().__init__(width, height, title, [columns] * rows)
        self._ground = [surface(style, width, height, self._frame)]
        self._lines = self._grid(style, points, rows, columns)
        if coordinates:
            self._ground.append(self._coordinates(material(style).letters, coordinates, rows, columns))

    def _grid(self, style: str, points: bool, rows: int, columns: int) -> str:
        _, _, second, line, _, _ = material(style)
        edge, inset = self._frame, 25.0 if points else 0.0
        if style == "checkered" and not points:
            data = "".join(
                f"M{decimal(edge + column * 50)} {decimal(edge + row * 50)}h50v50h-50Z"
                for row in range(rows)
                for column in range((row + 1) % 2, columns, 2)
            )
            self._ground.append(path(data, second) if data else "")
            return ""
        left, top = edge + inset, edge + inset
        right, bottom = edge + columns * 50 - inset, edge + rows * 50 - inset
        # Paper has lines between the cells, as people draw them; boards have them around the cells too.
        first, after = (0, 0) if points else (1, 0) if style == "paper" else (0, 1)
        gap = 6.0 if style == "paper" and not points else 0.0
        data = ""
        for row in range(first, rows + after):
            y = top + row * 50
            data += joined([(left + gap, y), (right - gap, y)])
        for column in range(first, columns + after):
            x = left + column * 50
            data += joined([(x, top + gap), (x, bottom - gap)])
        width = 3.0 if style == "paper" else 1.4
        lines = path(data, "none", line, width, stroke_linecap="round") if data else ""
        if style == "paper":
            # Squared paper below it.
            data = ""
            for step in range(1, columns * 4):
                data += joined([(edge + step * 12.5, edge), (edge + step * 12.5, edge + rows * 50)])
            for step in range(1, rows * 4):
                data += joined([(edge, edge + step * 12.5), (edge + columns * 50, edge + step * 12.5)])
            self._ground.append(path(data, "none", second, 0.7, stroke_opacity=0.7))
        return lines + (self._stars(line, rows) if points and rows == columns else "")

    def _stars(self, fill: str, size: int) -> str:
        """Returns the dots of a board for Go."""
        if size < 9 or size % 2 == 0:
            return ""
        near = 2 if size < 13 else 3
        lines = [near, size // 2, size - 1 - near]
        middles = [(row, column) for row in lines for column in lines]
        if size < 13:
            middles = [one for one in middles if (one[0] == size // 2) == (one[1] == size // 2)]
        return "".join(circle(*self._middle(row, column), 4, fill) for row, column in middles)

    def _coordinates(self, fill: str, from_: str, rows: int, columns: int) -> str:
        if from_ not in ("top", "bottom"):
            raise ValueError(f"expected the coordinates top or bottom, got {from_!r}")
        parts = []
        for row in range(rows):
            number = str(row + 1 if from_ == "top" else rows - row)
            for x in (self._frame / 2, self.width - self._frame / 2):
                parts.append(text(x, self._middle(row, 0)[1], 14, number, fill))
        for column in range(columns):
            for y in (self._frame / 2, self.height - self._frame / 2):
                parts.append(text(self._middle(0, column)[0], y, 14, _letters(column), fill))
        return "".join(parts)

    def _middle(self, row: int, column: int) -> Point:
        return self._frame + column * 50 + 25, self._frame + row * 50 + 25

    def _cell(self, at: Place, fill: str, opacity: float) -> str:
        x, y = self.centre(at)
        return rect(x - 25, y - 25, 50, 50, fill, fill_opacity=opacity)


class HexBoard(_Cells):
    """A board of hexagons: a rhombus of ``rows`` and ``columns``, or with ``shape="hexagon"`` a hexagon with
    ``rows`` cells at each side.

    ``edges`` are the colours of the rhombus: of its top and bottom, and of its left and right. ``coordinates`` letters
    the columns and numbers the rows. A row of the rhombus begins half a cell to the right of the row above it.
    """

    def __init__(
        self,
        rows: int,
        columns: Optional[int] = None,
        shape: str = "rhombus",
        edges: Optional[Sequence[str]] = None,
        coordinates: bool = False,
        style: str = "wood",
        title: str = "",
    ) -> None:
        columns = rows if columns is None else columns
        if rows < 1 or columns < 1:
            raise ValueError(f"expected at least one row and one column, got {rows} and {columns}")
        if shape not in ("rhombus", "hexagon"):
            raise ValueError(f"expected the shape rhombus or hexagon, got {shape!r}")
        if shape == "rhombus":
            lengths = [columns] * rows
            self._offsets = [row / 2 for row in range(rows)]
        else:
            lengths = [2 * rows - 1 - abs(rows - 1 - row) for row in range(2 * rows - 1)]
            self._offsets = [(2 * rows - 1 - length) / 2 for length in lengths]
        self._radius = 50 / _ROOT3
        self._left = 46.0 if coordinates else 36.0
        self._top = 46.0 if coordinates else 36.0
        most = max(offset + length for offset, length in zip(self._offsets, lengths))
        width = most * 50 + self._left + 36
        height = (len(lengths) - 1) * 1.5 * self._radius + 2 * self._radius + self._top + 36
        super().__init__(width, height, title, lengths)
        self._half = 24.0
        self._ground = [surface(style, width, height, 10)]
        if edges is not None and shape == "rhombus":
            self._ground += self._edges(edges)
        self._ground.append(self._hexagons("#f3dcb0" if style == "wood" else material(style).field, lengths))
        self._lines = self._hexagons("none", lengths, material(style).line)
        if coordinates:
            self._ground += self._coordinates(material(style).line, lengths)

    def _corners(self, row: int, column: int) -> List[Point]:
        """Returns the corners of a cell, clockwise from the top."""
        x, y = self._middle(row, column)
        radius, half = self._radius, 25
        return [
            (x, y - radius),
            (x + half, y - radius / 2),
            (x + half, y + radius / 2),
            (x, y + radius),
            (x - half, y + radius / 2),
            (x - half, y - radius / 2),
        ]

    def _edges(self, edges: Sequence[str]) -> List[str]:
        rows, columns = len(self._lengths), self._lengths[0]
        sides: List[List[Point]] = [[], [], [], []]
        for column in range(columns):
            upper, lower = self._corners(0, column), self._corners(rows - 1, column)
            sides[0] += [upper[5], upper[0], upper[1]]
            sides[1] += [lower[4], lower[3], lower[2]]
        for row in range(rows):
            left, right = self._corners(row, 0), self._corners(row, columns - 1)
            sides[2] += [left[5], left[4]]
            sides[3] += [right[1], right[2]]
        named = [edges[0], edges[0], edges[1], edges[1]]
        return [
            path(joined(side), "none", ink, width, stroke_linejoin="round", stroke_linecap="round")
            for side, colour in zip(sides, named)
            for ink, width in [(colours(colour)[1], 18), (colours(colour)[0], 15)]
        ]

    def _hexagons(self, fill: str, lengths: Sequence[int], line: Optional[str] = None) -> str:
        data = "".join(
            joined(self._corners(row, column), True) for row, length in enumerate(lengths) for column in range(length)
        )
        return path(data, fill, line, 1.4 if line else None, stroke_linejoin="round" if line else None)

    def _coordinates(self, fill: str, lengths: Sequence[int]) -> List[str]:
        parts = []
        for row in range(len(lengths)):
            x, y = self._middle(row, 0)
            parts.append(text(x - 44, y, 14, str(row + 1), fill, bold=True))
        for column in range(lengths[0]):
            x, y = self._middle(0, column)
            parts.append(text(x - 12, y - self._radius - 12, 14, _letters(column), fill, bold=True))
        return parts

    def _middle(self, row: int, column: int) -> Point:
        x = self._left + (self._offsets[row] + column + 0.5) * 50
        return x, self._top + self._radius * (1 + 1.5 * row)

    def _cell(self, at: Place, fill: str, opacity: float) -> str:
        return path(joined(self._corners(*self._row_and_column(at)), True), fill, fill_opacity=opacity)
