"""Step 1: a random legal action."""

from botyard import Bot, main


class Player(Bot):
    games = ["draughts"]

    def choose(self, turn):
        return turn.random.choice(turn.legal_actions())


if __name__ == "__main__":
    main(Player)
