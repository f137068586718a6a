"""Connect Four, draughts and Liar's Dice against OpenSpiel's: legal actions and results of the same random games.

OpenSpiel's checkers is English draughts with White to move first and these differences: a capture is played jump by
jump, a captured piece leaves the board at once, and a game is drawn after 40 plies without a capture. In its Liar's
Dice sixes count for every face.
"""

import random
import re
import unittest
from typing import Any, Dict, Iterator, List, Tuple

import common  # noqa: F401 - the kit on the path
import pyspiel

from botyard.engine import Game, State

#: The number of positions of each game.
POSITIONS = 10_000

#: The plies without a capture after which OpenSpiel ends a game of draughts.
QUIET = 40


def returns_of(state: State) -> List[float]:
    """Our points, from 0 to 1, as OpenSpiel has them, from -1 to 1."""
    return [2 * points - 1 for points in state.returns()]


class ConnectFour(unittest.TestCase):
    def test_legal_actions_and_results(self) -> None:
        game, theirs, draw = Game("connect-four"), pyspiel.load_game("connect_four"), random.Random(1)
        compared = ended = 0
        while compared < POSITIONS:
            one, other = game.start(1), theirs.new_initial_state()
            while not one.is_terminal:
                legal = [action["column"] - 1 for action in one.legal_actions()]
                self.assertEqual((one.current_seat, legal), (other.current_player(), other.legal_actions()), str(other))
                compared += 1
                column = draw.choice(legal)
                one.apply({"column": column + 1})
                other.apply_action(column)
            self.assertTrue(other.is_terminal(), str(other))
            self.assertEqual(returns_of(one), other.returns(), str(other))
            ended += 1
        self.assertGreater(ended, 300)


def square(name: str) -> int:
    """The number of a dark square in draughts, from its name in chess."""
    row, column = 8 - int(name[1]), ord(name[0]) - ord("a")
    return 4 * row + column // 2 + 1


def moves(state: Any, path: Tuple[int, ...] = ()) -> Iterator[Tuple[Tuple[int, ...], Any]]:
    """Whole moves in OpenSpiel's checkers: the squares on the way, and the state after it."""
    player = state.current_player()
    for action in state.legal_actions():
        name = state.action_to_string(player, action)
        after = state.child(action)
        way = (*(path or (square(name[:2]),)), square(name[2:]))
        if not after.is_terminal() and after.current_player() == player:
            yield from moves(after, way)
        else:
            yield way, after


def position(fen: str) -> Dict[int, str]:
    """The pieces of a position, by square: ``W:W21,K22:B1``."""
    pieces = {}
    for side in re.findall(r":([WB])([^:]*)", fen):
        for piece in filter(None, side[1].split(",")):
            pieces[int(piece.strip("K"))] = side[0] + piece[: piece.startswith("K")]
    return pieces


def their_position(text: str) -> Dict[int, str]:
    signs = {"o": "W", "8": "WK", "+": "B", "*": "BK"}
    rows = [re.sub(r"^\d", "", row) for row in text.split("\n")[:8]]
    cells = [(row, column, sign) for row, cells in enumerate(rows) for column, sign in enumerate(cells)]
    return {4 * row + column // 2 + 1: signs[sign] for row, column, sign in cells if sign != "."}


class Draughts(unittest.TestCase):
    def test_moves_positions_and_results(self) -> None:
        rules = {"first_mover": "white", "ballots": "none", "draw_repetitions": 0, "draw_quiet_plies": 0}
        game, theirs, draw = (
            Game("draughts", {**rules, "max_plies": 10_000}),
            pyspiel.load_game("checkers"),
            random.Random(1),
        )
        compared = won = drawn = captures = 0
        while compared < POSITIONS:
            one, other, quiet = game.start(1), theirs.new_initial_state(), 0
            while not one.is_terminal and quiet < QUIET:
                self.assertFalse(other.is_terminal(), str(other))
                self.assertEqual(one.current_seat, other.current_player())
                ways = dict(moves(other))
                ours = {action: tuple(map(int, re.split("[-x]", action))) for action in one.legal_actions()}
                compared += 1
                ends = sorted((way[0], way[-1]) for way in ours.values())
                self.assertEqual(ends, sorted((way[0], way[-1]) for way in ways), str(other))
                action = draw.choice(list(ours))
                chosen = [way for way in ways if (way[0], way[-1]) == (ours[action][0], ours[action][-1])]
                one.apply(action)
                here = position(one.full_state()["fen"])
                after = [ways[way] for way in chosen if their_position(str(ways[way])) == here]
                self.assertTrue(after, f"{other}{action}")
                other = after[0]
                is_capture = "x" in action
                captures += is_capture
                quiet = 0 if is_capture else quiet + 1
            self.assertTrue(other.is_terminal(), str(other))
            if one.is_terminal:
                self.assertEqual(returns_of(one), other.returns(), str(other))
                won += 1
            else:
                self.assertEqual(other.returns(), [0, 0], str(other))
                drawn += 1
        self.assertGreater(min(won, captures // 10), 50)
        self.assertGreater(drawn, 5)


class LiarsDice(unittest.TestCase):
    def test_legal_actions_and_results(self) -> None:
        draw = random.Random(1)
        for dice in (1, 2, 5):
            game = Game("liars-dice", {"players": 2, "dice": dice})
            theirs = pyspiel.load_game("liars_dice", {"players": 2, "numdice": dice})
            compared = ended = 0
            for seed in range(1_000_000):
                if compared >= POSITIONS // 3:
                    break
                one, other = game.start(seed), theirs.new_initial_state()
                cups = one.full_state()["cups"]
                for cup in cups:
                    for face, count in enumerate(cup):
                        for _ in range(count):
                            other.apply_action(face)
                bid = None
                while not one.is_terminal:
                    actions = one.legal_actions()
                    ours = [self.name(action) for action in actions]
                    legal = other.legal_actions()
                    names = [other.action_to_string(action) for action in legal]
                    self.assertEqual(
                        (one.current_seat, sorted(ours)), (other.current_player(), sorted(names)), str(other)
                    )
                    compared += 1
                    # Doubts often, as games are short then and end everywhere.
                    chosen = "Liar" if "Liar" in ours and draw.random() < 0.3 else draw.choice(ours)
                    bid = bid if chosen == "Liar" else chosen
                    one.apply(actions[ours.index(chosen)])
                    other.apply_action(legal[names.index(chosen)])
                self.assertTrue(other.is_terminal(), str(other))
                if bid is not None and (bid.endswith("-6") or not any(cup[5] for cup in cups)):
                    self.assertEqual(returns_of(one), other.returns(), str(other))
                    ended += 1
            self.assertGreater(ended, 50)

    @staticmethod
    def name(action: Any) -> str:
        return "Liar" if action == "liar" else f"{action['bid']['count']}-{action['bid']['face']}"


if __name__ == "__main__":
    unittest.main()
