// Plays Dice Wars by one rule, that of the bot dw-stei.
//
// It makes the attack that it most probably wins and then holds until its next turn, if that is likely enough. Attacks
// from its largest region count more, because that region brings the new dice.

#include "botyard/dice_wars.hpp"

using namespace botyard::dice_wars;

class Rule : public Bot {
 public:
  botyard::FloatOption least{this, "least", 0.4, 0.0, 1.0,
                             "the least probability to win and hold, with three players or more"};
  botyard::BoolOption transfers{this, "transfers", true, "bring dice to the border before attacks"};

  Rule() { games = {"dice-wars"}; }

  void start(const Game& game) override {
    rules_ = DiceWars(game.rules);
    players_ = game.seats.size();
  }

  Action choose(Turn& turn) override {
    const View& view = turn.view;
    const int me = player(turn.seat);
    if (transfers) {
      if (const std::optional<Pair> found = to_the_border(view, me)) return transfer(found->first, found->second);
    }
    const double at_least = players_ == 2 ? 0.2 : least.get(), weight = players_ == 2 ? 3.0 : 2.0;
    const std::vector<int> region = rules_.largest_region(view, me);
    double most = -1;
    Action best = END_TURN;
    for (const auto& [from, to] : rules_.attacks(view)) {
      const int dice = view.dice_on(from);
      const double chance =
          win_probability(dice, view.dice_on(to)) * rules_.hold_probability(view, to, dice - 1, me);
      if (chance < at_least && dice != MAX_DICE) continue;
      const bool inside = std::find(region.begin(), region.end(), from) != region.end();
      const double worth = chance * (inside ? weight : 1.0);
      if (worth < most) continue;
      most = worth;
      best = attack(from, to);
    }
    if (most >= 0) turn.info("score", most);
    return best;
  }

 private:
  // Returns the transfer that brings most dice to the border, at least two.
  std::optional<Pair> to_the_border(const View& view, int me) const {
    const auto at_border = [&view, me](int area) {
      const std::vector<int>& touching = view.neighbours(area);
      return std::any_of(touching.begin(), touching.end(), [&](int to) { return view.owner(to) != me; });
    };
    int most = 2;
    std::optional<Pair> best;
    for (const auto& [from, to] : rules_.transfers(view)) {
      const int moved = std::min(MAX_DICE - view.dice_on(to), view.dice_on(from) - 1);
      if (moved < most || at_border(from) || !at_border(to)) continue;
      most = moved;
      best = Pair{from, to};
    }
    return best;
  }

  DiceWars rules_;
  std::size_t players_ = 0;
};

int main(int argc, char** argv) { return botyard::main<Rule>(argc, argv); }
