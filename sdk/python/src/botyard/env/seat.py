"""One seat of a game as an environment of Gymnasium; other players have the other seats.

::

    from botyard.env.seat import SeatEnv

    env = SeatEnv("connect-four", seat="yellow", opponents="greedy")
    observation, info = env.reset(seed=1)
    terminated = False
    while not terminated:
        action = env.action_space.sample(info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(action)
    env.close()
"""

try:
    import gymnasium
    import numpy as np
except ImportError as _error:
    raise ImportError("botyard.env.seat needs Gymnasium and NumPy: pip install gymnasium numpy") from _error

import random
from typing import TYPE_CHECKING, Any, Dict, List, Mapping, Optional, Tuple, Union

from ..players import Player, RandomPlayer, SeatedPlayer, check_one_seat, failure_of

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["SeatEnv"]


class SeatEnv(gymnasium.Env):
    """A game from the seat of one agent.

    An observation is the array of :meth:`botyard.engine.State.observation` for this seat, and an action an index of
    :meth:`~botyard.engine.State.action_mask`, which ``info["action_mask"]`` and :meth:`action_masks` have. Rewards are 0
    until the end, and then from -1 to 1. An index that is not that of a legal action ends the game with the reward -1;
    ``info["illegal"]`` says why.
    """

    metadata: Dict[str, Any] = {"render_modes": ["human", "ansi"], "render_fps": 2}

    def __init__(
        self,
        game: Any,
        seat: Union[str, int, None] = 0,
        opponents: Union[Player, Mapping[str, Player], None] = None,
        *,
        rules: Any = None,
        encoding: str = "own",
        move_ms: int = 100,
        render_mode: Optional[str] = None,
        botyard: Optional[str] = None,
    ) -> None:
        """Makes the environment.

        ``game`` is the name of a game, a :class:`botyard.engine.Game`, or a game of :func:`botyard.rules.load`.
        ``seat`` is the agent's, by name or place; ``None`` draws it for each game. ``opponents`` is the player of all
        other seats, or one for each seat by name; ``None``, or no player for a seat, draws legal actions. A bot of the kit
        takes one seat: for several, also where the agent's seat is drawn, give its class. ``move_ms`` is the time per move
        in their clocks, in milliseconds: a bot that searches until its time is up takes that long. ``botyard`` is the path
        of the program ``botyard``, which built-in bots need.
        """
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"expected the render mode human or ansi, got {render_mode!r}")
        self.render_mode = render_mode
        self.game = _encoded(game, rules, encoding)
        self._name, self._rules = _name_and_rules(self.game)
        self.seats: List[str] = list(self.game.seats)
        #: The agent's seat in this game.
        self.seat = self.seats[0]
        self._asked_seat = None if seat is None else self._seat_named(seat)
        low, high = (0.0, 1.0) if self.game.is_bounded else (-np.inf, np.inf)
        self.observation_space = gymnasium.spaces.Box(low, high, (self.game.observation_size,), np.float32)
        self.action_space = gymnasium.spaces.Discrete(self.game.action_count)
        #: The state of the game, with all that is hidden.
        self.game_state: Any = None
        self._players: Dict[str, Union[SeatedPlayer, RandomPlayer]] = {}
        self._opponents = opponents
        for name in opponents if isinstance(opponents, Mapping) else ():
            if name not in self.seats:
                raise ValueError(f"expected opponents by their seats, {', '.join(self.seats)}, got the seat {name!r}")
        check_one_seat(self._given(name) for name in self.seats if name != self._asked_seat)
        self._settings = {"move_ms": move_ms, "botyard": botyard}

    def reset(
        self, *, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None
    ) -> "Tuple[npt.NDArray[np.float32], Dict[str, Any]]":
        """Opens a game, and lets the others play until the agent is to move.

        A seed gives the opening and the dice of the match's game with that seed. ``options`` may have the agent's
        ``seat``, and an ``opening`` in the game's JSON.
        """
        super().reset(seed=seed)
        options = options or {}
        drawn = int(self.np_random.integers(1 << 63)) if seed is None else seed
        asked = self._seat_named(options["seat"]) if "seat" in options else self._asked_seat
        self.seat = asked or self.seats[int(self.np_random.integers(len(self.seats)))]
        while True:
            self.game_state = self.game.start(drawn, opening=options.get("opening"))
            self._start_players(drawn)
            self._let_others_play()
            if self.game_state.current_seat is not None or options.get("opening") is not None:
                return self._observation(), self._info()
            # The game ended before the agent was to move.
            drawn = int(self.np_random.integers(1 << 63))

    def step(self, action: Any) -> "Tuple[npt.NDArray[np.float32], float, bool, bool, Dict[str, Any]]":
        """Plays the agent's action, and lets the others play until it is to move again or the game is over."""
        state = self.game_state
        if state is None or state.current_seat is None:
            raise RuntimeError("no game is in progress: call reset() first")
        try:
            state.apply_index(int(action))
        except (ValueError, IndexError, OverflowError) as error:
            self.game_state = None
            mask = np.zeros(self.game.action_count, np.int8)
            # The compiled module cannot read a negative number, and does not say which.
            illegal = f"index {action} is not that of a legal action" if isinstance(error, OverflowError) else str(error)
            info = {"action_mask": mask, "seat": self.seat, "illegal": illegal}
            return state.observation(self.seat), -1.0, True, False, info
        self._let_others_play()
        is_over = state.current_seat is None
        if is_over:
            for player in self._players.values():
                player.end((state.outcome() or {}).get("reason", "completed"), state.returns())
        reward = float(state.rewards()[self.seats.index(self.seat)]) if is_over else 0.0
        if self.render_mode == "human":
            self.render()
        return self._observation(), reward, is_over, False, self._info()

    def action_masks(self) -> "npt.NDArray[np.bool_]":
        """Returns which indices are those of legal actions, as ``MaskablePPO`` of sb3-contrib asks for them."""
        return np.asarray(self._info()["action_mask"], np.bool_)

    def render(self) -> Optional[str]:
        """Returns the whole state as text (``ansi``), or prints it (``human``)."""
        text = str(self.game_state)
        if self.render_mode == "ansi":
            return text
        if self.render_mode == "human":
            print(text)
        return None

    def close(self) -> None:
        """Ends the programs of the others."""
        for player in self._players.values():
            player.close()
        self._players.clear()

    def _seat_named(self, seat: Union[str, int]) -> str:
        if isinstance(seat, int) and 0 <= seat < len(self.seats):
            return self.seats[seat]
        if seat not in self.seats:
            raise ValueError(f"expected a seat of {', '.join(self.seats)}, or its place from 0, got {seat!r}")
        return str(seat)

    def _start_players(self, seed: int) -> None:
        # It depends on the seed, and the seed cannot be derived from it.
        game_id = f"{random.Random(f'game {seed}').getrandbits(64):016x}-1"
        for seat in self.seats:
            if seat == self.seat:
                continue
            if seat not in self._players:
                self._players[seat] = self._player(seat)
            setup = self.game_state.setup(seat)
            self._players[seat].start(self._name, self._rules, self.seats, seat, setup, game_id)

    def _given(self, seat: str) -> Optional[Player]:
        return self._opponents.get(seat) if isinstance(self._opponents, Mapping) else self._opponents

    def _player(self, seat: str) -> Union[SeatedPlayer, RandomPlayer]:
        check_one_seat(self._given(name) for name in [*self._players, seat])
        player = self._given(seat)
        return RandomPlayer() if player is None else SeatedPlayer(player, **self._settings)  # type: ignore[arg-type]

    def _let_others_play(self) -> None:
        state = self.game_state
        while state.current_seat is not None and self.seats[state.current_seat] != self.seat:
            seat = self.seats[state.current_seat]
            player = self._players[seat]
            action = player.choose(state.view(seat), state.legal_actions())
            try:
                state.apply(action)
            except Exception as error:
                raise failure_of(player, seat, action, error) from error

    def _observation(self) -> "npt.NDArray[np.float32]":
        return np.asarray(self.game_state.observation(self.seat), np.float32)

    def _info(self) -> Dict[str, Any]:
        state = self.game_state
        if state is None or state.current_seat is None:
            mask = np.zeros(self.game.action_count, np.int8)
        else:
            mask = np.asarray(state.action_mask()).view(np.int8)
        return {"action_mask": mask, "seat": self.seat}


def _encoded(game: Any, rules: Any, encoding: str) -> Any:
    """Returns a game with arrays."""
    if isinstance(game, str):
        from .. import engine

        return engine.Game(game, rules, encoding=encoding)
    if rules is not None:
        raise ValueError("expected rules with the name of a game alone: this game has its rules")
    if hasattr(game, "new_initial_state"):
        from .encoded import EncodedGame

        return EncodedGame(game, None)
    return game


def _name_and_rules(game: Any) -> Tuple[str, Any]:
    loaded = getattr(game, "loaded", game)
    return loaded.name, loaded.rules
