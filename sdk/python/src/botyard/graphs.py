"""Graphs of nodes and edges, for :meth:`Game.picture`::

    from botyard.graphs import Graph

    def picture(self, state, seat):
        graph = Graph({"a": (0, 0), "b": (2, 1), "c": (4, 0)}, [("a", "b"), ("b", "c")])
        graph.node(state["at"], colour="blue", active=True)
        return graph.svg()

``action`` is the legal action for which something stands, and ``label`` says it in words: see :mod:`botyard.drawing`,
the only module of the kit that this one needs.
"""

import math
from typing import Any, Dict, List, Mapping, Optional, Sequence

from .drawing import GOLD, Attributes, Drawing, Point, acting, circle, colours, element, fitting, joined, material
from .drawing import path, rect, surface, text


class Graph(Drawing):
    """Nodes and edges. ``nodes`` has where each node is, in any unit; ``edges`` are pairs of nodes, drawn plainly."""

    def __init__(
        self,
        nodes: Mapping[str, Sequence[float]],
        edges: Sequence[Sequence[str]] = (),
        style: str = "paper",
        radius: float = 18,
        title: str = "",
        width: float = 480,
    ) -> None:
        xs, ys = [at[0] for at in nodes.values()], [at[1] for at in nodes.values()]
        left, top = min(xs, default=0), min(ys, default=0)
        wide, tall = max(xs, default=0) - left, max(ys, default=0) - top
        edge = 14 + radius + 14
        room = width - 2 * edge
        scale = min(room / wide if wide > 0 else math.inf, 1.5 * room / tall if tall > 0 else math.inf)
        scale = 1.0 if scale == math.inf else scale
        super().__init__(max(wide * scale, 120) + 2 * edge, tall * scale + 2 * edge, title)
        shift = (self.width - wide * scale) / 2
        self._style, self._radius = style, radius
        self._at = {name: (shift + (x - left) * scale, edge + (y - top) * scale) for name, (x, y) in nodes.items()}
        self._edges: List[str] = []
        self._nodes: Dict[str, str] = {}
        for name in nodes:
            self.node(name)
        for one, other in edges:
            self.edge(one, other)

    def node(
        self,
        name: str,
        colour: str = "white",
        value: Optional[str] = None,
        active: bool = False,
        action: Any = None,
        label: Optional[str] = None,
    ) -> None:
        """Draws a node again: in this colour, with this text (by default its name), and with a ring if ``active``."""
        x, y = self._point(name)
        fill, edge, letters = colours(colour)
        shown, radius = name if value is None else value, self._radius
        parts = [circle(x, y, radius + 5, GOLD, stroke="#6b5200", stroke_width=1)] if active else []
        parts.append(circle(x, y, radius, fill, stroke=edge, stroke_width=2))
        parts.append(text(x, y, fitting(shown, radius * 0.9, radius * 1.6), shown, letters, bold=True) if shown else "")
        self._nodes[name] = acting("".join(parts), action, label)

    def edge(
        self,
        one: str,
        other: str,
        colour: Optional[str] = None,
        value: str = "",
        width: float = 3,
        directed: bool = False,
        action: Any = None,
        label: Optional[str] = None,
    ) -> None:
        """Draws an edge, with a text in its middle, and an arrow to ``other`` if ``directed``."""
        (x1, y1), (x2, y2) = self._point(one), self._point(other)
        ink = colours(colour)[0] if colour else material(self._style).line
        ends: Attributes = {"x1": x1, "y1": y1, "x2": x2, "y2": y2}
        parts = [element("line", {**ends, "stroke": ink, "stroke-width": width, "stroke-linecap": "round"})]
        if action is not None:
            # A finger is wider than the line.
            parts.append(element("line", {**ends, "stroke": "#ffffff", "stroke-opacity": 0, "stroke-width": 22}))
        length = math.sqrt((x2 - x1) * (x2 - x1) + (y2 - y1) * (y2 - y1))
        if directed and length > 0:
            right, down = (x2 - x1) / length, (y2 - y1) / length
            tip = (x2 - right * (self._radius + 3), y2 - down * (self._radius + 3))
            foot, half = (tip[0] - right * (9 + width), tip[1] - down * (9 + width)), 4 + width
            wings = [(foot[0] - down * half, foot[1] + right * half), (foot[0] + down * half, foot[1] - right * half)]
            parts.append(path(joined([tip, *wings], True), ink))
        if value:
            x, y, wide = (x1 + x2) / 2, (y1 + y2) / 2, 10 + 8.4 * len(value)
            field = material(self._style).field
            parts.append(rect(x - wide / 2, y - 11, wide, 22, field, rx=6, stroke=ink, stroke_width=1))
            parts.append(text(x, y, 14, value, material(self._style).ink))
        self._edges.append(acting("".join(parts), action, label))

    def _point(self, name: str) -> Point:
        if name not in self._at:
            raise ValueError(f"expected one of {len(self._at)} nodes, got {name!r}")
        return self._at[name]

    def _body(self) -> List[str]:
        ground = surface(self._style, self.width, self.height, 8)
        return [ground, *self._edges, *self._nodes.values(), *self._parts]
