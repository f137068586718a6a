"""Tables with cards, dice and chips, for :meth:`Game.picture`::

    from botyard.tables import Table, back, card

    def picture(self, state, seat):
        table = Table("Poker")
        for name in self.seats:
            own = [card(*one) if seat in (name, None) else back() for one in state["hands"][name]]
            table.row(name, own, note=f"{state['chips'][name]} chips", active=state["to_move"] == name)
        return table.svg()

``action`` is the legal action for which something stands, and ``label`` says it in words: see :mod:`botyard.drawing`,
the only module of the kit that this one needs.
"""

from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Union

from .drawing import GOLD, Attributes, Drawing, Point, acting, circle, colours, decimal, element, escaped, fitting
from .drawing import joined, material, path, rect, surface, text


class Item(NamedTuple):
    """Something that lies on a :class:`Table`, drawn from its top left corner."""

    width: float
    height: float
    markup: str
    action: Any = None
    label: Optional[str] = None


_SUITS = {
    "spades": "M0-10C4-4 10-1 10 4 10 9 4 10 1.4 6.4 1.6 8.6 2.4 9.6 3.6 10.4H-3.6C-2.4 9.6-1.6 8.6-1.4 6.4-4 10-10 9"
    "-10 4-10-1-4-4 0-10Z",
    "hearts": "M0 10C-3 5-10 1-10-4.4-10-10-2.4-11 0-5 2.4-11 10-10 10-4.4 10 1 3 5 0 10Z",
    "diamonds": "M0-11C2-6.6 5-3 8 0 5 3 2 6.6 0 11-2 6.6-5 3-8 0-5-3-2-6.6 0-11Z",
    "clubs": "M-1.4 3.2C-3.6 8-10.4 6.6-10.4 1.4-10.4-3-6.4-4.4-3.8-3.2-6.4-6.6-3.6-10.6 0-10.6 3.6-10.6 6.4-6.6 3.8"
    "-3.2 6.4-4.4 10.4-3 10.4 1.4 10.4 6.6 3.6 8 1.4 3.2 1.6 7 2.4 9.4 3.6 10.4H-3.6C-2.4 9.4-1.6 7-1.4 3.2Z",
}
_SERIF = "Georgia, serif"
_RANKS = {"ace": "A", "jack": "J", "queen": "Q", "king": "K"}
# Where the signs of a card with a number are: columns from -1 to 1, rows from -1 to 1.
_PIPS: Dict[int, List[Point]] = {
    1: [(0, 0)],
    2: [(0, -1), (0, 1)],
    3: [(0, -1), (0, 0), (0, 1)],
    4: [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    5: [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    6: [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    7: [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    8: [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    9: [(-1, -1), (1, -1), (-1, -0.34), (1, -0.34), (0, 0), (-1, 0.34), (1, 0.34), (-1, 1), (1, 1)],
    10: [(-1, -1), (1, -1), (0, -0.67), (-1, -0.34), (1, -0.34), (-1, 0.34), (1, 0.34), (0, 0.67), (-1, 1), (1, 1)],
}


def _sheet() -> str:
    """Returns an empty card with its shadow."""
    shadow = rect(2, 3, 80, 112, "#000000", fill_opacity=0.28, rx=7)
    return shadow + rect(0, 0, 80, 112, "#fdfaf2", rx=7, stroke="#8d8574", stroke_width=1.2)


def _sign(suit: str, x: float, y: float, scale: float, fill: str) -> str:
    move = f"translate({decimal(x)} {decimal(y)}) scale({decimal(scale)})"
    return path(_SUITS[suit], fill, transform=move)


def card(rank: Union[int, str], suit: Optional[str] = None, action: Any = None, label: Optional[str] = None) -> Item:
    """Returns a card: its rank, a number or a word such as ``king``, and its suit, ``spades``, ``hearts``,
    ``diamonds`` or ``clubs``; without a suit the rank alone."""
    if suit is not None and suit not in _SUITS:
        raise ValueError(f"expected a suit of {', '.join(_SUITS)}, got {suit!r}")
    short = _RANKS.get(str(rank).lower(), str(rank))
    ink = "#b3231f" if suit in ("hearts", "diamonds") else "#211f1d"
    corner: Attributes = {"font-family": _SERIF, "font-weight": "bold", "text-anchor": "middle", "fill": ink}
    corner = {"x": 12, "y": 18, "font-size": fitting(short, 17, 19), **corner}
    parts = [_sheet(), element("text", corner, escaped(short))]
    if suit is None:
        middle = {**corner, "x": 40, "y": 70, "font-size": fitting(short, 40, 60)}
        parts.append(element("text", middle, escaped(short)))
    else:
        parts.append(_sign(suit, 12, 28, 0.5, ink))
        parts.append(_sign(suit, 68, 84, -0.5, ink))
        below = {**corner, "x": -68, "y": -94, "transform": "scale(-1 -1)"}
        parts.append(element("text", below, escaped(short)))
        pips = next((pips for number, pips in _PIPS.items() if short == ("A" if number == 1 else str(number))), None)
        if pips:
            scale = 1.9 if short == "A" else 0.62
            parts += [_sign(suit, 40 + 12 * x, 56 + 38 * y, -scale if y > 0 else scale, ink) for x, y in pips]
        else:
            parts.append(rect(24, 17, 32, 78, "#f3e6c4", rx=3, stroke=ink, stroke_width=1))
            big = {**corner, "x": 40, "y": 55, "font-size": fitting(short, 32, 28)}
            parts.append(element("text", big, escaped(short)))
            parts.append(_sign(suit, 40, 75, 1, ink))
    return Item(80, 112, "".join(parts), action, label)


def back(colour: str = "red", action: Any = None, label: Optional[str] = None) -> Item:
    """Returns a card of which one sees the back."""
    fill, edge, letters = colours(colour)
    data = "".join(joined([(10, 10 + step), (10 + step, 10)]) for step in range(10, 61, 10))
    data += "".join(joined([(10, 10 + step), (70, step - 50)]) for step in range(70, 93, 10))
    data += "".join(joined([(10 + step, 102), (70, 42 + step)]) for step in range(8, 60, 10))
    data += "".join(joined([(70 - step, 10), (70, 10 + step)]) for step in range(10, 61, 10))
    data += "".join(joined([(10, step - 50), (70, 10 + step)]) for step in range(70, 93, 10))
    data += "".join(joined([(10, 42 + step), (70 - step, 102)]) for step in range(8, 60, 10))
    inner = rect(7, 7, 66, 98, fill, rx=4, stroke=edge, stroke_width=1)
    lattice = path(data, "none", letters, 1, stroke_opacity=0.4)
    middle = circle(40, 56, 13, fill, stroke=letters, stroke_opacity=0.7, stroke_width=1.5)
    return Item(80, 112, _sheet() + inner + lattice + middle, action, label)


def slot(value: str = "", action: Any = None, label: Optional[str] = None) -> Item:
    """Returns an empty place for a card, with a word in it."""
    line: Dict[str, Any] = {"stroke": "#e8f1ea", "stroke_width": 1.4, "stroke_opacity": 0.6, "stroke_dasharray": "5 4"}
    outline = rect(1, 1, 78, 110, "#000000", fill_opacity=0.3, rx=7, **line)
    word = text(40, 56, fitting(value, 15, 68), value, "#f4efe0") if value else ""
    return Item(80, 112, outline + word, action, label)


def die(eyes: int, colour: str = "white", action: Any = None, label: Optional[str] = None) -> Item:
    """Returns a die with one to six eyes up."""
    if not 1 <= eyes <= 6:
        raise ValueError(f"expected 1 to 6 eyes, got {eyes!r}")
    fill, edge, letters = colours(colour)
    parts = [
        rect(2, 4, 56, 56, "#000000", fill_opacity=0.3, rx=11),
        rect(0, 0, 56, 56, fill, rx=11, stroke=edge, stroke_width=1.4),
        rect(4, 4, 48, 48, "#ffffff", fill_opacity=0.22, rx=16),
    ]
    parts += [circle(28 + 15 * x, 28 + 15 * y, 5.2, letters) for x, y in _PIPS[eyes]]
    return Item(58, 62, "".join(parts), action, label)


def chip(value: str, colour: str = "red", action: Any = None, label: Optional[str] = None) -> Item:
    """Returns a chip with its worth, or any other short text."""
    fill, edge, letters = colours(colour)
    parts = [
        circle(26, 28, 24, "#000000", fill_opacity=0.3),
        circle(24, 24, 23.4, fill, stroke=edge, stroke_width=1.2),
        circle(24, 24, 20, "none", stroke=letters, stroke_width=5, stroke_dasharray="9 11.94", stroke_opacity=0.85),
        circle(24, 24, 14.5, fill, stroke=letters, stroke_width=1, stroke_opacity=0.6),
        text(24, 24, fitting(value, 16, 25), value, letters, bold=True),
    ]
    return Item(50, 52, "".join(parts), action, label)


def tile(value: str, colour: str = "white", action: Any = None, label: Optional[str] = None) -> Item:
    """Returns a plate with a word: for actions that are no card, such as ``fold``."""
    fill, edge, letters = colours(colour)
    width = min(max(64.0, 24 + 10.4 * len(value)), 320)
    parts = [
        rect(1.5, 3, width, 42, "#000000", fill_opacity=0.3, rx=8),
        rect(0, 0, width, 42, fill, rx=8, stroke=edge, stroke_width=1.4),
        rect(2, 2, width - 4, 18, "#ffffff", fill_opacity=0.14, rx=6),
        text(width / 2, 21, fitting(value, 17, width - 10), value, letters, bold=True),
    ]
    return Item(width + 2, 46, "".join(parts), action, label or value)


def meter(value: float, most: float, colour: str = "yellow", width: float = 260) -> Item:
    """Returns a bar that is full at ``most``."""
    share = min(max(value / most, 0), 1) if most > 0 else 0
    parts = [rect(0, 0, width, 16, "#000000", fill_opacity=0.34, rx=8)]
    if share > 0:
        parts.append(rect(0, 0, max(16, width * share), 16, colours(colour)[0], rx=8))
        parts.append(rect(4, 2.5, max(8, width * share - 8), 4, "#ffffff", rx=2, fill_opacity=0.25))
    parts.append(rect(0, 0, width, 16, "none", rx=8, stroke="#ffffff", stroke_opacity=0.45, stroke_width=1))
    return Item(width, 16, "".join(parts))


class Table(Drawing):
    """A table with a row for each seat, or for what else lies there: a name, a note, and items such as cards."""

    _FRAME = 12.0
    _PAD = 16.0

    def __init__(self, title: str = "", style: str = "felt", width: float = 400) -> None:
        super().__init__(width, 2 * self._FRAME + self._PAD, title)
        self._style = style
        self._ink = material(style).ink

    def row(self, name: str, items: Sequence[Item] = (), note: str = "", active: bool = False) -> None:
        """Adds a row below the others. ``active`` marks the seat whose turn it is.

        Items that are too many for the width overlap.
        """
        left, right = self._FRAME + self._PAD, self.width - self._FRAME - self._PAD
        top = self.height - self._FRAME
        parts = []
        if name or note:
            room = (right - left) * (0.55 if note else 1)
            if active:
                arrow = joined([(left, top), (left + 10, top + 7), (left, top + 14)], True)
                parts.append(path(arrow, GOLD, material(self._style).ink, 1))
            begin = left + (16 if active else 0)
            parts.append(text(begin, top + 7, fitting(name, 17, room), name, self._ink, "start", bold=True))
            if note:
                size = fitting(note, 15, (right - left) * 0.44)
                parts.append(text(right, top + 7, size, note, self._ink, "end"))
            top += 26
        wide = sum(item.width for item in items) + 10 * max(len(items) - 1, 0)
        squeeze = 1.0
        if wide > right - left and len(items) > 1:
            last = items[-1].width
            squeeze = (right - left - last) / (wide - last)
            wide = right - left
        x, tall = (left + right - wide) / 2, max((item.height for item in items), default=0)
        for item in items:
            move = f"translate({decimal(x)} {decimal(top + (tall - item.height) / 2)})"
            parts.append(acting(element("g", {"transform": move}, item.markup), item.action, item.label))
            x += (item.width + 10) * squeeze
        self._parts += parts
        self.height = top + tall + (self._PAD if items else 4) + self._FRAME

    def _body(self) -> List[str]:
        return [surface(self._style, self.width, self.height, self._FRAME), *self._parts]
