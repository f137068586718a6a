"""Games as programs: what a class becomes, what the kit checks, and the value-stable random numbers."""

import contextlib
import io
import json
import subprocess
import unittest
from typing import Any, Dict, List, Optional, Sequence, Tuple, Type

import kit
from kit import ROOT, Json

from botyard.rules import CHANCE, OPENING, Game, GameError, Outcome, Program, Random, Refused, answer_lines

BITS = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


class Nim(Game):
    name = "nim"
    seats = ["first", "second"]
    rules = {"heaps": [3, 4, 5]}
    presets = {"standard": ("three heaps", {}), "short": ("two heaps", {"heaps": [1, 2]})}

    def check_rules(self) -> None:
        if not 1 <= len(self.rules["heaps"]) <= 9:
            raise Refused(f"expected 1 to 9 heaps, got {len(self.rules['heaps'])}", rule="heaps")

    def start(self, opening: Any) -> Any:
        return {"heaps": list(self.rules["heaps"]), "turn": "first"}

    def turn(self, state: Any) -> str:
        return str(state["turn"])

    def legal(self, state: Any) -> Optional[List[Any]]:
        return [(heap, take) for heap, left in enumerate(state["heaps"]) for take in range(1, left + 1)]

    def apply(self, state: Any, action: Any) -> Any:
        heap, take = action
        state["heaps"][heap] -= take
        state["turn"] = self.other(state)
        return state

    def outcome(self, state: Any) -> Any:
        return None if any(state["heaps"]) else self.win(self.other(state), reason="last_taken")

    def other(self, state: Any) -> str:
        return "second" if state["turn"] == "first" else "first"


class Race(Game):
    """Two to five players roll a die in turn; the first one at 10 wins. A player may roll or wait."""

    name = "race"
    seats = (2, 5)
    rules = {"players": 3}
    seats_rule = "players"

    def start(self, opening: Any) -> Any:
        return {"at": [0] * len(self.seats), "turn": 0, "rolls": False}

    def turn(self, state: Any) -> str:
        return CHANCE if state["rolls"] else str(self.seats[state["turn"]])

    def legal(self, state: Any) -> Optional[List[Any]]:
        return ["wait", "roll"]

    def apply(self, state: Any, action: Any) -> Any:
        return self.next(state) if action == "wait" else {**state, "rolls": True}

    def chances(self, state: Any) -> Any:
        return [(1, eyes) for eyes in range(1, 7)]

    def apply_chance(self, state: Any, outcome: Any) -> Any:
        state["at"][state["turn"]] += outcome
        return self.next({**state, "rolls": False})

    def next(self, state: Any) -> Any:
        return {**state, "turn": (state["turn"] + 1) % len(self.seats)}

    def outcome(self, state: Any) -> Any:
        best = max(state["at"])
        return self.win(str(self.seats[state["at"].index(best)])) if best >= 10 else None


class Hidden(Nim):
    """Nim in which a seat does not see what the other takes."""

    name = "hidden"
    hidden = True

    def opening(self, random: Random) -> Any:
        return {"first": random.below(6)}

    def start(self, opening: Any) -> Any:
        return {**super().start(opening), "dice": opening["first"]}

    def view(self, state: Any, seat: str) -> Any:
        return {"dice": state["dice"]} if seat == "first" else {}

    def seen(self, state: Any, seat: str, actor: str, event: Any) -> Any:
        if actor == OPENING:
            return event if seat == "first" else {}
        return event if actor == seat else None


class Board(Game):
    """One move on a board that is too large to list, and its author forgot to expect nonsense."""

    name = "board"
    seats = ["only"]

    def start(self, opening: Any) -> Any:
        return []

    def turn(self, state: Any) -> str:
        return "only"

    def legal(self, state: Any) -> Optional[List[Any]]:
        return None

    def check(self, state: Any, action: Any) -> Any:
        x, y = action["x"], action["y"]
        if not 0 <= x < 1000 or not 0 <= y < 1000:
            raise Refused(f"expected x and y from 0 to 999, got {x} and {y}")
        return [x, y]

    def apply(self, state: Any, action: Any) -> Any:
        return state + [action]

    def outcome(self, state: Any) -> Any:
        return {"only": 1} if state else None


class Pile:
    """A state that is no JSON data."""

    def __init__(self, left: int) -> None:
        self.left = left


