// Plays both sides of Scotland Yard by one look ahead.
//
// Detectives step to where the mean distance to Mr. X's candidates is least. Mr. X steps to where the detectives are
// far away and where he has many candidates.

#include "botyard/scotland_yard.hpp"

using namespace botyard::scotland_yard;

// The distance of unreachable stations.
constexpr double FAR = 20;

class Hunter : public Bot {
 public:
  botyard::FloatOption safety{this, "safety", 1.0, 0.0, 10.0, "weight of the nearest detective for Mr. X"};

  Hunter() {
    name = "detective";
    games = {"scotland-yard"};
  }

  void start(const Game& game) override {
    yard_.emplace(game.rules, game.setup);
    yard_->distances(1);  // Computes the tables before the clock runs.
  }

  Action choose(Turn& turn) override {
    const std::vector<Action> actions = turn.legal_actions();
    const std::vector<int> candidates = yard_->candidates(turn.view);
    if (turn.seat != "mr-x") turn.info("text", std::to_string(candidates.size()) + " stations left");
    std::vector<Action> best;
    double most = -botyard::INFINITE;
    for (const Action& action : actions) {
      const double score = turn.seat == "mr-x" ? score_of_flight(turn.view, action, candidates)
                                               : score_of_chase(turn.view, action, candidates);
      if (score > most) best.clear();
      most = std::max(most, score);
      if (score == most) best.push_back(action);
    }
    turn.info("score", most);
    return turn.random().choice(best);
  }

 private:
  // Returns how near the detective comes to where Mr. X can be; to step there counts most.
  double score_of_chase(const View& view, const Action& action, const std::vector<int>& candidates) const {
    const Detective& detective = view.detectives[std::size_t(*action.detective - 1)];
    const bool able = !detective.tickets || spent(*detective.tickets, action.ticket).sum() > 0;
    double score = 0;
    for (const int station : candidates) {
      if (station == action.to) score += 2.0 * double(candidates.size());
      score += away(detective.station, station, true) - away(action.to, station, able);
    }
    return score / double(candidates.size());
  }

  // Returns how safe a station is for Mr. X: how far the nearest detectives are, and how many stations they must
  // search. Black and double tickets are kept for when he needs them.
  double score_of_flight(const View& view, const Action& action, const std::vector<int>& before) const {
    LogEntry entry{action.ticket, action.to, false, {}};
    double nearest = FAR, sum = 0;
    for (const Detective& detective : view.detectives) {
      const double distance = away(detective.station, action.to, true);
      nearest = std::min(nearest, distance);
      sum += distance;
      entry.detectives.push_back(detective.station);
    }
    const int number = int(view.log.size()) + 1;
    for (const Json& shown : yard_->rules.value("reveals", Json::array())) entry.reveal |= shown == number;
    const auto hidden = yard_->candidates_after({before.begin(), before.end()}, entry).size();
    double score = safety * std::min(nearest, 4.0) + 0.2 * sum / double(view.detectives.size());
    score += 0.05 * double(std::min<std::size_t>(hidden, 30));
    score += 0.03 * double(yard_->neighbours(action.to).size());
    if (nearest <= 1) score -= 5.0;
    if (action.ticket == Ticket::black && number <= 2) score -= 1.0;
    return score - (action.double_ ? 1.5 : 0.0);
  }

  // Returns the distance of two stations; far for a detective off the board or without tickets.
  double away(std::optional<int> from, int to, bool able) const {
    if (!from || (!able && *from != to)) return FAR;
    const int steps = yard_->distances(*from)[std::size_t(to)];
    return steps < 0 ? FAR : steps;
  }

  std::optional<ScotlandYard> yard_;
};

int main(int argc, char** argv) { return botyard::main<Hunter>(argc, argv); }
