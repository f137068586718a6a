"""The example games against facts of others, counted through their programs: each test speaks the rules protocol with
a process. `python3 -m unittest` runs the tests; those of games in JavaScript need node."""

import json
import math
import re
import shutil
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

GAMES = Path(__file__).resolve().parents[1]
BITS = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


class Program:
    """The running program of a game."""

    def __init__(self, game, rules=None):
        run = re.search(r'^run = "(.*)"$', (GAMES / game / "game.toml").read_text(encoding="utf-8"), re.MULTILINE)
        command = run.group(1).split()
        self.process = subprocess.Popen(
            command, cwd=GAMES / game, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8"
        )
        self.hello = self.ask("hello")
        assert self.hello["name"] == game
        self.rules = self.ask("new", rules=rules or {})

    def ask(self, kind, **fields):
        self.process.stdin.write(json.dumps({"type": kind, **fields}) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def open(self):
        return self.ask("open", random=BITS)

    def state(self):
        return self.ask("state")["state"]

    def after(self, state, **fields):
        """The position after an action or an outcome of chance in a state."""
        self.ask("load", state=state)
        return self.ask("play" if "action" in fields else "chance", **fields)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.write('{"type":"quit"}\n')
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class TicTacToe(unittest.TestCase):
    def test_states_and_games(self):
        """5,478 states and 255,168 games: S. Schaefer, MathRec Solutions (Tic-Tac-Toe), 2002.
        131,184 are won by the first player, 77,904 by the second, and 46,080 are drawn."""
        with Program("tic-tac-toe") as program:
            known = {}

            def count(path):
                """How the games through a state end, by the points of the first player."""
                position = program.open()
                for cell in path:
                    position = program.ask("play", seat=position["to_move"], action=cell)
                key = json.dumps(program.state())
                if key not in known:
                    if position["to_move"] == "over":
                        known[key] = {position["outcome"]["scores"][0]: 1}
                    else:
                        total = {}
                        for cell in position["legal"]:
                            for points, games in count([*path, cell]).items():
                                total[points] = total.get(points, 0) + games
                        known[key] = total
                return known[key]

            self.assertEqual(count([]), {1: 131_184, 0: 77_904, 0.5: 46_080})
            self.assertEqual(sum(count([]).values()), 255_168)
            self.assertEqual(len(known), 5_478)


@unittest.skipUnless(shutil.which("node"), "needs node")
class KuhnPoker(unittest.TestCase):
    def test_tree_and_value(self):
        """58 histories, 30 of them ends of the game, 12 information sets, and the value -1/18 for the first player
        under the strategies of H. W. Kuhn, A simplified two-person poker, 1950."""
        third = Fraction(1, 3)
        # The probability of a bet, by card and earlier actions, for the parameter 1/3 of the first player.
        bets = {
            ("jack", ""): third, ("queen", ""): 0, ("king", ""): 1,
            ("jack", "pass bet"): 0, ("queen", "pass bet"): third + third, ("king", "pass bet"): 1,
            ("jack", "pass"): third, ("queen", "pass"): 0, ("king", "pass"): 1,
            ("jack", "bet"): 0, ("queen", "bet"): third, ("king", "bet"): 1,
        }
        counts = {"histories": 0, "ends": 0}
        views = set()

        with Program("kuhn-poker") as program:

            def value(position, state):
                counts["histories"] += 1
                turn = position["to_move"]
                if turn == "over":
                    counts["ends"] += 1
                    self.assertEqual(sum(position["outcome"]["scores"]), 0)
                    return Fraction(position["outcome"]["scores"][0])
                if turn == "chance":
                    chances = position["chances"]
                    self.assertEqual(sum(Fraction(p).limit_denominator(6) for p, _ in chances), 1)
                    return sum(
                        Fraction(p).limit_denominator(6) * value(program.after(state, chance=outcome), program.state())
                        for p, outcome in chances
                    )
                view = position["view"]
                views.add((turn, json.dumps(view)))
                bet = bets[view["card"], " ".join(view["actions"])]
                return sum(
                    (bet if action == "bet" else 1 - bet)
                    * value(program.after(state, seat=turn, action=action), program.state())
                    for action in position["legal"]
                )

            first = program.open()
            self.assertEqual(value(first, program.state()), Fraction(-1, 18))
        self.assertEqual((counts["histories"], counts["ends"], len(views)), (58, 30, 12))

    def test_no_seat_sees_the_card_of_the_other(self):
        for card in ["jack", "queen"]:
            with Program("kuhn-poker") as program:
                program.open()
                program.ask("chance", chance={"seat": "first", "card": card})
                dealt = program.ask("chance", chance={"seat": "second", "card": "king"})
                self.assertEqual(dealt["seen"], {"first": {"seat": "second", "card": None}})
                self.assertEqual(program.ask("view", seat="second")["view"], {"card": "king", "dealt": 2, "actions": []})


class RockPaperScissors(unittest.TestCase):
    def ends(self, rounds):
        ends = {0: 0, 0.5: 0, 1: 0}
        with Program("rock-paper-scissors", {"rounds": rounds}) as program:

            def play(position, state):
                if position["to_move"] == "over":
                    ends[position["outcome"]["scores"][0]] += 1
                    return
                for action in position["legal"]:
                    play(program.after(state, seat=position["to_move"], action=action), program.state())

            play(program.open(), program.state())
        return ends

    def test_ties_are_counted_by_the_central_trinomial_coefficients(self):
        """A round goes one way, the other, or neither, each in three ways: 3**n times 1, 3, 7, ... (OEIS A002426)."""
        for rounds, coefficient in [(1, 1), (2, 3), (3, 7)]:
            ties = 3**rounds * coefficient
            won = (9**rounds - ties) // 2
            self.assertEqual(self.ends(rounds), {0: won, 0.5: ties, 1: won}, rounds)

    def test_the_second_seat_does_not_see_what_the_first_one_throws(self):
        positions = []
        for throw in ["rock", "paper"]:
            with Program("rock-paper-scissors") as program:
                program.open()
                positions.append(program.ask("play", seat="left", action=throw))
        self.assertEqual(positions[0], positions[1])
        self.assertEqual(positions[0]["seen"], {"right": None})


class Pig(unittest.TestCase):
    def test_a_turn_that_holds_at_twenty(self):
        """What such a turn gains: T. W. Neller and C. G. M. Presser, Optimal play of the dice game Pig, The UMAP
        Journal 25 (2004)."""
        with Program("pig") as program:

            @lru_cache(None)
            def gains(rolled):
                """The probabilities of what a turn gains that has rolled this much."""
                if rolled >= 20:
                    return {rolled: Fraction(1)}
                state = {"points": [0, 0, 0], "place": 0, "rolled": rolled, "eyes": None, "round": 1, "rolls": False}
                state = {"forfeited": [], "state": state}
                rolling = program.after(state, seat="player-1", action="roll")
                state = program.state()
                total = {}
                for probability, outcome in rolling["chances"]:
                    position = program.after(state, chance=outcome)
                    is_lost = position["to_move"] == "player-2"
                    after = {0: Fraction(1)} if is_lost else gains(position["view"]["rolled"])
                    for gain, share in after.items():
                        total[gain] = total.get(gain, 0) + Fraction(probability).limit_denominator(6) * share
                return total

            exact = gains(0)
        published = {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
        self.assertEqual({gain: round(float(share), 4) for gain, share in exact.items()}, published)
        self.assertEqual(sum(exact.values()), 1)

    def test_three_to_five_play_and_a_seat_that_forfeits_is_the_last(self):
        for players in [3, 4, 5]:
            with Program("pig", {"players": players}) as program:
                self.assertEqual(len(program.rules["seats"]), players)
                program.open()
                position = program.ask("forfeit", seat="player-1")
                self.assertEqual((position["to_move"], position["pass"]), ("player-1", "hold"))
                for seat in range(2, players):
                    position = program.ask("forfeit", seat=f"player-{seat}")
                outcome = position["outcome"]
                self.assertEqual(outcome["ranks"], [players + 1 - rank for rank in range(1, players + 1)])
                self.assertEqual(outcome["scores"], [0] * (players - 1) + [1])


class Connect6(unittest.TestCase):
    def test_the_first_turns_have_361_and_64620_actions(self):
        """One of 361 points, then two of the other 360. All pairs of a smaller board are tried."""
        self.assertEqual(math.comb(360, 2), 64_620)
        with Program("connect6") as program:
            self.assertNotIn("legal", program.open())
            points = range(-1, 362)
            one = [program.ask("check", seat="black", action=[point])["type"] for point in points]
            self.assertEqual(one.count("legal"), 361)
            program.ask("play", seat="black", action=[180])
            partners = [program.ask("check", seat="white", action=[0, point])["type"] for point in points]
            self.assertEqual(partners.count("legal"), 359)
        with Program("connect6", {"size": 7}) as program:
            program.open()
            program.ask("play", seat="black", action=[24])
            pairs = [[a, b] for a in range(49) for b in range(a + 1, 49)]
            answers = [program.ask("check", seat="white", action=pair)["type"] for pair in pairs]
            self.assertEqual(answers.count("legal"), math.comb(48, 2))

    def test_an_action_has_one_form_and_a_wrong_one_a_reason(self):
        with Program("connect6") as program:
            program.open()
            program.ask("play", seat="black", action=[180])
            for action, reason in [
                ([180, 3], "180 has a stone of black"),
                ([3, 3], "2 different points"),
                ([3], "2 different points"),
                ([3, 361], "from 0 to 360, got 361"),
                ({"points": [1, 2]}, "2 different points"),
                ([True, 5], "2 different points"),
            ]:
                refused = program.ask("play", seat="white", action=action)
                self.assertEqual(refused["type"], "refused")
                self.assertIn(reason, refused["message"])
            self.assertEqual(program.ask("play", seat="white", action=[5, 4])["action"], [4, 5])

    def test_six_in_each_direction_win_and_a_full_board_is_drawn(self):
        for step in [1, 19, 20, 18]:
            with Program("connect6") as program:
                line = [100 + step * place for place in range(6)]
                others = [point for point in range(361) if point not in line and point % 3 == 0]
                state = {"stones": {"black": line[:5], "white": others[:6]}, "last": []}
                program.open()
                extra = next(point for point in range(360, 0, -1) if point not in line and point not in others)
                self.assertEqual(program.ask("load", state=state)["to_move"], "black")
                position = program.ask("play", seat="black", action=[line[5], extra])
                self.assertEqual(position["outcome"], {"scores": [1, 0], "reason": "six"})
        # Stripes of two columns, shifted by two every other row, have no six in a row.
        with Program("connect6", {"size": 7}) as program:
            position = program.open()
            black = [point for point in range(49) if (point // 7 + point % 7 // 2) % 2 == 0]
            white = [point for point in range(49) if point not in black]
            black, white = black[:25] + white[24:], white[:24] + black[25:]
            stones = {"black": iter(black), "white": iter(white)}
            while position["to_move"] != "over":
                number = 1 if program.state()["stones"]["black"] == [] else 2
                action = [next(stones[position["to_move"]]) for _ in range(number)]
                position = program.ask("play", seat=position["to_move"], action=action)
            self.assertEqual(position["outcome"], {"scores": [0.5, 0.5], "reason": "full"})


class Hex(unittest.TestCase):
    def position(self, program, rows, to_move="red"):
        return program.ask("load", state={"board": rows, "to_move": to_move, "last": None})

    def test_every_full_board_has_one_winner(self):
        """J. F. Nash, Some games and machines for playing them, 1952. Mirrored in the long diagonal with the colours
        exchanged, each of the 512 boards is another one that the other seat has won, so each seat wins 256."""
        scores = []
        with Program("hex", {"size": 3}) as program:
            for number in range(512):
                stones = f"{number:09b}".replace("0", "r").replace("1", "b")
                position = self.position(program, [stones[:3], stones[3:6], stones[6:]])
                self.assertEqual((position["to_move"], position["outcome"]["reason"]), ("over", "connected"))
                scores.append(tuple(position["outcome"]["scores"]))
        self.assertEqual((scores.count((1, 0)), scores.count((0, 1))), (256, 256))

    def test_games_on_four_cells(self):
        """OpenSpiel's hex with board_size 2 has 24 games, of which the first player wins 12."""
        scores = []
        with Program("hex", {"size": 2, "swap": False}) as program:

            def play(position, state):
                if position["to_move"] == "over":
                    scores.append(position["outcome"]["scores"][0])
                    return
                for action in position["legal"]:
                    play(program.after(state, seat=position["to_move"], action=action), program.state())

            play(program.open(), program.state())
        self.assertEqual((len(scores), sum(scores)), (24, 12))

    def wins(self, program, position, known):
        """Whether the seat to move wins under perfect play."""
        state, seat = program.state(), position["to_move"]
        key = (*state["board"], seat)
        if key not in known:
            known[key] = False
            for action in position["legal"]:
                after = program.after(state, seat=seat, action=action)
                if after["to_move"] == "over" or not self.wins(program, after, known):
                    known[key] = True
                    break
        return known[key]

    def test_the_first_stones_that_win(self):
        """As OpenSpiel's hex with board_size 3 has it, and every table of solved boards: five of nine first stones win.
        Where blue may swap, blue wins: it swaps these, and answers the others."""
        with Program("hex", {"size": 3, "swap": False}) as program:
            program.open()
            first, known = program.state(), {}
            cells = [f"{column}{row}" for column in "abc" for row in "123"]
            lost = [
                cell
                for cell in cells
                if self.wins(program, program.after(first, seat="red", action=cell), known)
            ]
        self.assertEqual(lost, ["a1", "b1", "b3", "c3"])
        with Program("hex", {"size": 3}) as program:
            self.assertFalse(self.wins(program, program.open(), {}))

    def test_blue_may_swap_in_its_first_turn_only(self):
        with Program("hex") as program:
            self.assertNotIn("swap", program.open()["legal"])
            self.assertIn("swap", program.ask("play", seat="red", action="c2")["legal"])
            position = program.ask("play", seat="blue", action="swap")
            # Red's c2 is blue's b3 now.
            self.assertEqual((position["view"]["board"][2][1], position["view"]["board"][1][2]), ("b", "."))
            self.assertEqual((position["to_move"], len(position["legal"])), ("red", 120))
            self.assertNotIn("swap", program.ask("play", seat="red", action="c2")["legal"])


class Pictures(unittest.TestCase):
    """What a seat may pick on the pictures are its legal actions. `check-game` tests that they hide what is hidden."""

    def actions(self, program, seat):
        svg = ElementTree.fromstring(program.ask("draw", seat=seat)["svg"])
        return [json.loads(one.attrib["data-action"]) for one in svg.iter() if "data-action" in one.attrib]

    def all_are_drawn(self, game, actions, rules=None):
        with Program(game, rules) as program:
            position = program.open()
            for action in actions:
                while position["to_move"] == "chance":
                    position = program.ask("chance", random=BITS)
                legal, drawn = position["legal"], self.actions(program, position["to_move"])
                self.assertEqual(sorted(map(str, drawn)), sorted(map(str, legal)), game)
                position = program.ask("play", seat=position["to_move"], action=action)

    def test_in_python(self):
        self.all_are_drawn("hex", ["c2", "swap", "a1", "b1"], {"size": 5})
        self.all_are_drawn("pig", ["roll", "hold", "hold", "roll"])
        self.all_are_drawn("rock-paper-scissors", ["rock", "paper", "rock"])
        with Program("connect6", {"size": 9}) as program:
            program.open()
            self.assertEqual(self.actions(program, "black"), [[point] for point in range(81)])

    @unittest.skipUnless(shutil.which("node"), "needs node")
    def test_in_javascript(self):
        self.all_are_drawn("kuhn-poker", ["pass", "bet"])


if __name__ == "__main__":
    unittest.main()
