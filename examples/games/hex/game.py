"""Hex: two players place stones in turn; red connects the top with the bottom, blue the left with the right. One of
them always does (J. F. Nash, 1952). In its first turn blue may swap: the red stone becomes a blue one, mirrored in the
long diagonal. An action is a cell, such as "c2" in column c and row 2, or "swap"."""

from botyard.boards import HexBoard
from botyard.rules import Game, Refused, serve

AROUND = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


def name(row, column):
    return f"{chr(ord('a') + column)}{row + 1}"


def place(cell):
    return int(cell[1:]) - 1, ord(cell[0]) - ord("a")


class Hex(Game):
    name = "hex"
    seats = ["red", "blue"]
    rules = {"size": 11, "swap": True}
    presets = {
        "standard": ("11 by 11 cells, blue may swap", {}),
        "small": ("5 by 5 cells, blue may swap", {"size": 5}),
        "no-swap": ("11 by 11 cells, without the swap", {"swap": False}),
    }

    def check_rules(self):
        if not 2 <= self.rules["size"] <= 19:
            raise Refused(f"expected a size from 2 to 19, got {self.rules['size']}", rule="size")

    def start(self, opening):
        size = self.rules["size"]
        return {"board": ["." * size] * size, "to_move": "red", "last": None}

    def turn(self, state):
        return state["to_move"]

    def legal(self, state):
        rows = enumerate(state["board"])
        free = [name(row, column) for row, cells in rows for column, cell in enumerate(cells) if cell == "."]
        return [*free, "swap"] if self.can_swap(state) else free

    def can_swap(self, state):
        stones = "".join(state["board"]).replace(".", "")
        return self.rules["swap"] and stones == "r" and state["to_move"] == "blue"

    def apply(self, state, action):
        if action == "swap":
            row, column = reversed(place(state["last"]))
            board = self.start(None)["board"]
        else:
            row, column = place(action)
            board = list(state["board"])
        seat, other = state["to_move"], "blue" if state["to_move"] == "red" else "red"
        board[row] = board[row][:column] + seat[0] + board[row][column + 1 :]
        return {"board": board, "to_move": other, "last": name(row, column)}

    def outcome(self, state):
        winners = [seat for seat in self.seats if self.chain(state, seat)]
        return self.win(*winners, reason="connected") if winners else None

    def chain(self, state, seat):
        """The stones that connect the two sides of a seat, and those that touch them; none if they are apart."""
        size, board = self.rules["size"], state["board"]
        found = {(0, at) if seat == "red" else (at, 0) for at in range(size)}
        found = {(row, column) for row, column in found if board[row][column] == seat[0]}
        edge = list(found)
        while edge:
            row, column = edge.pop()
            for down, right in AROUND:
                at = row + down, column + right
                if at not in found and 0 <= min(at) and max(at) < size and board[at[0]][at[1]] == seat[0]:
                    found.add(at)
                    edge.append(at)
        return found if any(at[0 if seat == "red" else 1] == size - 1 for at in found) else set()

    def text(self, state):
        letters = " ".join(chr(ord("a") + column) for column in range(self.rules["size"]))
        rows = [f"{' ' * row}{row + 1:2} {' '.join(cells)}" for row, cells in enumerate(state["board"])]
        return "\n".join([f"   {letters}", *rows])

    def parse(self, state, text):
        action = text.strip().lower()
        if action not in self.legal(state):
            raise Refused(f"expected an empty cell, such as {self.legal(state)[0]}, or swap; got {text!r}")
        return action

    def picture(self, state, seat):
        board = HexBoard(self.rules["size"], edges=self.seats, coordinates=True, title="Hex")
        for row, cells in enumerate(state["board"]):
            for column, cell in enumerate(cells):
                if cell == ".":
                    board.target((row, column), action=name(row, column), label=name(row, column))
                elif self.can_swap(state):
                    board.stone((row, column), "red", action="swap", label="swap")
                else:
                    board.stone((row, column), "red" if cell == "r" else "blue")
        for seat in self.seats:
            for at in self.chain(state, seat):
                board.highlight(at)
        if state["last"]:
            board.last(place(state["last"]))
        return board.svg()


if __name__ == "__main__":
    serve(Hex)