class Alone(Game):
    """One seat takes pieces from a pile, one, two or three at once; a word means the number. It has a point for each
    turn that it needs."""

    name = "alone"
    seats: Sequence[Any] = ["only"]
    rules = {"pieces": 3}
    scores = {"least": 1, "most": 3, "sum": None}

    def check_rules(self) -> None:
        self.scores = {"least": 1, "most": self.rules["pieces"], "sum": None}

    def start(self, opening: Any) -> Any:
        return Pile(self.rules["pieces"])

    def turn(self, state: Pile) -> str:
        return "only"

    def legal(self, state: Pile) -> Optional[List[Any]]:
        return [take for take in (1, 2, 3) if take <= state.left]

    def check(self, state: Pile, action: Any) -> Any:
        return {"one": 1, "two": 2, "three": 3, "nine": 9}.get(action)

    def apply(self, state: Pile, action: int) -> Pile:
        state.left -= action
        return state

    def outcome(self, state: Pile) -> Any:
        return None if state.left else [self.rules["pieces"]]

    def view(self, state: Pile, seat: str) -> Any:
        return state.left

    def dump(self, state: Pile) -> Any:
        return {"left": state.left}

    def restore(self, data: Any) -> Pile:
        return Pile(data["left"])

    def copy(self, state: Pile) -> Pile:
        return Pile(state.left)


def asks(game: Type[Game], *requests: Json) -> List[Json]:
    """Returns the answers to these requests, over lines in memory."""
    said = io.BytesIO()
    answer_lines(game, io.BytesIO(kit.lines(*requests)), said)
    return [json.loads(line) for line in said.getvalue().splitlines()]


def play(seat: str, action: Any) -> Json:
    return {"type": "play", "seat": seat, "action": action}


NEW: Json = {"type": "new", "rules": {}}
OPEN: Json = {"type": "open", "random": BITS}
STATE: Json = {"type": "state"}
# What the first player gets in the first playouts of Nim.
NIM_PLAYOUTS = [0, 0, 0, 1, 1, 0, 1, 0, 1, 0]


