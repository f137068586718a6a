"""The rules of Botyard's games, in this process: states, observations, action masks, vectorised games.

::

    from botyard.engine import Game

    game = Game("scotland-yard", "grid-5x5-2")
    state = game.start(seed=1)
    while not state.is_terminal:
        state.apply(state.legal_actions()[0])
    print(state.returns())

The module needs NumPy and the compiled module ``botyard._engine``, which Botyard's wheels have. The kit for
bots needs neither: ``import botyard`` loads nothing of this. The page "Use the Python environment" describes
observations and masks.
"""

try:
    import numpy as _numpy  # noqa: F401 - what it returns are arrays
except ImportError as _error:
    raise ImportError("botyard.engine needs NumPy: pip install numpy") from _error

try:
    from ._engine import Game, State, VectorEnv, games
except ImportError as _error:
    raise ImportError(
        "botyard.engine needs the compiled module botyard._engine, which is not part of a copied kit: install the "
        "wheel with `pip install botyard`, or build it with `pip install .` in Botyard's repository"
    ) from _error

from typing import TYPE_CHECKING, Any, Optional, Tuple, Union

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

__all__ = ["Game", "State", "VectorEnv", "games", "rollouts"]


def rollouts(
    game: Union[str, Game], n: int, seed: Any = None, threads: int = 1, *, rules: Optional[Any] = None
) -> "Tuple[npt.NDArray[np.int32], npt.NDArray[np.float64]]":
    """Plays ``n`` random games: see :meth:`Game.rollouts`. ``game`` is a game or the name of one."""
    if isinstance(game, str):
        game = Game(game, rules)
    elif rules is not None:
        raise ValueError("rules: a Game has its rules; leave them out")
    return game.rollouts(n, seed, threads)
