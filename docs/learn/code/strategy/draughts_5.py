"""Step 5: knows what is drawn, and makes progress when it is ahead."""

from botyard import Bot, IntOption, main
from botyard.draughts import Draughts, history, position

WORTH = {"b": 100, "B": 150, "w": -100, "W": -150, ".": 0}

#: Of each square, its row and column.
PLACES = [(index // 4, 2 * (index % 4) + (index // 4 + 1) % 2) for index in range(32)]

#: The number of steps of a king between two squares.
STEPS = [[max(abs(a - c), abs(b - d)) for c, d in PLACES] for a, b in PLACES]


class Player(Bot):
    games = ["draughts"]
    depth = IntOption(4, min=1, max=10, about="plies to search")

    def start(self, game):
        self.rules = Draughts(game.rules)

    def choose(self, turn):
        now = position(turn.view)
        # A position that has occurred can occur again: a search that leads back to it wins nothing.
        self.past = set(history(turn.view))
        actions = turn.legal_actions()
        turn.random.shuffle(actions)
        best, choice = -20_000, actions[0]
        for action in actions:
            if self.rules.draw_after(turn.view, action):
                value = 0
            else:
                value = -self.value(self.rules.play(now, action), self.depth - 1, -20_000, -best)
            if value > best:
                best, choice = value, action
        turn.info(score=best / 100, depth=self.depth)
        return choice

    def value(self, now, depth, alpha, beta):
        """Returns the value for the side to move, or one at or beyond a bound if it lies beyond it."""
        if now in self.past:
            return 0
        moves = self.rules.moves(now) if depth > 0 else self.rules.captures(now)
        if not moves:
            # A loss that is farther away is better.
            return -10_000 - depth if depth > 0 else self.evaluate(now)
        for move in moves:
            alpha = max(alpha, -self.value(self.rules.play(now, move), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def evaluate(self, now):
        pieces = [(index, piece) for index, piece in enumerate(now.board) if piece != "."]
        # Rows from Black's side: a man gains as it advances.
        black = sum(WORTH[piece] + {"b": index // 4, "w": index // 4 - 7}.get(piece, 0) for index, piece in pieces)
        # The side that is ahead wants few pieces, and the others near.
        black += 4 * black // len(pieces)
        if abs(black) > 100:
            mine, theirs = ("B", "wW") if black > 0 else ("W", "bB")
            others = [index for index, piece in pieces if piece in theirs]
            away = sum(STEPS[index][other] for index, piece in pieces if piece == mine for other in others)
            black += (-2 if black > 0 else 2) * away // max(len(others), 1)
        return black if now.to_move == "black" else -black


if __name__ == "__main__":
    main(Player)
