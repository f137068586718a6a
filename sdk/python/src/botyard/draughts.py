"""English draughts: the types of its views and actions, a move generator and FEN.

:class:`Draughts` is the game under one set of rules. A :class:`Position` is the board and the side to move; it is
what a search works on. The rules and the JSON are described in ``docs/games/draughts.md``.
"""

import re
from typing import Dict, List, NamedTuple, Optional, Tuple, TypedDict

from .bot import Rulebook

BLACK, WHITE = "black", "white"
EMPTY = "."

#: A move in PDN with every landing square: ``11-15``, ``22x15x8``.
Action = str


class _View(TypedDict):
    to_move: Optional[str]
    fen: str
    board: str
    ply: int
    quiet_plies: int
    quiet_moves: List[str]
    repetitions: int


class View(_View, total=False):
    """The whole state; both seats have the same view."""

    over: str


class Setup(TypedDict):
    """The constant data of a game: the position of the first decision."""

    fen: str


class Position(NamedTuple):
    """A board as 32 letters, square 1 first (``b`` and ``w`` men, ``B`` and ``W`` kings, ``.`` empty), and the
    side to move. Square n is ``board[n - 1]``."""

    board: str
    to_move: str


START = Position("b" * 12 + EMPTY * 8 + "w" * 12, BLACK)

# In each direction, from each square (index 0 for square 1): the neighbour and the square behind it.
_Step = Tuple[int, Optional[int]]


def _steps_of(index: int) -> List[Optional[_Step]]:
    row, column = index // 4, 2 * (index % 4) + (index // 4 + 1) % 2

    def at(rows: int, columns: int) -> Optional[int]:
        r, c = row + rows, column + columns
        return 4 * r + c // 2 if 0 <= r < 8 and 0 <= c < 8 else None

    steps: List[Optional[_Step]] = []
    for rows, columns in ((1, 1), (1, -1), (-1, -1), (-1, 1)):
        near = at(rows, columns)
        steps.append(None if near is None else (near, at(2 * rows, 2 * columns)))
    return steps


_STEPS = [_steps_of(index) for index in range(32)]
_DOWN, _UP, _ALL = (0, 1), (2, 3), (0, 1, 2, 3)


class Draughts(Rulebook):
    """The game under one set of rules; by default English draughts."""

    NAME = "draughts"

    def __init__(self, rules: "Optional[Dict[str, object]]" = None, setup: Optional[Setup] = None) -> None:
        self.rules = rules = rules or {}
        self._one_piece = rules.get("jump", "whole_path") == "one_piece"
        self._promotion_ends_move = rules.get("promotion_ends_move", True) is True
        self._compulsory = rules.get("compulsory_capture", True) is True
        self._draw_repetitions = _number(rules, "draw_repetitions", 3)
        self._draw_quiet_plies = _number(rules, "draw_quiet_plies", 80)
        self._max_plies = _number(rules, "max_plies", 1000)

    def legal(self, view: View) -> List[Action]:
        """Returns the legal actions of a view, in no particular order."""
        return [] if view["to_move"] is None else self.moves(position(view))

    def moves(self, position: Position) -> List[Action]:
        """Returns the legal moves of a position, captures first; none if the side to move has lost.

        Draws by the number of plies or repetitions are not considered: see :meth:`draw_after`.
        """
        captures = self.captures(position)
        if captures and self._compulsory:
            return captures
        board, side = position.board, position.to_move[0]
        moves = captures
        for index, piece in enumerate(board):
            if piece.lower() == side:
                for direction in _directions(piece):
                    step = _STEPS[index][direction]
                    if step is not None and board[step[0]] == EMPTY:
                        moves.append(f"{index + 1}-{step[0] + 1}")
        return moves

    def captures(self, position: Position) -> List[Action]:
        """Returns the moves of a position that capture, whether or not they are compulsory."""
        board, side = position.board, position.to_move[0]
        other = "w" if side == "b" else "b"
        found: List[Action] = []
        for index, piece in enumerate(board):
            if piece.lower() == side:
                # The piece's own square is empty, so a king may return to it.
                without = board[:index] + EMPTY + board[index + 1 :]
                self._jump(without, piece, other, [index], [], found)
        return found

    def _jump(
        self, board: str, piece: str, other: str, path: List[int], over: List[int], found: List[Action]
    ) -> None:
        through = True
        for direction in _directions(piece):
            step = _STEPS[path[-1]][direction]
            if step is None or step[1] is None:
                continue
            near, to = step[0], step[1]
            # Captured pieces stay until the move ends: they block, and cannot be jumped again.
            if board[near].lower() != other or near in over or board[to] != EMPTY:
                continue
            through = False
            crowned = piece.islower() and _is_far(piece, to)
            longer = path + [to]
            if self._one_piece or (crowned and self._promotion_ends_move):
                found.append(_capture(longer))
            else:
                self._jump(board, piece.upper() if crowned else piece, other, longer, over + [near], found)
        if through and over:
            found.append(_capture(path))

    def play(self, position: Position, move: Action) -> Position:
        """Returns the position after a legal move."""
        board = list(position.board)
        squares = [int(text) - 1 for text in re.split("[-x]", move)]
        piece = board[squares[0]]
        board[squares[0]] = EMPTY
        if "x" in move:
            for near in captured(move):
                board[near - 1] = EMPTY
        if any(_is_far(piece, square) for square in squares[1:]):
            piece = piece.upper()
        board[squares[-1]] = piece
        return Position("".join(board), WHITE if position.to_move == BLACK else BLACK)

    def repetitions_after(self, view: View, move: Action) -> int:
        """Returns how often the position after a legal move will have occurred in the game; 1 if it is new."""
        after = self.play(position(view), move)
        return 1 + history(view).count(after)

    def draw_after(self, view: View, move: Action) -> Optional[str]:
        """Returns the reason if a legal move ends the game in a draw: ``repetition``, ``quiet_plies`` or
        ``max_plies``; ``None`` if it does not, also if it wins."""
        now = position(view)
        if not self.moves(self.play(now, move)):
            return None
        if 0 < self._draw_repetitions <= self.repetitions_after(view, move):
            return "repetition"
        if is_quiet(now, move) and 0 < self._draw_quiet_plies <= view["quiet_plies"] + 1:
            return "quiet_plies"
        return "max_plies" if view["ply"] + 1 >= self._max_plies else None

    def plies_left(self, view: View) -> int:
        """Returns the number of plies after which the game is drawn unless one of them captures or moves a man.

        The last plies before ``max_plies`` are counted too, whatever is played in them.
        """
        left = self._max_plies - view["ply"]
        return min(left, self._draw_quiet_plies - view["quiet_plies"]) if self._draw_quiet_plies > 0 else left


