// Scotland Yard: the types of its views and actions, and the helpers that every bot needs.
//
// `ScotlandYard` is the game under one set of rules on one board: the neighbours of a station, distances with given
// tickets, the stations where Mr. X can be, and the legal actions of a view. The rules and the JSON are described in
// docs/games/scotland-yard.md. Fields have the names of the JSON, except `double_`, because `double` is a keyword.
#pragma once

#include <array>
#include <set>

#include "botyard.hpp"

namespace botyard::scotland_yard {

// Tickets, which are also the kinds of edges, in the order in which actions are listed. A ferry takes a black ticket.
enum class Ticket { taxi, bus, underground, ferry, black };

inline const std::array<std::string, 5> TICKET_WORDS{"taxi", "bus", "underground", "ferry", "black"};

// The tickets that a detective may have. Each pays for the edges of the same kind.
inline const std::vector<Ticket> FARES{Ticket::taxi, Ticket::bus, Ticket::underground};

inline const std::string& word(Ticket ticket) { return TICKET_WORDS[std::size_t(ticket)]; }

inline Ticket ticket_of(const std::string& word) {
  const auto found = std::find(TICKET_WORDS.begin(), TICKET_WORDS.end(), word);
  if (found == TICKET_WORDS.end()) throw std::invalid_argument("there is no ticket " + word);
  return Ticket(found - TICKET_WORDS.begin());
}

inline void to_json(Json& json, const Ticket& ticket) { json = word(ticket); }
inline void from_json(const Json& json, Ticket& ticket) { ticket = ticket_of(json.get<std::string>()); }

// Counted tickets.
struct Tickets {
  int taxi = 0;
  int bus = 0;
  int underground = 0;

