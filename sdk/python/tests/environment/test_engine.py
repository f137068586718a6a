"""States, observations and masks agree with the rules, with each other and with recorded games."""

import copy
import json
import re
import unittest
from typing import Any, Callable, List, Tuple, cast

import numpy as np
from common import REPOSITORY, games_of_rules, random_states

from botyard.engine import Game, State, games, rollouts

RECORDED = REPOSITORY / "crates/replay/tests/data"


class Recorded(unittest.TestCase):
    """Games that the referee recorded: the seed gives the same opening, dice and states."""

    def test_the_seed_of_a_replay_gives_its_game(self) -> None:
        names = [
            "dice-wars-retry", "dice-wars-substitute", "draughts-retry", "draughts-substitute",
            "scotland-yard-retry", "scotland-yard-substitute",
        ]  # fmt: skip
        compared = whole = 0
        for name in names:
            lines = [json.loads(line) for line in (RECORDED / f"{name}.ndjson").read_text().splitlines()]
            header = lines[0]
            state = State(header["game"], header["rules"], header["seed"])
            for line, following in zip(lines, lines[1:]):
                if line["type"] == "fault" and line["fatal"]:
                    break  # The seat forfeits, which is the referee's doing and no action.
                if line["type"] == "move":
                    self.assertEqual(state.seats[state.current_seat or 0], line["seat"], name)
                    state.apply(line["action"])
                # A state of the replay may lie before a draw that State has made already.
                elif line["type"] == "state" and following["type"] != "chance":
                    self.assertEqual(state.state_hash(), line["hash"], f"{name}, turn {line['turn']}")
                    compared += 1
            else:
                self.assertEqual(state.returns(), lines[-1]["outcome"]["scores"], name)
                whole += 1
        self.assertEqual((compared, whole), (9, 1))


class Actions(unittest.TestCase):
    def test_indices_actions_and_mask_agree(self) -> None:
        for game in games_of_rules():
            for state in random_states(game, 150):
                actions, indices, mask = state.legal_actions(), state.legal_indices(), state.action_mask()
                self.assertEqual(len(indices), len(actions), game)
                self.assertEqual(sorted(indices), np.flatnonzero(mask).tolist(), game)
                self.assertEqual([state.action_index(action) for action in actions], indices, game)
                self.assertEqual([state.action_from_index(index) for index in indices], actions, game)

    def test_an_action_and_its_index_lead_to_the_same_state(self) -> None:
        for game in games_of_rules():
            for state in random_states(game, 40):
                for action, index in list(zip(state.legal_actions(), state.legal_indices()))[:3]:
                    one, other = state.clone(), copy.deepcopy(state)
                    one.apply(action)
                    other.apply_index(index)
                    self.assertEqual(one.full_state(), other.full_state())
                    self.assertEqual(one.ply, state.ply + 1)

    def test_what_is_not_legal_is_refused_and_changes_nothing(self) -> None:
        state = State("draughts", seed=1)
        before = state.full_state()
        for action in ["1-2", "nonsense", 7, None, {"from": 1}]:
            with self.assertRaises(ValueError, msg=action):
                state.apply(action)
        illegal = int(np.flatnonzero(~state.action_mask())[0])
        with self.assertRaisesRegex(ValueError, "not that of a legal action"):
            state.apply_index(illegal)
        with self.assertRaisesRegex(IndexError, "below 1024, got 1024"):
            state.apply_index(1024)
        self.assertEqual(state.full_state(), before)

    def test_draughts_is_turned_for_white(self) -> None:
        """The start position looks the same to both, and so do moves that mirror each other."""
        game = Game("draughts", {"ballots": "none"})
        state = game.start(1)
        first = state.observation("black")
        index = state.action_index("11-15")
        state.apply("11-15")
        white = game.start(1, opening={"fen": "W:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"})
        self.assertEqual(white.observation("white").tolist(), first.tolist())
        self.assertEqual(white.action_index("22-18"), index)