def _number(rules: Dict[str, object], name: str, default: int) -> int:
    value = rules.get(name)
    return value if isinstance(value, int) else default


def _directions(piece: str) -> Tuple[int, ...]:
    return _DOWN if piece == "b" else _UP if piece == "w" else _ALL


def _is_far(piece: str, index: int) -> bool:
    return index >= 28 if piece in "bB" else index < 4


def _capture(path: List[int]) -> Action:
    return "x".join(str(index + 1) for index in path)


def captured(move: Action) -> List[int]:
    """Returns the squares that a move jumps over, in order; none for a step."""
    if "x" not in move:
        return []
    squares = [int(text) - 1 for text in move.split("x")]
    over: List[int] = []
    for start, to in zip(squares, squares[1:]):
        over.extend(step[0] + 1 for step in _STEPS[start] if step is not None and step[1] == to)
    return over


def position(view: View) -> Position:
    """Returns the position of a view; when the game is over, with the side that would move."""
    return Position(view["board"], view["to_move"] or position_of_fen(view["fen"]).to_move)


def is_quiet(position: Position, move: Action) -> bool:
    """Returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw."""
    return "x" not in move and position.board[int(move.split("-")[0]) - 1].isupper()


def history(view: View) -> List[Position]:
    """Returns the positions since the last capture or man's move, or since the opening, oldest first; the last one
    is the position of the view. No earlier position can occur again."""
    now = position(view)
    found = [now]
    for move in reversed(view["quiet_moves"]):
        start, to = (int(text) - 1 for text in move.split("-"))
        board = list(now.board)
        board[start], board[to] = board[to], EMPTY
        now = Position("".join(board), WHITE if now.to_move == BLACK else BLACK)
        found.append(now)
    return found[::-1]


def position_of_fen(fen: str) -> Position:
    """Returns the position of a FEN such as ``B:W18,K10:BK5,1-4``."""
    board = [EMPTY] * 32
    to_move, *sides = fen.rstrip(".").split(":")
    for side in sides:
        letter = side[0].lower()
        for text in filter(None, side[1:].split(",")):
            piece = letter.upper() if text[0] == "K" else letter
            first, _, last = text.lstrip("K").partition("-")
            for square in range(int(first), int(last or first) + 1):
                board[square - 1] = piece
    return Position("".join(board), BLACK if to_move == "B" else WHITE)


def fen(position: Position) -> str:
    """Returns the FEN of a position, as the referee writes it."""

    def side(letter: str) -> str:
        texts = ("K" * piece.isupper() + str(n) for n, piece in enumerate(position.board, 1) if piece.lower() == letter)
        return letter.upper() + ",".join(texts)

    return f"{position.to_move[0].upper()}:{side('w')}:{side('b')}"


RULEBOOK = Draughts