  // The number of tickets of a kind; 0 for those that are not counted here.
  int of(Ticket ticket) const {
    if (ticket == Ticket::taxi) return taxi;
    if (ticket == Ticket::bus) return bus;
    return ticket == Ticket::underground ? underground : 0;
  }
  int sum() const { return taxi + bus + underground; }
};

// Mr. X as a seat sees him.
struct MrX {
  std::optional<int> station;
  // Nothing where they are unlimited.
  std::optional<Tickets> tickets;
  int black = 0;
  int double_ = 0;
};

struct Detective {
  // Nothing for one that was removed.
  std::optional<int> station;
  // Nothing where they are unlimited.
  std::optional<Tickets> tickets;
  bool moved = false;
};

// A step of Mr. X.
struct LogEntry {
  Ticket ticket = Ticket::taxi;
  std::optional<int> station;
  bool reveal = false;
  std::vector<std::optional<int>> detectives;
};

// A step. `detective` is there in the detectives' actions; `double_` is true in the first half of a double move.
struct Action {
  std::optional<int> detective;
  Ticket ticket = Ticket::taxi;
  int to = 0;
  bool double_ = false;
};

// A double move that Mr. X can begin, with its second steps.
struct DoubleMove {
  Action first;
  std::vector<Action> second;
};

// All that a seat may know.
struct View {
  int round = 0;
  // The name of the seat to move; nothing when the game is over.
  std::optional<std::string> to_move;
  bool second_leg = false;
  MrX mr_x;
  std::vector<Detective> detectives;
  std::vector<LogEntry> log;
  // Only with the rule `show_candidates`.
  std::optional<std::vector<int>> candidates;
  // Only with the rule `show_second_legs`.
  std::optional<std::vector<DoubleMove>> double_moves;
  // `"anywhere"` or a list, only where a given opening says so; null otherwise.
  Json mr_x_starts;
  std::optional<std::string> over;
};

inline bool operator==(const Action& a, const Action& b) {
  return a.detective == b.detective && a.ticket == b.ticket && a.to == b.to && a.double_ == b.double_;
}

inline void to_json(Json& json, const Tickets& tickets) {
  json = Json{{"taxi", tickets.taxi}, {"bus", tickets.bus}, {"underground", tickets.underground}};
}
inline void from_json(const Json& json, Tickets& tickets) {
  json.at("taxi").get_to(tickets.taxi);
  json.at("bus").get_to(tickets.bus);
  json.at("underground").get_to(tickets.underground);
}

inline void to_json(Json& json, const Action& action) {
  json = Json{{"ticket", action.ticket}, {"to", action.to}};
  if (action.detective) json["detective"] = *action.detective;
  if (action.double_) json["double"] = true;
}
inline void from_json(const Json& json, Action& action) {
  action.detective = botyard::detail::maybe<int>(json, "detective");
  json.at("ticket").get_to(action.ticket);
  json.at("to").get_to(action.to);
  action.double_ = botyard::detail::value_or(json, "double", false);
}

inline void from_json(const Json& json, MrX& mr_x) {
  mr_x.station = botyard::detail::maybe<int>(json, "station");
  mr_x.tickets = botyard::detail::maybe<Tickets>(json, "tickets");
  mr_x.black = botyard::detail::value_or(json, "black", 0);
  mr_x.double_ = botyard::detail::value_or(json, "double", 0);
}
inline void from_json(const Json& json, Detective& detective) {
  detective.station = botyard::detail::maybe<int>(json, "station");
  detective.tickets = botyard::detail::maybe<Tickets>(json, "tickets");
  detective.moved = botyard::detail::value_or(json, "moved", false);
}
inline void from_json(const Json& json, LogEntry& entry) {
  json.at("ticket").get_to(entry.ticket);
  entry.station = botyard::detail::maybe<int>(json, "station");
  entry.reveal = botyard::detail::value_or(json, "reveal", false);
  entry.detectives.clear();
  for (const Json& station : json.at("detectives")) {
    entry.detectives.push_back(station.is_null() ? std::nullopt : std::optional<int>(station.get<int>()));
  }
}
inline void from_json(const Json& json, DoubleMove& move) {
  json.at("first").get_to(move.first);
  json.at("second").get_to(move.second);
}
inline void from_json(const Json& json, View& view) {
  view.round = botyard::detail::value_or(json, "round", 0);
  view.to_move = botyard::detail::maybe<std::string>(json, "to_move");
  view.second_leg = botyard::detail::value_or(json, "second_leg", false);
  json.at("mr_x").get_to(view.mr_x);
  json.at("detectives").get_to(view.detectives);
  json.at("log").get_to(view.log);
  view.candidates = botyard::detail::maybe<std::vector<int>>(json, "candidates");
  view.double_moves = botyard::detail::maybe<std::vector<DoubleMove>>(json, "double_moves");
  view.mr_x_starts = botyard::detail::field(json, "mr_x_starts");
  view.over = botyard::detail::maybe<std::string>(json, "over");
}

// An edge at a station: its kind and its other end.
struct Step {
  Ticket kind = Ticket::taxi;
  int to = 0;
};

inline bool operator<(const Step& a, const Step& b) { return a.kind != b.kind ? a.kind < b.kind : a.to < b.to; }

// Returns the tickets that are left after one is used.
inline Tickets spent(Tickets tickets, Ticket ticket) {
  if (ticket == Ticket::taxi) --tickets.taxi;
  if (ticket == Ticket::bus) --tickets.bus;
  if (ticket == Ticket::underground) --tickets.underground;
  return tickets;
}

// The game under one set of rules. Not for several threads at a time: it keeps tables that it computes.
class ScotlandYard : public RulebookOf<View, Action> {
 public:
  ScotlandYard(Json rules_, Json setup_)
      : rules(std::move(rules_)),
        setup(std::move(setup_)),
        stations(setup.at("stations").get<int>()),
        x_may_blunder_(word_of("x_onto_detective") == "loses"),
        nobody_follows_(word_of("agent_collision") == "pre_move_strict"),
        fixed_order_(word_of("order") == "fixed"),
        limit_(botyard::detail::value_or(rules, "limit", 0)),
        limit_in_moves_(word_of("limit_unit") == "x_moves") {
    std::vector<std::set<Step>> steps(std::size_t(stations) + 1);
    for (const Json& edge : setup.at("edges")) {
      const int a = edge.at(0), b = edge.at(1);
      const Ticket kind = edge.at(2).get<Ticket>();
      steps.at(std::size_t(a)).insert(Step{kind, b});
      steps.at(std::size_t(b)).insert(Step{kind, a});
    }
    for (const std::set<Step>& found : steps) {
      steps_.emplace_back(found.begin(), found.end());
      std::set<int> ends;
      for (const Step& step : found) ends.insert(step.to);
      neighbours_.emplace_back(ends.begin(), ends.end());
    }
  }

  const Json rules;
  const Json setup;
  // The number of stations, which are numbered from 1.
  const int stations;

  // Returns the edges at a station, by kind and then by station.
  const std::vector<Step>& steps(int station) const { return steps_.at(std::size_t(station)); }