class Requests(unittest.TestCase):
    def test_hello_has_what_differs_from_the_default(self) -> None:
        [hello] = asks(Nim, {"type": "hello"}, {"type": "quit"}, {"type": "hello"})
        presets = [
            {"name": "standard", "about": "three heaps", "rules": {"heaps": [3, 4, 5]}},
            {"name": "short", "about": "two heaps", "rules": {"heaps": [1, 2]}},
        ]
        self.assertEqual(hello["presets"], presets)
        self.assertEqual((hello["seats"], hello["rules_protocol"]), (["first", "second"], 1))
        self.assertEqual(hello["abilities"], ["check", "load", "playout"])
        [hello] = asks(type("Slow", (Nim,), {"playouts": False}), {"type": "hello"})
        self.assertEqual(hello["abilities"], ["check", "load"])
        [hello] = asks(Race, {"type": "hello"})
        self.assertEqual((hello["seats"], hello["chance"], hello["hidden"]), ([2, 5], True, False))
        self.assertEqual(hello["abilities"], ["check", "load", "playout", "determinize", "forfeit"])

    def test_a_game_from_its_rules_to_its_end(self) -> None:
        answers = asks(
            Nim, {"type": "new", "rules": {"heaps": [1, 2]}}, OPEN, play("first", [1, 2]), STATE, play("second", [0, 1])
        )
        self.assertEqual(answers[0], {"type": "rules", "rules": {"heaps": [1, 2]}})
        view = {"heaps": [1, 2], "turn": "first"}
        first = {"type": "position", "to_move": "first", "legal": [[0, 1], [1, 1], [1, 2]], "view": view}
        self.assertEqual(answers[1], first)
        self.assertEqual(answers[3], {"type": "state", "state": {"heaps": [1, 0], "turn": "second"}})
        outcome = {"scores": [0, 1], "reason": "last_taken"}
        self.assertEqual(answers[4], {"type": "position", "to_move": "over", "outcome": outcome})

    def test_playouts_are_random_games_to_their_end(self) -> None:
        playout = {"type": "playout", "random": BITS, "count": 40}
        answers = asks(Nim, NEW, OPEN, playout, STATE, {**playout, "state": {"heaps": [1, 0], "turn": "second"}})
        self.assertEqual(answers[2]["type"], "playouts")
        self.assertEqual(answers[3]["state"], {"heaps": [3, 4, 5], "turn": "first"})
        # Those of the kit for JavaScript.
        first = [scores[0] for scores in answers[2]["playouts"]]
        self.assertEqual((len(first), first[:10]), (40, NIM_PLAYOUTS))
        self.assertEqual(answers[4]["playouts"], [[0, 1]] * 40)
        [_, refused] = asks(Nim, NEW, {**playout, "count": 0})
        self.assertEqual(refused["message"], "expected 1 to 1000 playouts, got 0")
        # With chance, and with seats that have forfeited.
        forfeit = {"type": "forfeit", "seat": "player-1"}
        [*_, played] = asks(Race, NEW, OPEN, forfeit, playout)
        self.assertTrue(all(scores[0] == 0 and sum(scores) == 1 for scores in played["playouts"]), played)
        self.assertGreater(len({tuple(scores) for scores in played["playouts"]}), 1)

    def test_rules_are_checked(self) -> None:
        for rules, message in [
            ({"heaps": []}, "expected 1 to 9 heaps, got 0"),
            ({"heaps": 3}, "expected a list, got 3"),
        ]:
            [answer] = asks(Nim, {"type": "new", "rules": rules})
            self.assertEqual(answer, {"type": "refused", "rule": "heaps", "message": message})

    def test_illegal_actions_are_refused_without_change(self) -> None:
        answers = asks(
            Nim, NEW, OPEN, play("first", [0, 4]), play("second", [0, 1]), {**play("first", [0, 9]), "type": "check"}, STATE
        )
        self.assertEqual([answer["type"] for answer in answers[2:]], ["refused", "refused", "refused", "state"])
        self.assertIn("expected one of 12 legal actions: [0,1], [0,2]", answers[2]["message"])
        self.assertEqual(answers[5]["state"], {"heaps": [3, 4, 5], "turn": "first"})
        [_, _, legal] = asks(Nim, NEW, OPEN, {**play("first", [0, 1]), "type": "check"})
        self.assertEqual(legal, {"type": "legal"})

    def test_a_state_that_is_loaded_is_played_on(self) -> None:
        state = {"heaps": [0, 0, 1], "turn": "second"}
        [_, _, position, over] = asks(Nim, NEW, OPEN, {"type": "load", "state": state}, play("second", [2, 1]))
        self.assertEqual(position["legal"], [[2, 1]])
        self.assertEqual(over["outcome"]["scores"], [0, 1])

    def test_unknown_requests_and_openings(self) -> None:
        answers = asks(Nim, {"type": "weather"}, {"type": "text"}, NEW, {"type": "open", "opening": {}}, {"type": "open", "opening": 1})
        self.assertEqual([answer["type"] for answer in answers], ["unknown", "unknown", "rules", "position", "refused"])

    def test_a_game_without_a_list_checks_each_action_and_survives_nonsense(self) -> None:
        with contextlib.redirect_stderr(io.StringIO()):  # The traceback for the author.
            answers = asks(
                Board, NEW, OPEN, play("only", {"x": 1000, "y": 0}), play("only", [1]), play("only", "x"), play("only", {"x": 1, "y": 2})
            )
        self.assertNotIn("legal", answers[1])
        self.assertEqual(answers[2]["message"], "expected x and y from 0 to 999, got 1000 and 0")
        self.assertIn("expected an action of board, got [1]", answers[3]["message"])
        self.assertEqual(answers[4]["type"], "refused")
        self.assertEqual(answers[5]["action"], [1, 2])
        self.assertEqual(answers[5]["outcome"]["scores"], [1])


class Objects(unittest.TestCase):
    def test_states_that_are_objects_are_dumped_and_restored(self) -> None:
        load = {"type": "load", "state": {"left": 2}}
        answers = asks(Alone, NEW, OPEN, play("only", 1), STATE, load, STATE)
        self.assertEqual([answers[2]["view"], answers[3]["state"]], [2, {"left": 2}])
        self.assertEqual((answers[4]["legal"], answers[5]["state"]), ([1, 2], {"left": 2}))

    def test_points_that_depend_on_the_rules_are_in_the_answer_to_new(self) -> None:
        default, other = asks(Alone, NEW, {"type": "new", "rules": {"pieces": 9}})
        self.assertNotIn("scores", default)
        self.assertEqual(other["scores"], {"least": 1, "most": 9, "sum": None})

    def test_check_names_the_listed_action_that_is_meant(self) -> None:
        def check(action: Any) -> Json:
            return {"type": "check", "seat": "only", "action": action}

        answers = asks(Alone, NEW, OPEN, check("two"), check(2), check("nine"))[2:]
        self.assertEqual(answers[:2], [{"type": "legal", "action": 2}, {"type": "legal"}])
        self.assertEqual(answers[2]["type"], "refused")


