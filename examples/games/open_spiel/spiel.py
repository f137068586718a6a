"""The games of OpenSpiel as games of the rules protocol: one class for all, which asks OpenSpiel for everything.

A state is a :class:`Course`: OpenSpiel's state, and the actions that led to it. As JSON it is these actions, from which
OpenSpiel finds the state again. All chance is drawn from the referee's bits. OpenSpiel: Lanctot et al., *OpenSpiel: A
Framework for Reinforcement Learning in Games*, arXiv:1908.09453.
"""

from typing import Any, Dict, List, Mapping, Optional, Sequence, Tuple, Union

from botyard.rules import CHANCE, OPENING, Game, Outcome, Random, Refused
from loading import defaults_of, draws_in_secret, is_secret, load, parsed, scores_of, type_of
from names import SEATS
from pictures import picture

import pyspiel  # After `loading`, which says how to install it.

Json = Any
#: An action as JSON: OpenSpiel's text of it, or its number where several legal actions have this text.
Label = Union[str, int]

#: The seats that the protocol allows.
MOST_SEATS = 8

#: Where there are more outcomes of chance, they are not listed, and written as numbers.
MOST_CHANCES = 64

#: The parameter from which games that draw in secret seed their generator.
SEED = "rng_seed"


class Course:
    """A game in progress."""

    def __init__(self, state: Any, seed: Optional[int], players: int) -> None:
        self.state = state
        #: The seed of the game's own generator, if it has one.
        self.seed = seed
        #: The numbers of the actions and outcomes of chance; a list for each round in which all decide simultaneously.
        self.history: List[Union[int, List[int]]] = []
        #: What the first players of such a round have decided, which is not played yet.
        self.pending: List[int] = []
        #: What each player knew before the last event, where something is hidden.
        self.before: List[str] = [""] * players
        #: What the players have decided in the round that just ended.
        self.joint: Optional[Dict[str, Label]] = None
        #: What was asked of OpenSpiel in this position: the labels of what can happen, and what players know.
        self.labels: Optional[Dict[Label, int]] = None
        self.information: Dict[int, str] = {}

    def clone(self) -> "Course":
        copy = Course(self.state.clone(), self.seed, len(self.before))
        copy.history = list(self.history)
        copy.pending, copy.before, copy.joint = list(self.pending), list(self.before), self.joint
        return copy


