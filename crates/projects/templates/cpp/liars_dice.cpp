// Plays Liar's Dice by the probability of each bid, given its own dice.
//
// It makes the bid that is most probably true, or calls the last bid a lie if that is more probable.

#include "botyard/liars_dice.hpp"

using namespace botyard::liars_dice;

class Counter : public Bot {
 public:
  Counter() { games = {"liars-dice"}; }

  void start(const Game& game) override { rules_ = LiarsDice(game.rules); }

  Action choose(Turn& turn) override {
    const std::vector<Action> actions = turn.legal_actions();
    return *std::max_element(actions.begin(), actions.end(), [&](const Action& one, const Action& other) {
      return chance(turn.view, one) < chance(turn.view, other);
    });
  }

 private:
  // Returns the probability that an action is right.
  double chance(const View& view, const Action& action) const {
    if (action.bid) return rules_.truth(view, action.bid->count, action.bid->face);
    return view.bid ? 1 - rules_.truth(view, view.bid->count, view.bid->face) : 0;
  }

  LiarsDice rules_;
};

int main(int argc, char** argv) { return botyard::main<Counter>(argc, argv); }
