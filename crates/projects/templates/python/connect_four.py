"""Plays Connect Four, looking one disc ahead.

It completes a line of four, prevents the other side's, and otherwise prefers columns near the middle.
"""

from botyard import Bot, Turn, main
from botyard.connect_four import COLUMNS, Action, ConnectFour, View


class Dropper(Bot[View, Action]):
    name = "dropper"
    games = ["connect-four"]

    def choose(self, turn: Turn[View, Action]) -> Action:
        return max(turn.legal_actions(), key=lambda action: self.score(turn.view, action))

    def score(self, view: View, action: Action) -> float:
        """Returns how good a column is: the higher, the better."""
        rules = ConnectFour({}, {})
        # The same column for the other side, which moves when `discs` is odd.
        theirs: View = {"columns": view["columns"], "discs": view["discs"] + 1}
        if rules.play(view, action).get("end") == "four_in_line":
            return 20.0
        if rules.play(theirs, action).get("end") == "four_in_line":
            return 10.0
        return -abs(action["column"] - (COLUMNS + 1) / 2)


if __name__ == "__main__":
    main(Dropper)
