"""The Monte Carlo tree search of OpenSpiel at Connect Four, as a bot: an opponent that others wrote. The argument is the
number of simulations per move. Needs `pip install open_spiel`.

    botyard match connect-four mcts:iterations=1000 "OpenSpiel=python3 sdk/python/src/botyard \\
        examples/games/bots/connect_four_open_spiel.py 1000" --games 200 --seed 1 --move-time 600000 --start-time 60000
"""

import sys

import pyspiel
from botyard import Bot, main

SIMULATIONS = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
#: The exploration constant, the rollouts per leaf and the memory of the example that comes with OpenSpiel.
UCT_C, ROLLOUTS, MEGABYTES = 2.0, 1, 1000


class OpenSpiel(Bot):
    games = ["connect-four"]

    def start(self, start):
        self.state = pyspiel.load_game("connect_four").new_initial_state()
        self.heights = [0] * 7
        self.bot = None

    def choose(self, turn):
        if self.bot is None:
            evaluator = pyspiel.RandomRolloutEvaluator(ROLLOUTS, turn.random.randrange(2**31))
            self.bot = pyspiel.MCTSBot(
                pyspiel.load_game("connect_four"), evaluator, UCT_C, SIMULATIONS, MEGABYTES, True,
                turn.random.randrange(2**31), False,
            )
        heights = [sum(cell != "." for cell in column) for column in turn.view["columns"]]
        for column, (before, now) in enumerate(zip(self.heights, heights)):
            if now > before:
                self.state.apply_action(column)
        column = self.bot.step(self.state)
        self.state.apply_action(column)
        heights[column] += 1
        self.heights = heights
        return {"column": column + 1}


if __name__ == "__main__":
    main(OpenSpiel)
