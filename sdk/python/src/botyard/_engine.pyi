"""Types of the compiled module. Import its classes from ``botyard.engine``."""

from typing import Any, Dict, List, Mapping, Optional, Tuple, Union, final

import numpy as np
import numpy.typing as npt

__all__ = ["Game", "State", "VectorEnv", "games"]

#: A seat: its name in the protocol, or its place in ``seats``, from 0.
_Seat = Union[str, int]
#: A number from 0 to 2**64 - 1, a text as replays have it (``key:...``), or ``None``: the system draws one.
_Seed = Union[int, str, None]
#: The name of a preset; or changed parameters of the default preset, or of the one that the key ``preset``
#: names; or complete rules, as in a ``start`` message. ``None``: the default preset.
_Rules = Union[str, Mapping[str, Any], None]

def games() -> Dict[str, Dict[str, Any]]:
    """Returns every game by its name: seats, chance, hidden information, presets with their rules."""

@final
class Game:
    """A game under one set of rules. Boards and tables are built once, so make one and open many states."""

    def __new__(cls, name: str, rules: _Rules = None, *, encoding: str = "own") -> Game:
        """Sets up a game.

        ``encoding`` is ``own``, the game's own observations and indices, or ``hashed``, those that suit every
        game and are used for a game without its own.

        Raises ``ValueError`` for an unknown game, preset or rule, with the nearest known name, and for rules
        that cannot be played.
        """

    @property
    def name(self) -> str:
        """The name in the protocol: ``scotland-yard``."""

    @property
    def rules(self) -> Dict[str, Any]:
        """Every parameter of the rules, as in a ``start`` message."""

    @property
    def seats(self) -> List[str]:
        """The names of the seats, in seat order."""

    @property
    def has_secrets(self) -> bool:
        """Whether something is hidden from a seat or drawn after the opening."""

    @property
    def action_count(self) -> int:
        """The number of indices of actions: the length of a mask."""

    @property
    def observation_size(self) -> int:
        """The length of an observation."""

    @property
    def is_bounded(self) -> bool:
        """Whether all numbers of observations lie between 0 and 1: true of every game's own encoding."""

    @property
    def observation_parts(self) -> Dict[str, Tuple[slice, Tuple[int, ...]]]:
        """The parts of an observation, by name: where each one is, and its shape.

        ``where, shape = game.observation_parts["detectives"]; observation[where].reshape(shape)``
        """

    def start(self, seed: _Seed = None, *, opening: Optional[Any] = None) -> State:
        """Opens a game. A seed gives the opening and the dice of the match's game with that seed.

        ``opening`` is an opening in the game's JSON, as replays have it, instead of a drawn one.
        """

    def state_of_view(self, view: Any, seat: _Seat, seed: _Seed = None) -> State:
        """Returns a state that ``seat`` sees as ``view``, which is JSON of a ``turn`` message.

        What the view hides is drawn from the seed. Observation, mask and legal actions of the seat are those
        of the view, so a bot makes its decision from this state. ``ply`` counts from 0.

        Raises ``ValueError`` if no state has this view; in some games, also if the game is over in it.
        """

    def reward(self, points: float) -> float:
        """Returns points as a reward from -1, the least points of this game, to 1, the most."""

    def rollouts(
        self, games: int, seed: _Seed = None, threads: int = 1
    ) -> Tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Plays games of uniformly random legal actions, without the interpreter.

        Returns the number of actions of each game, shape ``(games,)``, and the points of each seat, shape
        ``(games, seats)``. The same seed gives the same games on any number of threads.
        """

@final
class State:
    """A state of a game. It waits for a seat or is over: chance is drawn from the seed."""

    def __new__(
        cls, game: Union[str, Game], rules: _Rules = None, seed: _Seed = None, *, opening: Optional[Any] = None
    ) -> State:
        """Opens a game: see :meth:`Game.start`. With a name instead of a :class:`Game`, it is set up first."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def seats(self) -> List[str]:
        """The names of the seats, in seat order."""

    @property
    def current_seat(self) -> Optional[int]:
        """The place of the seat to move in ``seats``; ``None`` when the game is over."""

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""

    @property
    def ply(self) -> int:
        """The number of actions so far, of all seats."""

    def returns(self) -> List[float]:
        """Returns the points of each seat; zeros while the game is in progress."""

    def rewards(self) -> List[float]:
        """Returns the points of each seat as rewards from -1 to 1; zeros while the game is in progress."""

    def outcome(self) -> Optional[Dict[str, Any]]:
        """Returns ``scores``, ``ranks`` and ``reason`` of the end; ``None`` while the game is in progress."""

    def legal_actions(self) -> List[Any]:
        """Returns the legal actions in the game's JSON, as in ``legal``; empty when the game is over."""

    def legal_indices(self) -> List[int]:
        """Returns the index of each legal action, in the order of :meth:`legal_actions`."""

    def apply(self, action: Any) -> None:
        """Plays an action, and draws what the rules draw after it.

        Raises ``ValueError`` for an action that is not legal, with the reason; the state is unchanged then.
        """

    def apply_index(self, index: int) -> None:
        """Plays the legal action with this index. Raises as :meth:`action_from_index`."""

    def action_index(self, action: Any) -> int:
        """Returns the index of a legal action. Raises ``ValueError`` for any other."""

    def action_from_index(self, index: int) -> Any:
        """Returns the legal action with this index.

        Raises ``ValueError`` for an index that is not that of a legal action, and ``IndexError`` for one that
        no action can have.
        """

    def action_text(self, action: Any) -> str:
        """Returns a legal action as people write it."""

    def action_mask(self) -> npt.NDArray[np.bool_]:
        """Returns an array of ``action_count`` truths: which indices are those of legal actions."""

    def view(self, seat: Optional[_Seat] = None) -> Any:
        """Returns all that a seat may know, in the game's JSON; by default of the seat to move."""

    def setup(self, seat: Optional[_Seat] = None) -> Any:
        """Returns the constant data of the game that a seat may know: call it before the first action."""

    def full_state(self) -> Any:
        """Returns the whole state as JSON, with all hidden information."""

    def observation(self, seat: Optional[_Seat] = None) -> npt.NDArray[np.float32]:
        """Returns what a seat sees as ``observation_size`` numbers; by default of the seat to move.

        It is made from the seat's view alone.
        """

    def clone(self, seed: _Seed = None) -> State:
        """Returns a copy, which draws the same dice as this state, or with a seed those of the seed."""

    def determinize(self, seat: Optional[_Seat] = None, seed: _Seed = None) -> State:
        """Returns a state drawn from those that a seat cannot tell apart, by default the seat to move.

        Its dice are drawn from the seed too. Raises ``ValueError`` if the game is over, in some games.
        """

    def rollouts(
        self, games: int, seed: _Seed = None, threads: int = 1
    ) -> Tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]:
        """Plays random games from this state: see :meth:`Game.rollouts`. The state is unchanged."""

    def state_hash(self) -> str:
        """Returns a hash of the whole state, as replays have it."""

    def __copy__(self) -> State: ...
    def __deepcopy__(self, memo: Any) -> State: ...

