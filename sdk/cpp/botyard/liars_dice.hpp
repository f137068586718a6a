// Liar's Dice: the types of its views and actions, legal actions, and the probability of a bid.
//
// The rules and the JSON are described in docs/games/liars-dice.md.
#pragma once

#include "botyard.hpp"

namespace botyard::liars_dice {

constexpr int FACES = 6;

// At least `count` of all dice show `face`.
struct Bid {
  int count = 0;
  int face = 0;
};

inline bool operator==(const Bid& a, const Bid& b) { return a.count == b.count && a.face == b.face; }
inline bool operator<(const Bid& a, const Bid& b) {
  return a.count != b.count ? a.count < b.count : a.face < b.face;
}

// A bid, or `"liar"` without one.
struct Action {
  std::optional<Bid> bid;
};

inline const Action LIAR{};

inline bool operator==(const Action& a, const Action& b) { return a.bid == b.bid; }

struct Lost {
  // The number of the seat, from 0.
  int seat = 0;
  std::string reason;
};

struct View {
  // For each seat how many of its dice show 1 to 6; nothing where that is hidden.
  std::vector<std::optional<std::vector<int>>> cups;
  // The last bid.
  std::optional<Bid> bid;
  // How many bids there were.
  int bids = 0;
  // Who lost, when the game is over.
  std::optional<Lost> lost;
};

inline void to_json(Json& json, const Action& action) {
  if (action.bid) {
    json = Json{{"bid", Json{{"count", action.bid->count}, {"face", action.bid->face}}}};
  } else {
    json = "liar";
  }
}

inline void from_json(const Json& json, Action& action) {
  action.bid.reset();
  if (json.is_object()) action.bid = Bid{json.at("bid").at("count"), json.at("bid").at("face")};
}

inline void from_json(const Json& json, View& view) {
  for (const Json& cup : json.at("cups")) {
    auto& dice = view.cups.emplace_back();
    if (!cup.is_null()) dice = cup.get<std::vector<int>>();
  }
  const Json& bid = detail::field(json, "bid");
  if (!bid.is_null()) view.bid = Bid{bid.at(0), bid.at(1)};
  json.at("bids").get_to(view.bids);
  const Json& lost = detail::field(json, "lost");
  if (!lost.is_null()) view.lost = Lost{lost.at(0), lost.at(1)};
}

// The game under one set of rules.
class LiarsDice : public RulebookOf<View, Action> {
 public:
  explicit LiarsDice(const Json& rules = Json::object(), const Json& = Json::object())
      : players_(detail::value_or(rules, "players", 2)), dice_(detail::value_or(rules, "dice", 5)) {}

  // Returns the legal actions: `LIAR` after a bid, and the higher bids.
  std::vector<Action> legal(const View& view) const override {
    std::vector<Action> actions;
    if (view.lost) return actions;
    if (view.bid) actions.push_back(LIAR);
    const Bid last = view.bid.value_or(Bid{});
    for (int count = 1; count <= players_ * dice_; ++count) {
      for (int face = 1; face <= FACES; ++face) {
        const Bid bid{count, face};
        if (last < bid) actions.push_back(Action{bid});
      }
    }
    return actions;
  }

  // Returns the probability that at least `count` of all dice show `face`, given the cups in the view. The hidden
  // dice are taken as fair: nothing is concluded from the bids.
  double truth(const View& view, int count, int face) const {
    int seen = 0, hidden = 0;
    for (const auto& cup : view.cups) {
      if (cup) {
        seen += cup->at(std::size_t(face - 1));
      } else {
        hidden += dice_;
      }
    }
    double sum = 0;
    for (int hits = std::max(count - seen, 0); hits <= hidden; ++hits) {
      sum += choose(hidden, hits) * std::pow(5.0, hidden - hits);
    }
    return sum / std::pow(6.0, hidden);
  }

 private:
  static double choose(int n, int k) {
    double ways = 1;
    for (int i = 1; i <= k; ++i) ways = ways * (n - k + i) / i;
    return ways;
  }

  int players_;
  int dice_;
};

using Bot = botyard::Bot<View, Action>;
using Turn = botyard::Turn<View, Action>;

inline const bool registered = register_rulebook<LiarsDice>("liars-dice");

}  // namespace botyard::liars_dice
