"""Connect6: two players place two stones a turn, black only one in the first turn; six in a row win.

The second turn has 64,620 legal actions on 19 by 19 points, so they are not listed: check() looks at the one that is
played. An action is a list of points from 0, row by row: [180], [161, 200].
"""

from botyard.boards import Board
from botyard.rules import Game, Refused, serve

DIRECTIONS = [(1, 0), (0, 1), (1, 1), (1, -1)]


class Connect6(Game):
    name = "connect6"
    seats = ["black", "white"]
    rules = {"size": 19}
    seats_alike = False
    schemas = {
        "action": {
            "type": "array",
            "items": {"type": "integer", "minimum": 0, "maximum": 360},
            "minItems": 1,
            "maxItems": 2,
        }
    }

    def check_rules(self):
        size = self.rules["size"]
        if not 6 <= size <= 19 or size % 2 == 0:
            raise Refused(f"expected an odd size from 7 to 19, got {size}", rule="size")

    def start(self, opening):
        return {"stones": {"black": [], "white": []}, "last": []}

    def turn(self, state):
        black, white = (len(stones) for stones in state["stones"].values())
        return "black" if black <= white else "white"

    def legal(self, state):
        return None

    def stones_in_turn(self, state):
        return 2 if state["stones"]["black"] else 1

    def check(self, state, action):
        number, size = self.stones_in_turn(state), self.rules["size"]
        is_list = isinstance(action, list) and all(type(point) is int for point in action)
        if not is_list or len(set(action)) != number or len(action) != number:
            raise Refused(f"expected a list of {number} different points, such as {[180, 199][:number]}")
        for point in action:
            if not 0 <= point < size * size:
                raise Refused(f"expected points from 0 to {size * size - 1}, got {point}")
            for seat, stones in state["stones"].items():
                if point in stones:
                    raise Refused(f"expected empty points, but {point} has a stone of {seat}")
        # The same two stones are the same action.
        return sorted(action)

    def apply(self, state, action):
        state["stones"][self.turn(state)] += action
        state["last"] = action
        return state

    def outcome(self, state):
        size = self.rules["size"]
        for seat, stones in state["stones"].items():
            own = set(stones)
            if any(point in own and self.is_in_six(own, point) for point in state["last"]):
                return self.win(seat, reason="six")
        is_full = sum(map(len, state["stones"].values())) == size * size
        return self.tie("full") if is_full else None

    def is_in_six(self, own, point):
        size = self.rules["size"]
        for down, right in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                row, column = divmod(point, size)
                row, column = row + sign * down, column + sign * right
                while 0 <= row < size and 0 <= column < size and row * size + column in own:
                    length += 1
                    row, column = row + sign * down, column + sign * right
            if length >= 6:
                return True
        return False

    def text(self, state):
        size = self.rules["size"]
        board = ["."] * (size * size)
        for seat, stones in state["stones"].items():
            for point in stones:
                board[point] = seat[0]
        rows = [f"{size - row:2} {' '.join(board[row * size : (row + 1) * size])}" for row in range(size)]
        return "\n".join([*rows, "   " + " ".join(chr(ord("a") + column) for column in range(size))])

    def parse(self, state, text):
        size = self.rules["size"]
        # "k10 l11": columns from the left, rows from the bottom, as in the picture.
        points = [(size - int(point[1:])) * size + ord(point[0]) - ord("a") for point in text.lower().split()]
        return self.check(state, points)

    def picture(self, state, seat):
        board = Board(self.rules["size"], points=True, coordinates="bottom", title="Connect6")
        for colour, stones in state["stones"].items():
            for point in stones:
                board.stone(point, colour)
        for point in state["last"]:
            board.last(point)
        if not state["last"]:
            # A page has no clicks on two points at once.
            for point in range(self.rules["size"] ** 2):
                board.target(point, action=[point])
        return board.svg()


if __name__ == "__main__":
    serve(Connect6)
