"""A trained policy as a bot: :func:`serve` plays it on standard input and output."""

from typing import TYPE_CHECKING, Any, Callable, Optional, Sequence, Union

from .bot import Bot, Game, Turn, main

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from . import engine

    #: Gets an observation and a mask. Returns the index of an action, or a number for every index, of which the
    #: largest among the legal ones is played.
    Policy = Callable[[npt.NDArray[np.float32], npt.NDArray[np.bool_]], Union[int, npt.ArrayLike]]


class PolicyBot(Bot[Any, Any]):
    """A bot that asks a policy for the index of an action. Needs ``botyard.engine``."""

    def __init__(self, policy: "Policy", game: str, rules: Any = None, name: str = "policy") -> None:
        self.name = name
        self.games = [game]
        self._policy = policy
        self._trained_rules = rules
        self._engine: "Optional[engine.Game]" = None

    def start(self, game: Game) -> None:
        from . import engine

        self._engine = engine.Game(game.name, game.rules)
        if self._trained_rules is None:
            return
        trained = engine.Game(game.name, self._trained_rules)
        sizes = [(one.observation_size, one.action_count) for one in (trained, self._engine)]
        if sizes[0] != sizes[1]:
            raise ValueError(
                f"{self.name} was trained under the rules {self._trained_rules!r}, with {sizes[0][0]} numbers in an "
                f"observation and {sizes[0][1]} indices of actions; under the rules of this match there are "
                f"{sizes[1][0]} and {sizes[1][1]}"
            )

    def choose(self, turn: "Turn[Any, Any]") -> Any:
        import numpy as np

        if self._engine is None:
            raise RuntimeError("choose() comes after start()")
        state = self._engine.state_of_view(turn.view, turn.seat, turn.number)
        mask = state.action_mask()
        choice = np.asarray(self._policy(state.observation(turn.seat), mask))
        if choice.ndim == 0:
            index = int(choice)
        elif choice.shape == mask.shape:
            index = int(np.argmax(np.where(mask, choice, -np.inf)))
        else:
            raise ValueError(
                f"expected the policy to return an index, or a number for each of {mask.size} indices; got an array of "
                f"the shape {choice.shape}"
            )
        return state.action_from_index(index)


def serve(
    policy: "Policy",
    game: str,
    *,
    rules: Any = None,
    name: str = "policy",
    arguments: Optional[Sequence[str]] = None,
) -> None:
    """Plays as a bot on standard input and output, with the actions that ``policy`` chooses: the main function
    of a program that ``botyard match`` starts.

    ``policy(observation, mask)`` gets the arrays of :meth:`botyard.engine.State.observation` and
    :meth:`~botyard.engine.State.action_mask`. It returns the index of a legal action, or an array with a number
    for every index, of which the largest legal one is played. ``rules`` are those that the policy was trained
    under: a match whose arrays have other sizes is refused with an explanation.

    Needs NumPy and ``botyard.engine``. Understands the arguments of :func:`botyard.main`.
    """
    main(PolicyBot(policy, game, rules, name), arguments)