#: Observations, masks, seats to move, rewards and dones.
_Step = Tuple[
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
    npt.NDArray[np.int8],
    npt.NDArray[np.float32],
    npt.NDArray[np.bool_],
]

@final
class VectorEnv:
    """Games of one kind that are stepped together. A game that ends begins again at once.

    Every step returns the same five arrays, filled with new numbers: copy what you keep. They are read-only.

    ===============  ===============================  =================================================
    array            shape                            meaning
    ===============  ===============================  =================================================
    observations     ``(num_envs, observation_size)`` what the seat to move sees
    masks            ``(num_envs, action_count)``     which indices are those of legal actions
    seats            ``(num_envs,)``                  the place of the seat to move
    rewards          ``(num_envs, number of seats)``  -1 to 1 if the step ended a game, else 0
    dones            ``(num_envs,)``                  whether the step ended a game; the rest of the
                                                      row is then that of a new game
    ===============  ===============================  =================================================
    """

    def __new__(cls, game: Game, num_envs: int, seed: _Seed = None, threads: int = 1) -> VectorEnv:
        """Opens games. The same seed gives the same games on any number of threads."""

    @property
    def game(self) -> Game:
        """The game."""

    @property
    def num_envs(self) -> int:
        """The number of games."""

    @property
    def observations(self) -> npt.NDArray[np.float32]:
        """The observations of the last step."""

    @property
    def masks(self) -> npt.NDArray[np.bool_]:
        """The masks of the last step."""

    @property
    def seats(self) -> npt.NDArray[np.int8]:
        """The seats to move of the last step."""

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """The rewards of the last step."""

    @property
    def dones(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended."""

    def reset(self, seed: _Seed = None) -> _Step:
        """Begins all games again."""

    def step(self, actions: npt.ArrayLike) -> _Step:
        """Plays an action in each game, given by indices.

        Raises ``ValueError`` for an index that is not that of a legal action; no game is changed then.
        """

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Returns the index of a uniformly random legal action of each game."""

    def plies(self) -> npt.NDArray[np.int32]:
        """Returns the number of actions so far in each game."""

    def seeds(self) -> List[str]:
        """Returns the seed of each game in progress: ``game.start(seed)`` opens the same game."""