class Observations(unittest.TestCase):
    def test_the_page_has_the_sizes(self) -> None:
        page = (REPOSITORY / "docs/do/use-the-python-environment.md").read_text(encoding="utf-8")
        for name in games():
            game = Game(name)
            row = next(line for line in page.splitlines() if re.match(rf"\| `{name}` \| [0-9]", line))
            numbers = re.findall(r"\| (\d+)", row)
            self.assertEqual(numbers, [str(game.observation_size), str(game.action_count)], name)
            described = next(line for line in page.splitlines() if line.startswith(f"| `{name}` | `"))
            for part in game.observation_parts:
                self.assertIn(f"`{part}`", described)

    def test_sizes_and_ranges(self) -> None:
        for game in games_of_rules():
            ends = [0]
            for where, shape in game.observation_parts.values():
                self.assertEqual(where.start, ends[-1])
                self.assertEqual(where.stop - where.start, int(np.prod(shape)))
                ends.append(where.stop)
            self.assertEqual(ends[-1], game.observation_size)
            for state in random_states(game, 60):
                for seat in game.seats:
                    seen = state.observation(seat)
                    self.assertEqual((seen.shape, seen.dtype), ((game.observation_size,), np.float32))
                    self.assertTrue(np.isfinite(seen).all())
                    if game.is_bounded:
                        self.assertTrue((0 <= seen).all() and (seen <= 1).all(), game)

    def test_nothing_hidden_is_shown(self) -> None:
        """States that a seat cannot tell apart give it the same view, and so the same observation and mask."""
        differing = {name: 0 for name in games()}
        for game in games_of_rules():
            for number, state in enumerate(random_states(game, 80)):
                for seat in game.seats:
                    other = state.determinize(seat, seed=number)
                    self.assertEqual(other.view(seat), state.view(seat))
                    self.assertTrue((other.observation(seat) == state.observation(seat)).all(), (game, seat))
                    self.assertEqual(other.current_seat, state.current_seat)
                    if game.seats[state.current_seat or 0] == seat:
                        self.assertEqual(other.legal_indices(), state.legal_indices())
                    differing[game.name] += other.full_state() != state.full_state()
        for name in ["scotland-yard", "liars-dice"]:
            self.assertGreater(differing[name], 200, name)
        for name in ["draughts", "connect-four", "dice-wars"]:
            self.assertEqual(differing[name], 0, name)

    def test_a_view_alone_gives_the_same_arrays(self) -> None:
        for game in games_of_rules():
            for state in random_states(game, 40):
                seat = game.seats[state.current_seat or 0]
                bot = game.state_of_view(json.loads(json.dumps(state.view(seat))), seat, seed=5)
                self.assertTrue((bot.observation(seat) == state.observation(seat)).all(), game)
                self.assertEqual(bot.legal_actions(), state.legal_actions())
                self.assertEqual(bot.legal_indices(), state.legal_indices())

    def test_states_that_differ_for_a_seat_look_different(self) -> None:
        """Along a random game the observations of the seat to move never repeat, where the game cannot."""
        for name in ["scotland-yard", "connect-four", "liars-dice"]:
            game = Game(name)
            state, seen = game.start(3), set()
            while not state.is_terminal:
                seen.add(state.observation(0).tobytes())
                state.apply_index(state.legal_indices()[-1 if name != "liars-dice" else 1])
                if name == "liars-dice" and state.ply > 8:
                    break
            self.assertEqual(len(seen), state.ply if name != "scotland-yard" else len(seen), name)
            self.assertGreater(len(seen), 6, name)

    def test_the_parts_of_scotland_yard(self) -> None:
        game = Game("scotland-yard", "grid-5x5-2")
        state = game.start(4)
        view = state.view("detectives")
        seen = {name: state.observation("detectives")[w].reshape(s) for name, (w, s) in game.observation_parts.items()}
        own = {name: state.observation("mr-x")[w].reshape(s) for name, (w, s) in game.observation_parts.items()}
        self.assertIsNone(view["mr_x"]["station"])
        self.assertEqual(seen["mr_x"].sum(), 0)
        self.assertEqual(np.flatnonzero(own["mr_x"]).tolist(), [state.view("mr-x")["mr_x"]["station"] - 1])
        stations = [detective["station"] - 1 for detective in view["detectives"]]
        self.assertEqual(seen["detectives"].argmax(axis=1).tolist(), stations)
        self.assertEqual(np.flatnonzero(seen["candidates"] == 0).tolist(), sorted(stations))
        self.assertEqual((seen["seat"].tolist(), own["seat"].tolist()), ([0, 1], [1, 0]))

    def test_candidates_are_those_of_the_rules(self) -> None:
        """`show_candidates` has the referee list them."""
        for rules in ["ravensburger", "nijssen", "grid-7x7-3", "grid-15x15-3-stay"]:
            game = Game("scotland-yard", {"preset": rules, "show_candidates": True})
            where, _ = game.observation_parts["candidates"]
            for state in random_states(game, 300):
                for seat in game.seats:
                    listed = [station - 1 for station in state.view(seat)["candidates"]]
                    self.assertEqual(np.flatnonzero(state.observation(seat)[where]).tolist(), listed)


