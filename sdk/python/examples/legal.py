"""The smallest bot: plays a random legal action in every game."""

from typing import Any

from botyard import Bot, Turn, main


class Legal(Bot[Any, Any]):
    name = "legal"

    def choose(self, turn: Turn[Any, Any]) -> Any:
        return turn.random.choice(turn.legal_actions())


if __name__ == "__main__":
    main(Legal)