class Secrets(unittest.TestCase):
    def test_copies_are_those_of_the_seats_that_do_not_see_all(self) -> None:
        [_, position, after] = asks(Hidden, NEW, OPEN, play("first", [0, 1]))
        opening = {"first": Random(BITS).below(6)}
        self.assertEqual(position["opening"], opening)
        self.assertEqual(position["seen"], {"second": {}})
        self.assertEqual(position["view"], {"dice": opening["first"]})
        self.assertEqual((after["seen"], after["view"]), ({"second": None}, {}))

    def test_an_opening_that_is_given_is_used_or_refused(self) -> None:
        [_, position] = asks(Hidden, NEW, {"type": "open", "opening": {"first": 5}})
        self.assertEqual(position["view"], {"dice": 5})
        [_, refused] = asks(Hidden, NEW, {"type": "open", "opening": {"last": 5}})
        self.assertEqual(refused["type"], "refused")


class Chance(unittest.TestCase):
    def test_outcomes_are_drawn_from_the_bits_and_taken_back(self) -> None:
        roll = {"type": "chance", "random": BITS}
        answers = asks(Race, NEW, OPEN, play("player-1", "roll"), roll, {"type": "chance", "chance": 3})
        self.assertEqual(answers[0]["seats"], ["player-1", "player-2", "player-3"])
        self.assertEqual(answers[2]["to_move"], "chance")
        self.assertEqual(len(answers[2]["chances"]), 6)
        eyes = answers[3]["chance"]
        self.assertEqual(eyes, Random(BITS).below(6) + 1)
        [*_, again, state] = asks(Race, NEW, OPEN, play("player-1", "roll"), {"type": "chance", "chance": eyes}, STATE)
        self.assertEqual(again, answers[3])
        self.assertEqual(state["state"], {"forfeited": [], "state": {"at": [eyes, 0, 0], "turn": 1, "rolls": False}})
        [*_, refused, state] = asks(Race, NEW, OPEN, play("player-1", "roll"), {"type": "chance", "chance": 7}, STATE)
        self.assertIn("expected one of 6 outcomes: 1, 2, 3, 4, 5, 6; got 7", refused["message"])
        self.assertTrue(state["state"]["state"]["rolls"])


class Forfeits(unittest.TestCase):
    def out(self, seat: str) -> Json:
        return {"type": "forfeit", "seat": seat}

    def test_a_seat_that_forfeited_passes_and_takes_the_last_place(self) -> None:
        requests = [NEW, OPEN, self.out("player-1")]
        # The first seat is at the goal, but has forfeited; the second is at 5, the third at 4.
        state = {"forfeited": ["player-1"], "state": {"at": [10, 5, 4], "turn": 1, "rolls": False}}
        [_, _, position, over] = asks(Race, *requests, {"type": "load", "state": state})
        self.assertEqual((position["to_move"], position["pass"]), ("player-1", "wait"))
        # The point of the winner goes to the two that play on, who are equal to the rules.
        self.assertEqual(over["outcome"], {"scores": [0, 0.5, 0.5], "ranks": [3, 1, 1], "reason": "won"})

    def test_the_last_seat_wins_and_the_others_follow_as_they_left(self) -> None:
        [*_, over] = asks(Race, NEW, OPEN, self.out("player-2"), self.out("player-1"))
        self.assertEqual(over["outcome"], {"scores": [0, 0, 1], "ranks": [2, 3, 1], "reason": "forfeit"})

    def test_a_view_becomes_a_state(self) -> None:
        """The kit's own state has the forfeits beside that of the game, which is the view."""
        view = {"at": [1, 2, 3], "turn": 2, "rolls": False}
        request = {"type": "determinize", "seat": "player-3", "view": view, "random": BITS}
        [*_, drawn, position] = asks(Race, NEW, OPEN, request, {"type": "load", "state": {"forfeited": [], "state": view}})
        self.assertEqual(drawn["state"], {"forfeited": [], "state": view})
        self.assertEqual((position["to_move"], position["view"]), ("player-3", view))

    def test_two_seats_leave_it_to_the_referee(self) -> None:
        [hello] = asks(Nim, {"type": "hello"})
        self.assertNotIn("forfeit", hello["abilities"])


    def test_a_seat_alone_that_forfeits_has_the_least_points(self) -> None:
        class Many(Alone):
            seats = (1, 3)
            seats_rule = "players"
            rules = {"pieces": 3, "players": 1}

            def turn(self, state: Pile) -> str:
                return "player-1"

        position = asks(Many, NEW, OPEN, {"type": "forfeit", "seat": "player-1"})[2]
        self.assertEqual(position["outcome"], {"scores": [1], "reason": "forfeit", "ranks": [1]})