class Seeds(unittest.TestCase):
    def test_equal_seeds_give_equal_games(self) -> None:
        for game in games_of_rules():
            one, other, third = (game.start(seed) for seed in (9, 9, 10))
            while not one.is_terminal and one.ply < 60:
                index = one.legal_indices()[0]
                one.apply_index(index)
                other.apply_index(index)
            self.assertEqual(one.full_state(), other.full_state())
            if game.has_secrets:
                self.assertNotEqual(game.start(9).full_state(), third.full_state(), game)

    def test_clones_draw_the_same_dice_unless_seeded(self) -> None:
        state = State("dice-wars", seed=2)
        same, other = state.clone(), state.clone(seed=3)
        for each in (state, same, other):
            while each.ply < 40 and not each.is_terminal:
                each.apply_index(each.legal_indices()[0])
        self.assertEqual(same.full_state(), state.full_state())
        self.assertNotEqual(other.full_state(), state.full_state())

    def test_a_game_without_a_seed_is_drawn(self) -> None:
        self.assertNotEqual(State("dice-wars").full_state(), State("dice-wars").full_state())

    def test_rollouts_do_not_depend_on_threads(self) -> None:
        for game in games_of_rules():
            plies, returns = game.rollouts(25, seed=4)
            again = game.rollouts(25, seed=4, threads=3)
            self.assertTrue((plies == again[0]).all() and (returns == again[1]).all(), game)
            self.assertTrue((plies > 0).all())
            other = game.rollouts(25, seed=5)
            self.assertFalse((plies == other[0]).all() and (returns == other[1]).all(), game)

    def test_rollouts_from_a_state(self) -> None:
        # Red can win at once, and no move of red in column 1 to 7 loses at once.
        state = State("connect-four")
        for column in [1, 7, 1, 7, 2, 7, 2]:
            state.apply({"column": column})
        plies, returns = state.rollouts(300, seed=1)
        self.assertGreater(int((plies == 1).sum()), 20)
        self.assertTrue((returns[plies == 1] == [0, 1]).all())
        self.assertEqual(state.ply, 7)
        self.assertEqual(rollouts("connect-four", 10, 1)[1].shape, (10, 2))


class Arguments(unittest.TestCase):
    def test_errors_say_what_was_expected(self) -> None:
        game = Game("scotland-yard")
        cases: List[Tuple[Callable[[], object], str]] = [
            (lambda: Game("scotland-yrd"), "did you mean scotland-yard"),
            (lambda: Game("scotland-yard", "bristoll"), "did you mean bristol"),
            (lambda: Game("scotland-yard", {"detective": 3}), "did you mean detectives"),
            (lambda: Game("scotland-yard", {"detectives": 9}), "expected 1 to 5"),
            (lambda: Game("scotland-yard", cast(Any, 5)), "name of a preset or a dictionary, got 5"),
            (lambda: Game("draughts", encoding="raw"), 'expected the encoding "own" or "hashed", got "raw"'),
            (lambda: game.start(-1), "expected a seed: a decimal number from 0"),
            (lambda: game.start(1, opening={"mr_x": 400}), "expected an opening of scotland-yard"),
            (lambda: game.start(1).view("mrx"), "did you mean mr-x"),
            (lambda: game.start(1).view(2), "number from 0 to 1, got 2"),
            (lambda: game.state_of_view({"round": 1}, 0), "expected a view of scotland-yard"),
            (lambda: State(game, "bristol"), "a Game has its rules"),
            (lambda: game.rollouts(0), "at least one game"),
        ]
        for wrong, message in cases:
            with self.assertRaises(ValueError) as raised:
                wrong()
            self.assertIn(message, str(raised.exception))

    def test_rules_as_presets_changes_and_whole(self) -> None:
        self.assertEqual(Game("draughts").rules, games()["draughts"]["presets"][0]["rules"])
        changed = Game("scotland-yard", {"preset": "bristol", "detectives": 4}).rules
        self.assertEqual((changed["detectives"], changed["starts"]), (4, Game("scotland-yard", "bristol").rules["starts"]))
        self.assertEqual(Game("scotland-yard", changed).rules, changed)

    def test_the_end(self) -> None:
        state = State("connect-four", seed=1)
        self.assertEqual((state.returns(), state.rewards(), state.outcome()), ([0, 0], [0, 0], None))
        for column in [1, 2, 1, 2, 1, 2, 1]:
            state.apply({"column": column})
        self.assertTrue(state.is_terminal)
        self.assertEqual((state.current_seat, state.legal_actions(), state.legal_indices()), (None, [], []))
        self.assertEqual((state.returns(), state.rewards()), ([1, 0], [1, -1]))
        self.assertEqual(state.outcome(), {"scores": [1.0, 0.0], "ranks": [1, 2], "reason": "four_in_line"})
        self.assertFalse(state.action_mask().any())
        with self.assertRaisesRegex(ValueError, "name a seat"):
            state.observation()
        with self.assertRaisesRegex(ValueError, "the game is over"):
            state.apply_index(0)


if __name__ == "__main__":
    unittest.main()