  // Returns the stations that a ticket leads to, ascending. A black ticket leads along every edge.
  std::vector<int> neighbours(int station, Ticket ticket = Ticket::black) const {
    if (ticket == Ticket::black) return neighbours_.at(std::size_t(station));
    std::vector<int> found;
    for (const Step& step : steps(station)) {
      if (step.kind == ticket) found.push_back(step.to);
    }
    return found;
  }

  // Returns the number of moves from a station to every other along edges of these kinds. The distance to station n
  // is at [n]; -1 where there is no way. The lists of all stations are computed at the first call for these kinds,
  // so make it in start().
  const std::vector<int>& distances(int station, const std::vector<Ticket>& kinds = FARES) const {
    unsigned mask = 0;
    for (const Ticket kind : kinds) mask |= 1u << unsigned(kind);
    return distances_by(station, mask);
  }

  // Returns the least number of moves of a detective with these tickets (nothing: unlimited); nothing if it
  // cannot arrive. Other pieces on the way are not considered.
  std::optional<int> distance(int from, int to, const std::optional<Tickets>& tickets = std::nullopt) const {
    if (!tickets) {
      const int least = distances(from)[std::size_t(to)];
      return least < 0 ? std::nullopt : std::optional<int>(least);
    }
    const int least = least_with(*tickets, from, to);
    if (least < 0) return std::nullopt;
    const auto enough = [&](int count) { return count == 0 || count >= least; };
    if (enough(tickets->taxi) && enough(tickets->bus) && enough(tickets->underground)) return least;
    // Breadth-first search over stations and tickets left.
    using State = std::array<int, 4>;
    std::set<State> seen;
    std::vector<std::pair<int, Tickets>> frontier{{from, *tickets}}, following;
    for (int moves = 0; !frontier.empty(); ++moves, frontier.swap(following), following.clear()) {
      for (const auto& [at, left] : frontier) {
        if (at == to) return moves;
        for (const Step& step : steps(at)) {
          if (left.of(step.kind) == 0) continue;
          const Tickets rest = spent(left, step.kind);
          const int more = least_with(rest, step.to, to);
          if (more < 0 || more > rest.sum()) continue;
          if (seen.insert(State{step.to, rest.taxi, rest.bus, rest.underground}).second) {
            following.emplace_back(step.to, rest);
          }
        }
      }
    }
    return std::nullopt;
  }

  // Returns the stations at which Mr. X can be as far as the detectives can know, ascending. It follows from the
  // public log, so it is the same in the views of both sides.
  std::vector<int> candidates(const View& view) const {
    if (view.over && *view.over == "caught" && view.mr_x.station) return {*view.mr_x.station};
    std::set<int> possible;
    const Json& starts = view.mr_x_starts.is_null() ? setup.at("mr_x_starts") : view.mr_x_starts;
    if (starts.is_string()) {
      for (int station = 1; station <= stations; ++station) possible.insert(station);
    } else {
      possible = starts.get<std::set<int>>();
    }
    for (const LogEntry& entry : view.log) possible = candidates_after(possible, entry);
    for (const Detective& detective : view.detectives) {
      if (detective.station) possible.erase(*detective.station);
    }
    return {possible.begin(), possible.end()};
  }

  // Returns the candidates after a step of Mr. X, from those before it.
  std::set<int> candidates_after(const std::set<int>& possible, const LogEntry& entry) const {
    if (entry.reveal && entry.station) return {*entry.station};
    std::set<int> held;
    for (const std::optional<int>& station : entry.detectives) {
      if (station) held.insert(*station);
    }
    std::set<int> reached;
    for (const int at : possible) {
      if (held.count(at) != 0) continue;
      for (const int to : neighbours(at, entry.ticket)) {
        if (held.count(to) == 0) reached.insert(to);
      }
    }
    return reached;
  }

  // Returns the legal actions of the seat to move. Mr. X's need his own view, which shows his station.
  std::vector<Action> legal(const View& view) const override {
    if (!view.to_move) return {};
    return *view.to_move == "mr-x" ? legal_of_x(view) : legal_of_detectives(view);
  }

 private:
  std::string word_of(const char* rule) const {
    return botyard::detail::value_or<std::string>(rules, rule, "");
  }

  const std::vector<int>& distances_by(int station, unsigned mask) const {
    std::vector<std::vector<int>>& table = tables_[mask];
    if (table.empty()) {
      for (int start = 0; start <= stations; ++start) table.push_back(search(start, mask));
    }
    return table.at(std::size_t(station));
  }