class OpenSpiel(Game):
    """Every game of OpenSpiel by the rules ``game`` and ``parameters``."""

    name = "open-spiel"
    seats: Sequence[Any] = (1, MOST_SEATS)
    seats_rule: Optional[str] = "players"
    seats_alike = False
    rules: Dict[str, Any] = {"game": "tic_tac_toe", "parameters": {}, "players": 0, "tensors": False}
    hidden = True
    simultaneous = True
    version = str(getattr(pyspiel, "__version__", ""))
    scoring = "points are the returns of OpenSpiel; places follow from them."
    #: The only game of a bundle, whose parameters are rules.
    only: Optional[str] = None

    def __init__(self, rules: Mapping[str, Any]) -> None:
        rules = dict(rules)
        if self.only is None and type(rules.get("game")) is int:
            rules["game"] = str(rules["game"])  # 2048 as a command line writes it.
        try:
            super().__init__(rules)
        except Refused as refused:
            # The parameters are rules of their own where a bundle has one game.
            is_rule = refused.rule in type(self).rules
            raise refused if is_rule else Refused(refused.message) from refused

    def check_rules(self) -> None:
        rules = self.rules
        if self.only is None:
            given = parsed(rules["game"], "game")
            name = str(given.pop("name"))
            parameters = {
                key: pyspiel.game_parameters_to_string(value) if isinstance(value, dict) else value
                for key, value in {**given, **rules["parameters"]}.items()
            }
        else:
            name = self.only
            parameters = {key: value for key, value in rules.items() if key not in ("players", "tensors")}
        self.kind = type_of(name)
        defaults = defaults_of(self.kind)
        if self.kind.chance_mode == self.kind.ChanceMode.SAMPLED_STOCHASTIC and SEED in parameters:
            raise Refused(f"the seed comes from the referee: leave out {SEED}", rule="parameters")
        players = rules.get("players", 0) or parameters.pop("players", 0)
        if players and "players" in defaults:
            parameters["players"] = players
        self.spiel = load(name, parameters)
        count = self.spiel.num_players()
        if players and players != count:
            raise Refused(f"expected {count} players, as {name} has them, got {players}", rule="players")
        seats = type(self).seats
        if isinstance(seats[0], str) and count != len(seats):
            raise Refused(f"expected parameters for {len(seats)} players, as at first, got {count}", rule="parameters")
        if not 1 <= count <= MOST_SEATS:
            raise Refused(f"expected 1 to {MOST_SEATS} players, got {count}", rule="players")
        self.kind = self.spiel.get_type()
        if self.kind.dynamics == self.kind.Dynamics.MEAN_FIELD:
            raise Refused("mean field games are no games of players", rule="game")
        self.draws_in_secret = draws_in_secret(self.spiel)
        if self.draws_in_secret and SEED not in defaults:
            raise Refused(f"{name} draws random numbers of its own, and has no seed", rule="game")
        if self.only is None:
            defaults.pop("players", None)
            parameters = {**defaults, **parameters}
            parameters.pop("players", None)
            parameters.pop(SEED if self.draws_in_secret else "", None)
            self.rules = {"game": name, "parameters": parameters, "players": count, "tensors": rules["tensors"]}
        elif "players" in rules:
            rules["players"] = count
        self.is_secret = is_secret(self.spiel)
        self.hides = self.kind.information == self.kind.Information.IMPERFECT_INFORMATION
        self.scores = scores_of(self.spiel)

    def seat_names(self) -> List[str]:
        count = self.spiel.num_players()
        names = SEATS.get(self.kind.short_name, ())
        return list(names) if len(names) == count else [f"player-{player}" for player in range(count)]

    # The course of a game.

    def opening(self, random: Random) -> Json:
        return {"seed": random.below((1 << 31) - 2) + 1} if self.draws_in_secret else {}

    def start(self, opening: Json) -> Course:
        seed = opening["seed"] if self.draws_in_secret else None
        if self.draws_in_secret and type(seed) is not int:
            raise Refused(f"expected a whole number as seed, got {seed!r}")
        return self._begin(seed)

    def _begin(self, seed: Optional[int]) -> Course:
        game = self.spiel
        if seed is not None:
            # Its generator belongs to the game, not to the state.
            game = pyspiel.load_game(self.kind.short_name, {**self.spiel.get_parameters(), SEED: seed})
        course = Course(game.new_initial_state(), seed, len(self.seats) if hasattr(self, "seats") else 0)
        self._draw_in_secret(course)
        return course

    def _draw_in_secret(self, course: Course) -> None:
        while self.draws_in_secret and course.state.is_chance_node():
            course.state.apply_action(course.state.chance_outcomes()[0][0])

    def player(self, course: Course) -> int:
        """Returns the player whose decision is next, in a round the first one that has not decided."""
        state = course.state
        if not state.is_simultaneous_node():
            return int(state.current_player())
        return self._to_decide(course)[len(course.pending)]

    def _to_decide(self, course: Course) -> List[int]:
        deciding = [player for player in range(len(self.seats)) if course.state.legal_actions(player)]
        return deciding or [0]

    def turn(self, course: Course) -> str:
        if course.state.is_chance_node():
            return CHANCE
        return str(self.seats[self.player(course)])

    def labels(self, course: Course) -> Dict[Label, int]:
        """Returns the legal actions of the player whose turn it is, or the outcomes of chance: numbers by label."""
        if course.labels is None:
            course.labels = self._labels(course)
        return course.labels

    def _labels(self, course: Course) -> Dict[Label, int]:
        state = course.state
        if state.is_chance_node():
            player, actions = -1, [action for action, probability in state.chance_outcomes() if probability > 0]
            if len(actions) > MOST_CHANCES:
                return {action: action for action in actions}
        else:
            player = self.player(course)
            actions = state.legal_actions(player) or [0]
        return labelled(state, player, actions)

    def legal(self, course: Course) -> List[Json]:
        return list(self.labels(course))

    def apply(self, course: Course, action: Json) -> Course:
        number = self.labels(course)[action]
        self._remember(course)
        state = course.state
        if not state.is_simultaneous_node():
            course.history.append(number)
            state.apply_action(number)
        else:
            deciding = self._to_decide(course)
            course.pending.append(number)
            if len(course.pending) < len(deciding):
                return course
            chosen = dict(zip(deciding, course.pending))
            joint = [chosen.get(player, 0) for player in range(len(self.seats))]
            course.joint = {
                str(self.seats[player]): label_of(state, player, number) for player, number in chosen.items()
            }
            course.pending = []
            course.history.append(joint)
            state.apply_actions(joint)
        self._draw_in_secret(course)
        return course

    def check(self, course: Course, action: Json) -> Json:
        labels = self.labels(course)
        if type(action) is int:
            meant = [label for label, number in labels.items() if number == action]
            if meant:
                return meant[0]
        shown = ", ".join(map(repr, list(labels)[:10])) + (", ..." if len(labels) > 10 else "")
        raise Refused(f"expected one of {len(labels)} legal actions, {shown}, or its number in OpenSpiel; got {action!r}")

    def parse(self, course: Course, text: str) -> Json:
        labels = self.labels(course)
        words = text.strip()
        meant = [label for label in labels if str(label).strip() == words]
        meant = meant or [label for label in labels if str(label).strip().casefold() == words.casefold()]
        if len(meant) == 1:
            return meant[0]
        return self.check(course, int(words) if words.isdecimal() else words)

    def outcome(self, course: Course) -> Optional[Outcome]:
        return Outcome(list(course.state.returns())) if course.state.is_terminal() else None

    # Chance.

    def chances(self, course: Course) -> Optional[List[Tuple[float, Json]]]:
        labels = self.labels(course)
        if len(labels) > MOST_CHANCES:
            return None
        probabilities = dict(course.state.chance_outcomes())
        return [(probabilities[number], label) for label, number in labels.items()]

    def draw(self, course: Course, random: Random) -> Json:
        outcomes = course.state.chance_outcomes()
        number = outcomes[random.weighted([probability for _, probability in outcomes])][0]
        return next(label for label, own in self.labels(course).items() if own == number)

    def apply_chance(self, course: Course, outcome: Json) -> Course:
        number = self.labels(course).get(outcome) if type(outcome) in (str, int) else None
        if number is None:
            raise Refused(f"expected an outcome that can be drawn now, got {outcome!r}")
        self._remember(course)
        course.history.append(number)
        course.state.apply_action(number)
        return course

    # What is seen.

    def information(self, course: Course, player: int) -> str:
        """Returns all that a player knows, as OpenSpiel says it: the information state, or the observation."""
        if player not in course.information:
            offered = self.kind.provides_information_state_string
            ask = course.state.information_state_string if offered else course.state.observation_string
            course.information[player] = said(ask, player)
        return course.information[player]

    def view(self, course: Course, seat: str) -> Json:
        state, player = course.state, self.seats.index(seat)
        view: Dict[str, Json] = {}
        if self.hides and self.kind.provides_information_state_string:
            view["information_state"] = self.information(course, player)
        if self.kind.provides_observation_string:
            view["observation"] = said(state.observation_string, player)
        if not self.hides:
            view.setdefault("observation", str(state))
            view["history"] = course.history
            if course.seed is not None:
                view["seed"] = course.seed
        if self.rules["tensors"]:
            view["tensor"] = self._tensor(state, player)
        return view

    def _tensor(self, state: Any, player: int) -> Optional[List[float]]:
        kind = self.kind
        if not (kind.provides_information_state_tensor or kind.provides_observation_tensor):
            return None
        offered = kind.provides_observation_tensor
        tensor = (state.observation_tensor if offered else state.information_state_tensor)
        try:
            return [int(value) if value == int(value) else value for value in tensor(player)]
        except RuntimeError:
            return None

    def _remember(self, course: Course) -> None:
        """Prepares an event: what was asked of the position before it is no longer true."""
        if self.hides:
            course.before = [self.information(course, player) for player in range(len(self.seats))]
        course.joint, course.labels, course.information = None, None, {}

    def seen(self, course: Course, seat: str, actor: str, event: Json) -> Json:
        """What a seat has learned is what is new in its information state, from the place where that has changed."""
        if course.pending:
            return event if seat == actor else None
        if not self.hides:
            return event if course.joint is None else {"actions": course.joint}
        player = self.seats.index(seat)
        before = "" if actor == OPENING else course.before[player]
        now = self.information(course, player)
        learned = None if now == before else changed(before, now)
        if seat == actor:
            return {"action": event, "learned": learned}
        return None if learned is None else {"learned": learned}

    def setup(self, course: Course, seat: str) -> Json:
        return {"game": str(self.spiel)}

    def text(self, course: Course) -> str:
        text = str(course.state)
        return text.strip("\n") if text.strip() else "OpenSpiel has no text for this state."

    def picture(self, course: Course, seat: Optional[str]) -> str:
        player = None if seat is None else self.seats.index(seat)
        return picture(self, course, player)

    # States as JSON.

    def dump(self, course: Course) -> Json:
        state: Dict[str, Json] = {"history": course.history}
        if course.pending:
            state["pending"] = course.pending
        if course.seed is not None:
            state["seed"] = course.seed
        return state

    def restore(self, data: Json) -> Course:
        course = self._begin(data.get("seed"))
        for event in data["history"]:
            course.history.append(event)
            if isinstance(event, list):
                course.state.apply_actions(event)
            else:
                course.state.apply_action(event)
            self._draw_in_secret(course)
        course.pending = list(data.get("pending") or [])
        return course

    def copy(self, course: Course) -> Course:
        return course.clone()

    def determinize(self, view: Json, seat: str, random: Random, setup: Json) -> Course:
        """A view of a game that hides nothing has the whole history."""
        if "history" not in view:
            raise Refused("OpenSpiel draws no states from what a player knows in a game that hides something")
        course = self.restore(view)
        if course.state.is_simultaneous_node():
            # What the seats before this one have decided in this round.
            before = [player for player in self._to_decide(course) if player < self.seats.index(seat)]
            course.pending = [random.choice(course.state.legal_actions(player)) for player in before]
        return course


def labelled(state: Any, player: int, actions: Sequence[int]) -> Dict[Label, int]:
    """Returns actions by their labels: OpenSpiel's texts, or numbers where texts are empty or the same."""
    texts = [state.action_to_string(player, action) for action in actions]
    seen: Dict[str, int] = {}
    for text in texts:
        seen[text] = seen.get(text, 0) + 1
    return {text if text and seen[text] == 1 else action: action for text, action in zip(texts, actions)}


def label_of(state: Any, player: int, action: int) -> Label:
    """Returns the label of one legal action."""
    found = labelled(state, player, state.legal_actions(player) or [0])
    return next(label for label, number in found.items() if number == action)


def said(ask: Any, player: int) -> str:
    """Returns a text about a player; an empty one where OpenSpiel has none, as in some states of some games."""
    try:
        return str(ask(player))
    except RuntimeError:
        return ""


def changed(before: str, now: str) -> Dict[str, Json]:
    """Returns ``now`` as its first place that differs from ``before``, and the text from there on."""
    place = 0
    for one, other in zip(before, now):
        if one != other:
            break
        place += 1
    return {"from": place, "text": now[place:]}
