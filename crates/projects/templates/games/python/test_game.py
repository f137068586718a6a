"""Plays games without a referee: `python3 -m unittest`."""

import unittest
from functools import reduce
from operator import xor

from botyard.rules import Program
from game import Nim

BITS = "0" * 64


class Theory(unittest.TestCase):
    def wins(self, program, position):
        """Whether the seat to move wins under perfect play."""
        seat, state = position["to_move"], program.answer({"type": "state"})["state"]
        for action in position["legal"]:
            program.answer({"type": "load", "state": {"heaps": list(state["heaps"]), "to_move": seat}})
            after = program.answer({"type": "play", "seat": seat, "action": action})
            if after["to_move"] == "over" or not self.wins(program, after):
                return True
        return False

    def test_the_winner_is_that_of_the_theorem_of_bouton(self):
        """The player to move loses exactly if the exclusive or of the heaps is 0 (C. L. Bouton, 1901)."""
        for heaps in [[1, 1], [1, 2], [2, 2], [1, 2, 3], [1, 3, 1], [2, 1, 2]]:
            program = Program(Nim)
            program.answer({"type": "new", "rules": {"heaps": heaps}})
            position = program.answer({"type": "open", "random": BITS})
            self.assertEqual(self.wins(program, position), reduce(xor, heaps) != 0, heaps)


if __name__ == "__main__":
    unittest.main()
