"""Environments of PettingZoo, one module for each game::

    from botyard.env import scotland_yard_v0

    env = scotland_yard_v0.env(rules="grid-5x5-2")
    env.reset(seed=1)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        done = termination or truncation
        env.step(None if done else env.action_space(agent).sample(observation["action_mask"]))

They need ``botyard.engine`` and PettingZoo. A module's number is raised when its observations or indices change.
"""
