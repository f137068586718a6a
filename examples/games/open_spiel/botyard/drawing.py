"""The text of drawings: SVG within the subset that ``docs/rules-protocol.md`` describes, for :meth:`Game.picture`.

:mod:`botyard.boards` has boards of squares and hexagons, :mod:`botyard.tables` cards, dice and chips, and
:mod:`botyard.graphs` nodes and edges. This module is what they are made of, and for what they lack: :class:`Drawing` is
a document, and the functions return its elements.

What is drawn may stand for a legal action, by the parameter ``action``: a page makes it a button while that action is
legal. ``label`` says the action in words, for people who do not see the drawing; by default it is the action as JSON.

Drawings paint the surface they lie on, so they look alike on light and dark pages. The kit for JavaScript draws the
same, byte for byte. This module needs nothing else of the kit.
"""

import json
import math
import re
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

Point = Tuple[float, float]
Attributes = Mapping[str, Union[str, float, None]]

#: The colours of pieces by name: the surface, its edge, and letters on it. Any other colour of SVG is possible too.
COLOURS: Dict[str, Tuple[str, str, str]] = {
    "black": ("#2b2927", "#0d0c0b", "#f4efe4"),
    "white": ("#f3eee2", "#857c6c", "#2b2927"),
    "red": ("#b5322c", "#6b1512", "#fff4ee"),
    "blue": ("#2b62a6", "#123763", "#f1f6ff"),
    "green": ("#2f7a4c", "#144227", "#effff5"),
    "yellow": ("#e3b53a", "#80600d", "#2b2207"),
    "purple": ("#71479c", "#3c2059", "#f8f1ff"),
    "orange": ("#cf7128", "#74390c", "#241103"),
}


class Material(NamedTuple):
    """The colours of a surface."""

    frame: str
    field: str
    #: The grain of wood, the second squares of a checkered board, the lines of squared paper.
    grain: str
    #: Lines of a board.
    line: str
    #: Letters on the frame.
    letters: str
    #: Letters on the field.
    ink: str


_MATERIALS = {
    "wood": Material("#6d4526", "#dcb274", "#c08f4e", "#5a3c1c", "#f6e8cf", "#2a2620"),
    "checkered": Material("#5c3a20", "#ecd6ae", "#a87646", "#5a3c1c", "#f6e8cf", "#2a2620"),
    "paper": Material("#cfc5ad", "#faf6ea", "#b9cbe0", "#3c4a66", "#3a3423", "#2a2620"),
    "felt": Material("#5c3a20", "#1f6446", "#195439", "#cfe3d6", "#f6e8cf", "#f6f1e2"),
}

#: The colour of what is active or was played last.
GOLD = "#ffd54a"

_FONT = "system-ui, sans-serif"
_NOT_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def decimal(value: float) -> str:
    """Returns a number as text, with at most two decimals."""
    hundredths = math.floor(value * 100 + 0.5)
    sign, hundredths = ("-", -hundredths) if hundredths < 0 else ("", hundredths)
    whole, rest = divmod(hundredths, 100)
    return f"{sign}{whole}" + (f".{rest:02}".rstrip("0") if rest else "")


def escaped(value: str) -> str:
    """Returns a text as it stands in a document: with ``&amp;`` for ``&``, and so on."""
    value = _NOT_XML.sub("\ufffd", value)
    return value.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def element(name: str, attributes: Attributes, content: str = "") -> str:
    """Returns an element. ``content`` is markup; attributes of ``None`` are left out."""
    written = "".join(
        f' {key}="{escaped(value) if isinstance(value, str) else decimal(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def text(
    x: float, y: float, size: float, value: str, fill: str = "currentColor", anchor: str = "middle", bold: bool = False
) -> str:
    """Returns a line of text whose middle has the height ``y``."""
    attributes: Attributes = {
        "x": x,
        "y": y + size * 0.35,
        "font-size": size,
        "font-family": _FONT,
        "font-weight": "bold" if bold else None,
        "text-anchor": anchor,
        "fill": fill,
    }
    return element("text", attributes, escaped(value))


def acting(markup: str, action: Any = None, label: Optional[str] = None) -> str:
    """Returns markup that stands for an action; the same markup without one."""
    if action is None:
        return markup
    as_json = json.dumps(action, ensure_ascii=False, separators=(",", ":"))
    as_json = _NOT_XML.sub(lambda found: f"\\u{ord(found.group()):04x}", as_json)
    return element("g", {"data-action": as_json, "data-label": label or as_json}, markup)


def rect(x: float, y: float, width: float, height: float, fill: str, **more: Union[str, float, None]) -> str:
    """Returns a rectangle; ``more`` are attributes, with ``_`` for ``-``."""
    shape: Dict[str, Union[str, float, None]] = {"x": x, "y": y, "width": width, "height": height, "fill": fill}
    shape.update({key.replace("_", "-"): value for key, value in more.items()})
    return element("rect", shape)