class Mistakes(unittest.TestCase):
    def fails(self, text: str, *requests: Json, **methods: Any) -> None:
        game = type("Mine", (Nim,), methods)
        with self.assertRaises(GameError) as caught:
            asks(game, NEW, OPEN, *requests)
        self.assertIn(text, str(caught.exception))

    def test_what_a_method_returns_is_checked(self) -> None:
        move = play("first", [0, 1])
        self.fails("Mine.turn(): expected one of 'first', 'second', got 'white'", turn=lambda self, state: "white")
        self.fails("the game is not over", legal=lambda self, state: [])
        self.fails("needs check()", legal=lambda self, state: None)
        self.fails("apply() must return the state", move, apply=lambda self, state, action: None)
        self.fails("expected 2 scores", outcome=lambda self, state: [1])
        self.fails("expected one of 'first', 'second', got 'third'", outcome=lambda self, state: {"third": 1})
        self.fails("expected a reason", outcome=lambda self, state: Outcome([1, 0], "A reason"))
        self.fails("'view'['x'] is a set", view=lambda self, state, seat: {"x": {1}})
        self.fails("'view' has the key 1", view=lambda self, state, seat: {1: object()})
        self.fails("state['heaps'] is a tuple", STATE, start=lambda self, opening: {"heaps": (1,), "turn": "first"})

    def test_a_class_that_lacks_something_says_so(self) -> None:
        mistakes: List[Tuple[str, Dict[str, Any]]] = [
            ("needs a name", {"name": ""}),
            ("needs seats", {"seats": ()}),
            ("needs the method legal()", {"legal": Game.legal}),
            ("needs the methods view() and seen()", {"hidden": True}),
            ("needs the method apply_chance()", {"chances": lambda self, state: []}),
            ("needs seats_rule", {"seats": (2, 3)}),
        ]
        for missing, fields in mistakes:
            with self.assertRaises(GameError) as caught:
                Program(type("Mine", (Nim,), fields))
            self.assertIn(missing, str(caught.exception))


class Numbers(unittest.TestCase):
    def test_the_vectors(self) -> None:
        cases = json.loads((ROOT.parent / "vectors" / "rules" / "random.json").read_text(encoding="utf-8"))
        for case in cases:
            for check in case["checks"]:
                random = Random(case["bits"])
                got = [getattr(random, check["call"])(*check["arguments"]) for _ in range(check["times"])]
                self.assertEqual(got, check["expect"], check["call"])

    def test_what_cannot_be_drawn(self) -> None:
        random = Random(BITS)
        for call, argument in [("below", 0), ("below", 2**32 + 1), ("choice", []), ("weighted", [0]), ("weighted", [-1, 2])]:
            with self.assertRaises(ValueError):
                getattr(random, call)(argument)


PRINTING = """
from botyard.rules import Game, serve
import test_rules

class Printing(test_rules.Nim):
    def legal(self, state):
        print("thinking")
        return {legal}

serve(Printing)
"""


class Processes(unittest.TestCase):
    def run_game(self, legal: str, *requests: Json) -> "subprocess.CompletedProcess[bytes]":
        source = f"import sys; sys.path.insert(0, {str(ROOT / 'tests')!r})\n" + PRINTING.replace("{legal}", legal)
        return kit.process(source, *requests)

    def test_print_goes_to_standard_error(self) -> None:
        ran = self.run_game("super().legal(state)", NEW, OPEN, {"type": "quit"})
        self.assertEqual([json.loads(line)["type"] for line in ran.stdout.splitlines()], ["rules", "position"])
        self.assertIn(b"thinking", ran.stderr)
        self.assertEqual(ran.returncode, 0)

    def test_a_mistake_ends_the_program_with_its_message(self) -> None:
        ran = self.run_game("[]", NEW, OPEN)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"botyard: Printing.legal(): expected a list with an action", ran.stderr)
        ran = self.run_game("1 / 0", NEW, OPEN)
        self.assertEqual(ran.returncode, 1)
        self.assertIn(b"ZeroDivisionError", ran.stderr)


if __name__ == "__main__":
    unittest.main()
