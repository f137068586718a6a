"""Step 3: searches captures to their end."""

from botyard import Bot, main
from botyard.draughts import Draughts, position

WORTH = {"b": 100, "B": 150, "w": -100, "W": -150, ".": 0}


class Player(Bot):
    games = ["draughts"]

    def start(self, game):
        self.rules = Draughts(game.rules)

    def choose(self, turn):
        now = position(turn.view)
        actions = turn.legal_actions()
        turn.random.shuffle(actions)
        return max(actions, key=lambda action: -self.value(self.rules.play(now, action), 1))

    def value(self, now, depth):
        """Returns the value of a position for the side to move."""
        moves = self.rules.moves(now) if depth > 0 else self.rules.captures(now)
        if depth <= 0 and not moves:
            black = sum(WORTH[piece] for piece in now.board)
            return black if now.to_move == "black" else -black
        replies = [-self.value(self.rules.play(now, move), depth - 1) for move in moves]
        return max(replies, default=-10_000)


if __name__ == "__main__":
    main(Player)
