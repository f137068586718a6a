"""Plays English draughts by a search of two plies: its own moves and every reply, and captures beyond them."""

from botyard import Bot, Game, IntOption, Turn, main
from botyard.draughts import Action, Draughts, Position, View, position

#: The values of pieces: lower case for men, upper case for kings.
WORTH = {"b": 100, "B": 160, "w": -100, "W": -160, ".": 0}

WON = 10_000


class TwoPly(Bot[View, Action]):
    name = "two-ply"
    games = ["draughts"]
    depth = IntOption(2, min=1, max=8, about="plies to search")

    def start(self, game: Game) -> None:
        self.rules = Draughts(game.rules)
        self.nodes = 0

    def choose(self, turn: Turn[View, Action]) -> Action:
        now = position(turn.view)
        actions = turn.legal_actions()
        if len(actions) == 1:
            return actions[0]
        self.nodes = 0
        # Equal moves are played in random order.
        turn.random.shuffle(actions)
        values = [-self.search(self.rules.play(now, action), self.depth - 1, -WON, WON) for action in actions]
        best = max(values)
        turn.info(score=best, depth=self.depth, nodes=self.nodes)
        return actions[values.index(best)]

    def search(self, now: Position, depth: int, alpha: int, beta: int) -> int:
        """Returns the value of a position for the side to move, by alpha-beta."""
        self.nodes += 1
        if depth <= 0:
            # A position in the middle of an exchange is not evaluated: captures are searched to their end.
            moves = self.rules.captures(now)
            if not moves:
                return self.evaluate(now)
        else:
            moves = self.rules.moves(now)
            if not moves:
                return -WON
        for move in moves:
            alpha = max(alpha, -self.search(self.rules.play(now, move), depth - 1, -beta, -alpha))
            if alpha >= beta:
                break
        return alpha

    def evaluate(self, now: Position) -> int:
        """Returns the material and the advance of the men, for the side to move."""
        value = 0
        for index, piece in enumerate(now.board):
            value += WORTH[piece]
            row = index // 4
            if piece == "b":
                value += row
            elif piece == "w":
                value -= 7 - row
        return value if now.to_move == "black" else -value


if __name__ == "__main__":
    main(TwoPly)
