"""Games whose rules are a program as environments of PettingZoo: :meth:`botyard.loaded.LoadedGame.env` makes one."""

from typing import Optional

from ..loaded import LoadedGame
from .aec import GameEnv
from .encoded import EncodedGame, Observe


class ProgramEnv(GameEnv):
    """A loaded game without the wrappers that check actions. It ends the program in :meth:`close`.

    Index ``i`` of an action is ``env.game.loaded.actions[i]``; an action that is not there has no index, and the mask
    leaves it out. Outcomes of chance are drawn from the seed of :meth:`reset`.
    """

    def __init__(self, loaded: LoadedGame, render_mode: Optional[str] = None, observe: Optional[Observe] = None) -> None:
        try:
            super().__init__(EncodedGame(loaded, observe), loaded.name, 0, render_mode)
        except BaseException:
            loaded.close()
            raise

    def close(self) -> None:
        """Ends the program of the game."""
        self.game.loaded.close()
