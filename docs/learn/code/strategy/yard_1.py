"""Step 1: a random legal action."""

from botyard import Bot, main


class Yard(Bot):
    games = ["scotland-yard"]

    def choose(self, turn):
        return turn.random.choice(turn.legal_actions())


if __name__ == "__main__":
    main(Yard)
