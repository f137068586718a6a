"""Step 4: looks four plies ahead, leaves out what cannot matter, and advances its men."""

from botyard import Bot, IntOption, main
from botyard.draughts import Draughts, position

WORTH = {"b": 100, "B": 150, "w": -100, "W": -150, ".": 0}


class Player(Bot):
    games = ["draughts"]
    depth = IntOption(4, min=1, max=10, about="plies to search")

    def start(self, game):
        self.rules = Draughts(game.rules)

    def choose(self, turn):
        now = position(turn.view)
        actions = turn.legal_actions()
        turn.random.shuffle(actions)
        best, choice = -20_000, actions[0]
        for action in actions:
            value = -self.value(self.rules.play(now, action), self.depth - 1, -20_000, -best)
            if value > best:
                best, choice = value, action
        turn.info(score=best / 100, depth=self.depth)
        return choice

    def value(self, now, depth, alpha, beta):
        """Returns the value for the side to move, or one at or beyond a bound if it lies beyond it."""
        moves = self.rules.moves(now) if depth > 0 else self.rules.captures(now)
        if not moves:
            return -10_000 if depth > 0 else self.evaluate(now)
        for move in moves:
            alpha = max(alpha, -self.value(self.rules.play(now, move), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def evaluate(self, now):
        black = 0
        for index, piece in enumerate(now.board):
            black += WORTH[piece]
            # Rows from Black's side: a man gains as it advances.
            black += {"b": index // 4, "w": index // 4 - 7}.get(piece, 0)
        return black if now.to_move == "black" else -black


if __name__ == "__main__":
    main(Player)
