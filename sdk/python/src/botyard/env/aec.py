"""A game as an environment of PettingZoo, whose agents act one after the other (AEC)."""

try:
    import gymnasium
    import numpy as np
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError as _error:
    raise ImportError("botyard.env needs PettingZoo and NumPy: pip install pettingzoo numpy") from _error

from typing import Any, Dict, List, Optional

Observation = Dict[str, Any]


class GameEnv(AECEnv):  # type: ignore[misc]
    """A game without the wrappers that check actions: see :func:`wrapped`.

    Agents are the seats, by name. An observation is a dictionary with ``observation``, the array of the state's
    ``observation``, and ``action_mask``, which is 0 everywhere for an agent that is not to move. Rewards are 0 until
    the end, and then from -1 to 1. All agents stay until the end.

    ``game`` is a :class:`botyard.engine.Game`, or has what is used of one here.
    """

    def __init__(self, game: Any, name: str, version: int, render_mode: Optional[str] = None) -> None:
        super().__init__()
        self.game = game
        modes = ["human", "ansi"]
        self.metadata = {
            "name": f"{name.replace('-', '_')}_v{version}",
            "render_modes": modes,
            "is_parallelizable": False,
            "render_fps": 2,
        }
        if render_mode not in (None, *modes):
            raise ValueError(f"expected the render mode human or ansi, got {render_mode!r}")
        self.render_mode = render_mode
        self.possible_agents = list(self.game.seats)
        self.agents: List[str] = []
        low, high = (0.0, 1.0) if self.game.is_bounded else (-np.inf, np.inf)
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(low, high, (self.game.observation_size,), np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (self.game.action_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {
            agent: gymnasium.spaces.Discrete(self.game.action_count) for agent in self.possible_agents
        }
        #: The state of the game, with all that is hidden.
        self.game_state: Any = None

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(self, seed: Optional[int] = None, options: Optional[Dict[str, Any]] = None) -> None:
        """Opens a game. ``options`` may have an ``opening`` in the game's JSON."""
        self.game_state = self.game.start(seed, opening=(options or {}).get("opening"))
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: Dict[str, Dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self._begun().current_seat or 0]

    def observe(self, agent: str) -> Observation:
        state = self._begun()
        mover = state.current_seat
        if mover is not None and self.possible_agents[mover] == agent:
            mask = state.action_mask().view(np.int8)
        else:
            mask = np.zeros(self.game.action_count, np.int8)
        return {"observation": state.observation(agent), "action_mask": mask}

    def step(self, action: Optional[int]) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to move: expected the index of an action, got None")
        state = self._begun()
        state.apply_index(int(action))
        self._cumulative_rewards[agent] = 0.0
        mover = state.current_seat
        if mover is None:
            self.rewards = dict(zip(self.possible_agents, state.rewards()))
            self.terminations = dict.fromkeys(self.agents, True)
        else:
            self._clear_rewards()
            self.agent_selection = self.possible_agents[mover]
        self._accumulate_rewards()
        if mover is None:
            self._deads_step_first()
        if self.render_mode == "human":
            self.render()

    def render(self) -> Optional[str]:
        """Returns the whole state as text (``ansi``), or prints it (``human``)."""
        if self.render_mode is None:
            gymnasium.logger.warn("render() does nothing without a render_mode: human or ansi")
            return None
        text = str(self._begun())
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def _begun(self) -> Any:
        if self.game_state is None:
            raise RuntimeError("no game is in progress: call reset() first")
        return self.game_state


class RawEnv(GameEnv):
    """A built-in game without the wrappers that check actions. Observations are those of
    :meth:`botyard.engine.State.observation`."""

    def __init__(
        self,
        game: str,
        version: int,
        rules: Any = None,
        render_mode: Optional[str] = None,
        encoding: str = "own",
    ) -> None:
        from .. import engine

        super().__init__(engine.Game(game, rules, encoding=encoding), game, version, render_mode)


def wrapped(env: GameEnv) -> Any:
    """Returns the environment with PettingZoo's checks: an illegal action ends the game with the reward -1 for
    its agent, and calls in the wrong order are reported."""
    checked = wrappers.TerminateIllegalWrapper(env, illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(checked))
