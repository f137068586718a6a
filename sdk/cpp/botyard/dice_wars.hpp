// Dice Wars: the types of its views and actions, exact probabilities of battles, regions, and the results of attacks.
//
// `DiceWars` is the game under one set of rules. Functions that change a view return a copy. The rules and the JSON
// are described in docs/games/dice-wars.md. Area n is at [n - 1], and so is player n.
#pragma once

#include "botyard.hpp"

namespace botyard::dice_wars {

// The largest number of dice on an area.
constexpr int MAX_DICE = 8;

// The largest number of new dice after a turn.
constexpr int MAX_NEW_DICE = 64;

// Two areas: from and to.
using Pair = std::pair<int, int>;

// An attack, a transfer, or the end of the turn.
struct Action {
  enum Kind { attack, transfer, end_turn };
  Kind kind = end_turn;
  // The areas of an attack or a transfer.
  int from = 0;
  int to = 0;
};

inline Action attack(int from, int to) { return Action{Action::attack, from, to}; }
inline Action transfer(int from, int to) { return Action{Action::transfer, from, to}; }
inline const Action END_TURN{};

inline bool operator==(const Action& a, const Action& b) {
  return a.kind == b.kind && a.from == b.from && a.to == b.to;
}

// The whole state; all seats have the same view.
struct View {
  int to_move = 0;
  std::vector<int> owners;
  std::vector<int> dice;
  // The areas that touch each area. Copies of a view share it.
  std::shared_ptr<const std::vector<std::vector<int>>> adjacent;
  std::vector<int> reserves;
  std::vector<int> regions;
  std::vector<std::optional<int>> places;
  int transfers_left = 0;
  int turns = 0;
  int battles = 0;
  int quiet_turns = 0;
  std::optional<Pair> battle;
  bool reinforcement = false;
  std::optional<std::string> over;

  // Returns the areas that touch an area.
  const std::vector<int>& neighbours(int area) const { return (*adjacent)[std::size_t(area - 1)]; }
  int owner(int area) const { return owners[std::size_t(area - 1)]; }
  int dice_on(int area) const { return dice[std::size_t(area - 1)]; }
};

inline void to_json(Json& json, const Action& action) {
  if (action.kind == Action::end_turn) {
    json = "end_turn";
  } else {
    json = Json::object();
    json[action.kind == Action::attack ? "attack" : "transfer"] = Pair{action.from, action.to};
  }
}

inline void from_json(const Json& json, Action& action) {
  action = END_TURN;
  if (!json.is_object()) return;
  action.kind = json.contains("attack") ? Action::attack : Action::transfer;
  const Json& pair = json.at(action.kind == Action::attack ? "attack" : "transfer");
  pair.at(0).get_to(action.from);
  pair.at(1).get_to(action.to);
}

inline void to_json(Json& json, const View& view) {
  Json places = Json::array();
  for (const std::optional<int>& place : view.places) places.push_back(place ? Json(*place) : Json());
  json = Json{{"to_move", view.to_move},   {"owners", view.owners},
              {"dice", view.dice},         {"adjacent", view.adjacent ? Json(*view.adjacent) : Json::array()},
              {"reserves", view.reserves}, {"regions", view.regions},
              {"places", places},          {"transfers_left", view.transfers_left},
              {"turns", view.turns},       {"battles", view.battles},
              {"quiet_turns", view.quiet_turns}};
  if (view.battle) json["battle"] = *view.battle;
  if (view.reinforcement) json["reinforcement"] = true;
  if (view.over) json["over"] = *view.over;
}

inline void from_json(const Json& json, View& view) {
  json.at("to_move").get_to(view.to_move);
  json.at("owners").get_to(view.owners);
  json.at("dice").get_to(view.dice);
  view.adjacent =
      std::make_shared<const std::vector<std::vector<int>>>(json.at("adjacent").get<std::vector<std::vector<int>>>());
  json.at("reserves").get_to(view.reserves);
  json.at("regions").get_to(view.regions);
  view.places.clear();
  for (const Json& place : json.at("places")) {
    view.places.push_back(place.is_null() ? std::nullopt : std::optional<int>(place.get<int>()));
  }
  json.at("transfers_left").get_to(view.transfers_left);
  json.at("turns").get_to(view.turns);
  json.at("battles").get_to(view.battles);
  json.at("quiet_turns").get_to(view.quiet_turns);
  view.battle = botyard::detail::maybe<Pair>(json, "battle");
  view.reinforcement = botyard::detail::value_or(json, "reinforcement", false);
  view.over = botyard::detail::maybe<std::string>(json, "over");
}

namespace detail {

// Returns the number of rolls of the dice by their sum.
inline std::vector<std::int64_t> sums(int dice) {
  std::vector<std::int64_t> rolls{1};
  for (int n = 0; n < dice; ++n) {
    std::vector<std::int64_t> longer(rolls.size() + 6, 0);
    for (std::size_t pips = 0; pips < rolls.size(); ++pips) {
      for (std::size_t face = 1; face <= 6; ++face) longer[pips + face] += rolls[pips];
    }
    rolls = longer;
  }
  return rolls;
}

using Table = std::vector<std::vector<double>>;

inline Table win_table() {
  Table table(MAX_DICE + 1, std::vector<double>(MAX_DICE + 1, 0.0));
  for (int a = 1; a <= MAX_DICE; ++a) {
    for (int d = 1; d <= MAX_DICE; ++d) {
      const std::vector<std::int64_t> mine = sums(a), theirs = sums(d);
      std::int64_t wins = 0, lower = 0, all = 1;  // All fit: there are at most 6^16 rolls.
      for (std::size_t pips = 0; pips < mine.size(); ++pips) {
        wins += mine[pips] * lower;
        if (pips < theirs.size()) lower += theirs[pips];
      }
      for (int n = 0; n < a + d; ++n) all *= 6;
      table[std::size_t(a)][std::size_t(d)] = double(wins) / double(all);
    }
  }
  return table;
}

}  // namespace detail

// WIN[a][d]: the probability that `a` dice win against `d`, 1 to 8 each.
inline const detail::Table WIN = detail::win_table();

// Returns the probability that the attacker wins, by the dice of both sides, 1 to 8 each. It is exact.
inline double win_probability(int attacker, int defender) {
  return WIN.at(std::size_t(attacker)).at(std::size_t(defender));
}

// Returns the number of the player in a seat: 2 for `player-2`.
inline int player(const std::string& seat) { return std::stoi(seat.substr(std::string("player-").size())); }

// The game under one set of rules.
class DiceWars : public RulebookOf<View, Action> {
 public:
  explicit DiceWars(const Json& rules = Json::object(), const Json& = Json::object())
      : wear_(botyard::detail::value_or(rules, "wear", 0)),
        max_battles_(botyard::detail::value_or(rules, "max_battles", 0)),
        transfers_break_quiet_(botyard::detail::value_or(rules, "transfers_break_quiet", false)) {}

