"""Games whose rules are a program with arrays, as the environments need them."""

from typing import Any, Callable, List, Optional

import numpy as np
import numpy.typing as npt

from ..features import features
from ..loaded import LoadedGame, State

Observe = Callable[[Any, str], npt.ArrayLike]


class EncodedGame:
    """A loaded game with arrays, as :class:`botyard.engine.Game` has them."""

    is_bounded = False

    def __init__(self, loaded: LoadedGame, observe: Optional[Observe]) -> None:
        self.loaded = loaded
        self.seats = loaded.seats
        self.action_count = loaded.num_distinct_actions()
        self.observe = observe
        self.observation_size = len(self.start(0).observation(self.seats[0]))

    def start(self, seed: Optional[int], opening: Any = None) -> "EncodedState":
        return EncodedState(self, self.loaded.new_initial_state(seed, opening))


class EncodedState:
    """A state in which a seat is to move, or the last one: outcomes of chance are drawn at once."""

    def __init__(self, game: EncodedGame, state: State) -> None:
        self.game, self.state = game, state
        self._draw()

    @property
    def current_seat(self) -> Optional[int]:
        return None if self.state.is_terminal() else self.state.current_player()

    def action_mask(self) -> "npt.NDArray[np.bool_]":
        mask = np.array(self.state.legal_actions_mask(), np.bool_)
        if not mask.any() and not self.state.is_terminal():
            raise ValueError(
                f"no legal action of this position has an index: {self.state.legal()[:10]}. Name all actions of the game "
                'in its JSON Schema: schemas = {"action": {"enum": [...]}}'
            )
        return mask

    def observation(self, seat: str) -> "npt.NDArray[np.float32]":
        game, view = self.game, self.state.view(seat)
        if game.observe is None:
            return np.array(features(view, game.seats.index(seat)), np.float32)
        return np.asarray(game.observe(view, seat), np.float32).ravel()

    def apply_index(self, index: int) -> None:
        self.state.apply_action(index)
        self._draw()

    def view(self, seat: str) -> Any:
        return self.state.view(seat)

    def setup(self, seat: str) -> Any:
        return self.state.setup(seat)

    def legal_actions(self) -> List[Any]:
        return self.state.legal()

    def apply(self, action: Any) -> None:
        self.state.apply(action)
        self._draw()

    def outcome(self) -> Any:
        return self.state.outcome()

    def returns(self) -> List[float]:
        return self.state.returns()

    def rewards(self) -> List[float]:
        return self.state.rewards()

    def __str__(self) -> str:
        return str(self.state)

    def _draw(self) -> None:
        while self.state.is_chance_node():
            self.state.draw_chance()


