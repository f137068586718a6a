"""English draughts for the stand-in engines of the tests: positions and legal moves, from the rules alone.

Squares are 1 to 32, row by row from Black's side. A position is (side, {square: piece}) with the pieces b, w, B and W."""

NEIGHBOURS = {}  # square -> {(down, right): square}
for _square in range(1, 33):
    _row, _column = (_square - 1) // 4, 2 * ((_square - 1) % 4) + (1 - (_square - 1) // 4 % 2)
    NEIGHBOURS[_square] = {
        (_down, _right): (_row + _down) * 4 + (_column + _right) // 2 + 1
        for _down in (-1, 1)
        for _right in (-1, 1)
        if 0 <= _row + _down < 8 and 0 <= _column + _right < 8
    }


def directions(piece):
    down = (-1, 1) if piece in "BW" else (1,) if piece == "b" else (-1,)
    return [(d, r) for d in down for r in (-1, 1)]


def crowned(piece, square):
    """The piece that a piece is after it has landed on a square."""
    if piece == "b" and square >= 29 or piece == "w" and square <= 4:
        return piece.upper()
    return piece


def jumps(pieces, square, piece, captured):
    """Continuations of a capture from a square: lists of (over, landing)."""
    found = []
    for direction in directions(piece):
        over = NEIGHBOURS[square].get(direction)
        landing = NEIGHBOURS.get(over, {}).get(direction)
        other = pieces.get(over)
        if landing and other and other.lower() != piece.lower() and over not in captured and landing not in pieces:
            step = [(over, landing)]
            ends = crowned(piece, landing) != piece
            more = [] if ends else jumps(pieces, landing, piece, captured | {over})
            found += [step + rest for rest in more] or [step]
    return found


def legal(side, pieces):
    """The legal moves of a side, B or W: (from, [landing, ...], [captured, ...])."""
    captures, steps = [], []
    for square, piece in sorted(pieces.items()):
        if piece.upper() != side:
            continue
        free = {other: p for other, p in pieces.items() if other != square}
        for path in jumps(free, square, piece, frozenset()):
            captures.append((square, [landing for _, landing in path], [over for over, _ in path]))
        for direction in directions(piece):
            to = NEIGHBOURS[square].get(direction)
            if to and to not in pieces:
                steps.append((square, [to], []))
    return captures or steps


def play(side, pieces, move):
    """The position after a move."""
    start, landings, captured = move
    after = {square: piece for square, piece in pieces.items() if square != start and square not in captured}
    after[landings[-1]] = crowned(pieces[start], landings[-1])
    return ("W" if side == "B" else "B"), after


def read_fen(fen):
    side, *parts = fen.rstrip(".").split(":")
    pieces = {}
    for part in parts:
        for square in filter(None, part[1:].split(",")):
            king = square.startswith("K")
            pieces[int(square.lstrip("K"))] = part[0] if king else part[0].lower()
    return side, pieces


START = ("B", {**{n: "b" for n in range(1, 13)}, **{n: "w" for n in range(21, 33)}})