  // Returns the legal actions of the player to move: attacks, transfers, and the end of the turn.
  std::vector<Action> legal(const View& view) const override {
    std::vector<Action> actions;
    if (view.over || view.battle || view.reinforcement) return actions;
    for (const Pair& pair : attacks(view)) actions.push_back(attack(pair.first, pair.second));
    for (const Pair& pair : transfers(view)) actions.push_back(transfer(pair.first, pair.second));
    actions.push_back(END_TURN);
    return actions;
  }

  // Returns the attacks of the player to move: from and to, ascending.
  std::vector<Pair> attacks(const View& view) const { return attacks(view, view.to_move); }

  // Returns the attacks of a player: from and to, ascending.
  std::vector<Pair> attacks(const View& view, int player) const {
    std::vector<Pair> found;
    for (int area = 1; area <= int(view.owners.size()); ++area) {
      if (view.owner(area) != player || view.dice_on(area) <= 1) continue;
      for (const int to : view.neighbours(area)) {
        if (view.owner(to) != player) found.emplace_back(area, to);
      }
    }
    return found;
  }

  // Returns the transfers of the player to move: from and to, ascending.
  std::vector<Pair> transfers(const View& view) const {
    std::vector<Pair> found;
    if (view.transfers_left == 0) return found;
    for (int area = 1; area <= int(view.owners.size()); ++area) {
      if (view.owner(area) != view.to_move || view.dice_on(area) <= 1) continue;
      for (const int to : view.neighbours(area)) {
        if (view.owner(to) == view.to_move && view.dice_on(to) < MAX_DICE) found.emplace_back(area, to);
      }
    }
    return found;
  }