def circle(x: float, y: float, radius: float, fill: str, **more: Union[str, float, None]) -> str:
    """Returns a circle; ``more`` are attributes, with ``_`` for ``-``."""
    shape: Dict[str, Union[str, float, None]] = {"cx": x, "cy": y, "r": radius, "fill": fill}
    shape.update({key.replace("_", "-"): value for key, value in more.items()})
    return element("circle", shape)


def path(d: str, fill: str, stroke: Optional[str] = None, width: Optional[float] = None, **more: Any) -> str:
    """Returns a path; ``more`` are attributes, with ``_`` for ``-``."""
    shape: Dict[str, Union[str, float, None]] = {"d": d, "fill": fill, "stroke": stroke, "stroke-width": width}
    shape.update({key.replace("_", "-"): value for key, value in more.items()})
    return element("path", shape)


def joined(points: Sequence[Point], is_closed: bool = False) -> str:
    """Returns the data of a path along these points."""
    return "M" + "L".join(f"{decimal(x)} {decimal(y)}" for x, y in points) + ("Z" if is_closed else "")


def fitting(value: str, size: float, width: float) -> float:
    """Returns the size of letters, at most ``size``, with which a text is about as wide as ``width`` or less."""
    return min(size, width / (0.62 * max(len(value), 1)))


def colours(colour: str) -> Tuple[str, str, str]:
    """Returns the colours of a piece: its surface, its edge, and letters on it."""
    return COLOURS.get(colour, (colour, "#26221c", "#ffffff"))


def material(style: str) -> Material:
    """Returns the colours of ``wood``, ``checkered``, ``paper`` or ``felt``."""
    if style not in _MATERIALS:
        raise ValueError(f"expected a style of {', '.join(_MATERIALS)}, got {style!r}")
    return _MATERIALS[style]


def surface(style: str, width: float, height: float, frame: float) -> str:
    """Returns a board or a table of some material, from the top left corner."""
    border, field, grain, _, _, _ = material(style)
    inner = {"x": frame, "y": frame, "width": width - 2 * frame, "height": height - 2 * frame}
    parts = [
        rect(0, 0, width, height, border, rx=10),
        rect(1.5, 1.5, width - 3, height - 3, "none", rx=8.5, stroke="#ffffff", stroke_opacity=0.22, stroke_width=1.5),
        rect(frame, frame, inner["width"], inner["height"], field, rx=3),
    ]
    if style == "wood":
        # Lines along the grain, bent by turns.
        steps = max(4, int(inner["height"] / 16))
        x, wide = inner["x"], inner["width"]
        data = ""
        for step in range(steps):
            y = inner["y"] + inner["height"] * (step + 0.5) / steps
            bend = (step * 7 % 5 - 2) * 2.2
            ends = [(x, y), (x + wide * 0.3, y - bend), (x + wide * 0.7, y + bend), (x + wide, y + bend / 2)]
            at = [f"{decimal(one)} {decimal(other)}" for one, other in ends]
            data += f"M{at[0]}C{at[1]} {at[2]} {at[3]}"
        parts.append(path(data, "none", grain, 1.6, stroke_opacity=0.5))
    if style == "felt":
        # The cushion throws a shadow on the cloth.
        for inset, opacity in [(3, 0.28), (7, 0.14), (12, 0.07)]:
            corner, wide, tall = frame + inset / 2, inner["width"] - inset, inner["height"] - inset
            line: Dict[str, Any] = {"rx": 3, "stroke": "#000000", "stroke_opacity": opacity, "stroke_width": inset}
            parts.append(rect(corner, corner, wide, tall, "none", **line))
    return "".join(parts)


class Drawing:
    """A document of this size, to which markup is added. Its unit is about a pixel on a phone."""

    def __init__(self, width: float, height: float, title: str = "") -> None:
        self.width = width
        self.height = height
        self._title = title
        self._parts: List[str] = []
        self._caption: List[str] = []

    def add(self, markup: str, action: Any = None, label: Optional[str] = None) -> None:
        """Adds markup on top of all that is there."""
        self._parts.append(acting(markup, action, label))

    def caption(self, value: str) -> None:
        """Adds a line of text below the drawing, in the colour of the page's text."""
        self._caption.append(value)

    def svg(self) -> str:
        """Returns the document."""
        lines = []
        for number, value in enumerate(self._caption):
            size = fitting(value, 16, self.width - 8)
            lines.append(text(self.width / 2, self.height + 18 + 24 * number, size, value))
        height = self.height + (24 * len(lines) + 8 if lines else 0)
        title = element("title", {}, escaped(self._title)) if self._title else ""
        box = f"0 0 {decimal(self.width)} {decimal(height)}"
        content = title + "".join(self._body()) + "".join(lines)
        return element("svg", {"xmlns": "http://www.w3.org/2000/svg", "viewBox": box}, content)

    def _body(self) -> List[str]:
        return self._parts
