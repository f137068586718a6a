// Plays Connect Four, looking one disc ahead.
//
// It completes a line of four, prevents the other side's, and otherwise prefers columns near the middle.

#include "botyard/connect_four.hpp"

using namespace botyard::connect_four;

class Dropper : public Bot {
 public:
  Dropper() { games = {"connect-four"}; }

  Action choose(Turn& turn) override {
    const std::vector<Action> actions = turn.legal_actions();
    return *std::max_element(actions.begin(), actions.end(), [&](const Action& one, const Action& other) {
      return score(turn.view, one) < score(turn.view, other);
    });
  }

 private:
  // Returns how good a column is: the higher, the better.
  int score(const View& view, const Action& action) const {
    // The same column for the other side, which moves when `discs` is odd.
    View theirs = view;
    ++theirs.discs;
    if (rules_.play(view, action).end == "four_in_line") return 20;
    if (rules_.play(theirs, action).end == "four_in_line") return 10;
    return -std::abs(action.column - (COLUMNS + 1) / 2);
  }

  ConnectFour rules_;
};

int main(int argc, char** argv) { return botyard::main<Dropper>(argc, argv); }
