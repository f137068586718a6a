// Plays English draughts by a search of two plies: its own moves and every answer, and captures beyond them.

#include "botyard/draughts.hpp"

using namespace botyard::draughts;

constexpr int WON = 10000;

class TwoPly : public Bot {
 public:
  botyard::IntOption depth{this, "depth", 2, 1, 12, "plies to search"};

  TwoPly() {
    name = "two-ply";
    games = {"draughts"};
  }

  void start(const Game& game) override { rules_ = Draughts(game.rules); }

  Action choose(Turn& turn) override {
    const Position now = position(turn.view);
    std::vector<Action> actions = turn.legal_actions();
    if (actions.size() == 1) return actions[0];
    nodes_ = 0;
    turn.random().shuffle(actions);  // Equal moves are played in random order.
    Action best;
    int most = -WON - 1;
    for (const Action& action : actions) {
      const int value = -search(rules_.play(now, action), int(depth) - 1, -WON, WON);
      if (value > most) best = action;
      most = std::max(most, value);
    }
    turn.info("score", most).info("depth", depth.get()).info("nodes", nodes_);
    return best;
  }

 private:
  // Returns the value of a position for the side to move, by alpha-beta.
  int search(const Position& now, int depth, int alpha, int beta) {
    ++nodes_;
    std::vector<Action> moves;
    if (depth <= 0) {
      // A position in the middle of an exchange is not evaluated: captures are searched to their end.
      moves = rules_.captures(now);
      if (moves.empty()) return evaluate(now);
    } else {
      moves = rules_.moves(now);
      if (moves.empty()) return -WON;
    }
    for (const Action& move : moves) {
      alpha = std::max(alpha, -search(rules_.play(now, move), depth - 1, -beta, -alpha));
      if (alpha >= beta) break;
    }
    return alpha;
  }

  // Returns the material and how far men have come, for the side to move.
  static int evaluate(const Position& now) {
    int value = 0;
    for (int index = 0; index < 32; ++index) {
      const int row = index / 4;
      switch (now.board[std::size_t(index)]) {
        case 'b': value += 100 + row; break;
        case 'B': value += 160; break;
        case 'w': value -= 100 + 7 - row; break;
        case 'W': value -= 160; break;
        default: break;
      }
    }
    return now.to_move == Side::black ? value : -value;
  }

  Draughts rules_;
  std::int64_t nodes_ = 0;
};

int main(int argc, char** argv) { return botyard::main<TwoPly>(argc, argv); }
