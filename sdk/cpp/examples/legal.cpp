// Plays every game, choosing any of the legal actions. The smallest bot.

#include "botyard/games.hpp"

struct Legal : botyard::Bot<> {
  Json choose(Turn& turn) override { return turn.random().choice(turn.legal_actions()); }
};

int main(int argc, char** argv) { return botyard::main<Legal>(argc, argv); }
