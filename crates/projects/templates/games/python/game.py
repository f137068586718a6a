"""Nim: two players take pieces from one heap in turn, and the one who takes the last piece wins."""

from botyard.rules import Game, Refused, serve
from botyard.tables import Table, chip


class Nim(Game):
    name = "{{name}}"
    seats = ["first", "second"]
    rules = {"heaps": [3, 4, 5]}
    presets = {"standard": ("heaps of 3, 4 and 5 pieces", {}), "short": ("two heaps", {"heaps": [1, 2]})}
    scoring = "the seat that takes the last piece gets the point."

    def check_rules(self):
        heaps = self.rules["heaps"]
        if not 1 <= len(heaps) <= 9 or not all(type(heap) is int and 1 <= heap <= 20 for heap in heaps):
            raise Refused(f"expected 1 to 9 heaps of 1 to 20 pieces, got {heaps}", rule="heaps")

    def start(self, opening):
        return {"heaps": list(self.rules["heaps"]), "to_move": "first"}

    def turn(self, state):
        return state["to_move"]

    def legal(self, state):
        return [
            {"heap": heap, "take": take} for heap, left in enumerate(state["heaps"], 1) for take in range(1, left + 1)
        ]

    def apply(self, state, action):
        state["heaps"][action["heap"] - 1] -= action["take"]
        state["to_move"] = "second" if state["to_move"] == "first" else "first"
        return state

    def outcome(self, state):
        if any(state["heaps"]):
            return None
        return self.win("second" if state["to_move"] == "first" else "first", reason="last_piece")

    def text(self, state):
        return "\n".join(f"{heap}: {'| ' * left}" for heap, left in enumerate(state["heaps"], 1))

    def picture(self, state, seat):
        table = Table("Nim")
        for heap, left in enumerate(state["heaps"], 1):
            table.row(f"heap {heap}", [self.piece(heap, take) for take in range(1, left + 1)], note=f"{left} left")
        return table.svg()

    def piece(self, heap, take):
        return chip(str(take), action={"heap": heap, "take": take}, label=f"take {take} from heap {heap}")


if __name__ == "__main__":
    serve(Nim)