  std::vector<int> search(int start, unsigned mask) const {
    std::vector<int> found(std::size_t(stations) + 1, -1);
    if (start == 0) return found;
    found[std::size_t(start)] = 0;
    std::vector<int> queue{start};
    for (std::size_t n = 0; n < queue.size(); ++n) {
      const int at = queue[n];
      for (const Step& step : steps(at)) {
        if (found[std::size_t(step.to)] < 0 && (mask >> unsigned(step.kind) & 1u) != 0) {
          found[std::size_t(step.to)] = found[std::size_t(at)] + 1;
          queue.push_back(step.to);
        }
      }
    }
    return found;
  }

  int least_with(const Tickets& held, int from, int to) const {
    unsigned mask = 0;
    for (const Ticket fare : FARES) {
      if (held.of(fare) > 0) mask |= 1u << unsigned(fare);
    }
    return distances_by(from, mask)[std::size_t(to)];
  }

  static std::set<int> stations_of(const std::vector<Detective>& detectives) {
    std::set<int> found;
    for (const Detective& detective : detectives) {
      if (detective.station) found.insert(*detective.station);
    }
    return found;
  }

  static bool has(const std::optional<Tickets>& tickets, Ticket kind) { return !tickets || tickets->of(kind) > 0; }

  std::vector<Action> legal_of_detectives(const View& view) const {
    std::set<int> taken = stations_of(view.detectives);
    if (nobody_follows_ && !view.log.empty()) {
      for (const std::optional<int>& station : view.log.back().detectives) {
        if (station) taken.insert(*station);
      }
    }
    std::vector<Action> actions;
    for (std::size_t n = 0; n < view.detectives.size(); ++n) {
      const Detective& detective = view.detectives[n];
      if (detective.moved) continue;
      if (detective.station) {
        for (const Step& step : steps(*detective.station)) {
          if (step.kind == Ticket::ferry || !has(detective.tickets, step.kind)) continue;
          if (taken.count(step.to) == 0 || step.to == *detective.station) {
            actions.push_back(Action{int(n) + 1, step.kind, step.to, false});
          }
        }
      }
      if (fixed_order_) break;
    }
    return actions;
  }

  std::vector<Action> legal_of_x(const View& view) const {
    const MrX& mr_x = view.mr_x;
    if (!mr_x.station) throw std::invalid_argument("Mr. X's legal actions need a view that shows his station");
    const std::set<int> taken = stations_of(view.detectives);
    const std::vector<Step> all = x_steps(*mr_x.station, mr_x.tickets, mr_x.black);
    std::vector<Action> actions;
    for (const Step& step : all) {
      if (x_may_blunder_ || taken.count(step.to) == 0) {
        actions.push_back(Action{std::nullopt, step.kind, step.to, false});
      }
    }
    const bool room = !limit_in_moves_ || int(view.log.size()) + 2 <= limit_;
    if (view.second_leg || mr_x.double_ == 0 || !room) return actions;
    for (const Step& step : all) {
      if (taken.count(step.to) == 0 && has_second_leg(mr_x, step, taken)) {
        actions.push_back(Action{std::nullopt, step.kind, step.to, true});
      }
    }
    return actions;
  }

  std::vector<Step> x_steps(int station, const std::optional<Tickets>& tickets, int black) const {
    std::vector<Step> found;
    for (const Step& step : steps(station)) {
      if (step.kind != Ticket::ferry && has(tickets, step.kind)) found.push_back(step);
    }
    if (black > 0) {
      for (const int to : neighbours(station)) found.push_back(Step{Ticket::black, to});
    }
    return found;
  }

  bool has_second_leg(const MrX& mr_x, const Step& first, const std::set<int>& taken) const {
    int black = mr_x.black;
    std::optional<Tickets> tickets = mr_x.tickets;
    if (first.kind == Ticket::black) {
      --black;
    } else if (tickets) {
      tickets = spent(*tickets, first.kind);
    }
    const std::vector<Step> all = x_steps(first.to, tickets, black);
    return std::any_of(all.begin(), all.end(),
                       [&](const Step& step) { return x_may_blunder_ || taken.count(step.to) == 0; });
  }

  bool x_may_blunder_;
  bool nobody_follows_;
  bool fixed_order_;
  int limit_;
  bool limit_in_moves_;
  std::vector<std::vector<Step>> steps_;
  std::vector<std::vector<int>> neighbours_;
  mutable std::map<unsigned, std::vector<std::vector<int>>> tables_;
};

using Bot = botyard::Bot<View, Action>;
using Turn = botyard::Turn<View, Action>;

inline const bool registered = register_rulebook<ScotlandYard>("scotland-yard");

}  // namespace botyard::scotland_yard