  // Returns the connected regions of a player, the one with the lowest area first, each ascending.
  std::vector<std::vector<int>> regions(const View& view, int player) const {
    std::vector<std::vector<int>> found;
    std::vector<bool> seen(view.owners.size() + 1, false);
    for (int area = 1; area <= int(view.owners.size()); ++area) {
      if (view.owner(area) != player || seen[std::size_t(area)]) continue;
      std::vector<int> region{area};
      seen[std::size_t(area)] = true;
      for (std::size_t n = 0; n < region.size(); ++n) {
        for (const int to : view.neighbours(region[n])) {
          if (view.owner(to) == player && !seen[std::size_t(to)]) {
            seen[std::size_t(to)] = true;
            region.push_back(to);
          }
        }
      }
      std::sort(region.begin(), region.end());
      found.push_back(region);
    }
    return found;
  }

  // Returns the largest connected region of a player; if several are largest, the one with the lowest area.
  std::vector<int> largest_region(const View& view, int player) const {
    std::vector<int> largest;
    for (std::vector<int>& region : regions(view, player)) {
      if (region.size() > largest.size()) largest = std::move(region);
    }
    return largest;
  }

  // Returns the number of dice that a player would get if its turn ended now, including its reserve.
  int new_dice(const View& view, int player) const {
    const std::size_t index = std::size_t(player - 1);
    return std::min(view.reserves[index] + view.regions[index], MAX_NEW_DICE);
  }

  // Returns the view after an attack that was won or lost.
  View after_attack(const View& view, int from, int to, bool won) const {
    View after = view;
    int& attacker_dice = after.dice[std::size_t(from - 1)];
    int& defender_dice = after.dice[std::size_t(to - 1)];
    const int attacker = view.owner(from), defender = view.owner(to);
    if (won) {
      after.owners[std::size_t(to - 1)] = attacker;
      defender_dice = attacker_dice - 1;
    } else {
      const int wear = wear_ == 0 ? 0 : attacker_dice / wear_;
      defender_dice = std::max(defender_dice - wear, 1);
    }
    attacker_dice = 1;
    ++after.battles;
    after.quiet_turns = 0;
    if (won) {
      for (const int who : {attacker, defender}) {
        after.regions[std::size_t(who - 1)] = int(largest_region(after, who).size());
      }
      const bool gone = std::find(after.owners.begin(), after.owners.end(), defender) == after.owners.end();
      if (gone) eliminate(after, defender);
    }
    if (!after.over && max_battles_ > 0 && after.battles >= max_battles_) after.over = "max_battles";
    return after;
  }

  // Returns the view after a transfer.
  View after_transfer(const View& view, int from, int to) const {
    View after = view;
    const int moved = std::min(MAX_DICE - view.dice_on(to), view.dice_on(from) - 1);
    after.dice[std::size_t(from - 1)] -= moved;
    after.dice[std::size_t(to - 1)] += moved;
    --after.transfers_left;
    if (transfers_break_quiet_) after.quiet_turns = 0;
    return after;
  }

  // Returns the view after an attack with a random winner, drawn with the exact probability.
  View attack_at_random(const View& view, int from, int to, Random& random) const {
    const double chance = win_probability(view.dice_on(from), view.dice_on(to));
    return after_attack(view, from, to, random.uniform() < chance);
  }

  // Returns the probability that an area of a player with these dice withstands one attack by each neighbour that
  // is another player's and has more than one die.
  double hold_probability(const View& view, int area, int dice, int player) const {
    double hold = 1.0;
    for (const int other : view.neighbours(area)) {
      if (view.owner(other) != player && view.dice_on(other) > 1) {
        hold *= 1.0 - win_probability(view.dice_on(other), dice);
      }
    }
    return hold;
  }

 private:
  static void eliminate(View& view, int player) {
    const auto open = [&view] { return int(std::count(view.places.begin(), view.places.end(), std::nullopt)); };
    std::optional<int>& place = view.places[std::size_t(player - 1)];
    if (!place) place = open();
    if (open() != 1) return;
    const auto found = std::find(view.places.begin(), view.places.end(), std::nullopt);
    const int last = int(found - view.places.begin()) + 1;
    const bool all = std::all_of(view.owners.begin(), view.owners.end(), [last](int one) { return one == last; });
    view.over = all ? "conquest" : "forfeit";
  }

  int wear_;
  int max_battles_;
  bool transfers_break_quiet_;
};

using Bot = botyard::Bot<View, Action>;
using Turn = botyard::Turn<View, Action>;

inline const bool registered = register_rulebook<DiceWars>("dice-wars");

}  // namespace botyard::dice_wars
