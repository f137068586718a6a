"""Reads PDN independently of Botyard, plays the moves on a board of its own, and prints JSON."""

import json
import re
import sys

WORD = re.compile(r"\{[^}]*\}|1/2-1/2|1-0|0-1|\*|\d+\.|\d+(?:[-x]\d+)+")
TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')


def place(square):
    """The row and the column of a square from 1 to 32."""
    row, index = divmod(square - 1, 4)
    return row, 2 * index + 1 - row % 2


def start(fen):
    if fen is None:
        board = {square: "b" for square in range(1, 13)} | {square: "w" for square in range(21, 33)}
        return board, "b"
    turn, *sides = fen.split(":")
    board = {}
    for side in sides:
        for piece in filter(None, side[1:].split(",")):
            king = piece.startswith("K")
            board[int(piece.lstrip("K"))] = side[0].upper() if king else side[0].lower()
    return board, turn.lower()


def play(board, turn, move):
    squares = [int(square) for square in re.split("[-x]", move)]
    piece = board.pop(squares[0])
    assert piece.lower() == turn, f"{move}: {turn} is to move"
    for before, after in zip(squares, squares[1:]):
        (row, column), (to_row, to_column) = place(before), place(after)
        jump = 2 if "x" in move else 1
        assert abs(to_row - row) == abs(to_column - column) == jump, f"{move} is not diagonal"
        forward = to_row > row if turn == "b" else to_row < row
        assert piece.isupper() or forward, f"{move}: a man moves backward"
        if jump == 2:
            over = [s for s in board if place(s) == ((row + to_row) // 2, (column + to_column) // 2)]
            assert over and board.pop(over[0]).lower() != turn, f"{move} jumps no piece of the other side"
        assert after not in board, f"{move}: the square is not empty"
    last = place(squares[-1])[0]
    board[squares[-1]] = piece.upper() if last == (7 if turn == "b" else 0) else piece


games = []
for text in re.split(r"(?m)^(?=\[Event )", open(sys.argv[1], encoding="utf-8").read())[1:]:
    assert all(len(line) < 80 for line in text.splitlines() if not line.startswith("[")), "a long line"
    head, movetext = text.split("\n\n", 1)
    tags = {name: re.sub(r"\\(.)", r"\1", value) for name, value in TAG.findall(head)}
    assert len(tags) == len(head.splitlines()), head
    assert WORD.sub("", movetext).strip() == "", f"unread: {WORD.sub('', movetext)!r}"
    words = WORD.findall(movetext)
    moves, comments, number = [], [], 0
    board, turn = start(tags.get("FEN"))
    for word in words[:-1]:
        if word.startswith("{"):
            comments.append([len(moves), " ".join(word[1:-1].split())])
        elif word.endswith("."):
            number += 1
            assert word == f"{number}." and len(moves) == 2 * (number - 1), f"{word} after {len(moves)}"
        else:
            play(board, turn, word)
            turn = "w" if turn == "b" else "b"
            moves.append(word)
    assert words[-1] == tags["Result"]
    games.append({"tags": tags, "moves": moves, "comments": comments, "result": words[-1]})
print(json.dumps(games))
