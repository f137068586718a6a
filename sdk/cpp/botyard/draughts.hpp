// English draughts: the types of its views and actions, a move generator and FEN.
//
// `Draughts` is the game under one set of rules. A `Position` is the board and the side to move; it is what a search
// works on. The rules and the JSON are described in docs/games/draughts.md.
#pragma once

#include <array>

#include "botyard.hpp"

namespace botyard::draughts {

enum class Side { black, white };

inline Side other(Side side) { return side == Side::black ? Side::white : Side::black; }
inline std::string word(Side side) { return side == Side::black ? "black" : "white"; }

constexpr char EMPTY = '.';

// 32 letters, square 1 first: `b` and `w` men, `B` and `W` kings, `.` empty. Square n is board[n - 1].
using Board = std::array<char, 32>;

// A move in PDN with every landing square: `11-15`, `22x15x8`.
using Action = std::string;

// The whole state; both seats have the same view.
struct View {
  // `black` or `white`; nothing when the game is over.
  std::optional<std::string> to_move;
  std::string fen;
  std::string board;
  int ply = 0;
  int quiet_plies = 0;
  std::vector<std::string> quiet_moves;
  int repetitions = 0;
  std::optional<std::string> over;
};

inline void from_json(const Json& json, View& view) {
  view.to_move = botyard::detail::maybe<std::string>(json, "to_move");
  json.at("fen").get_to(view.fen);
  json.at("board").get_to(view.board);
  view.ply = botyard::detail::value_or(json, "ply", 0);
  view.quiet_plies = botyard::detail::value_or(json, "quiet_plies", 0);
  view.quiet_moves = botyard::detail::value_or<std::vector<std::string>>(json, "quiet_moves", {});
  view.repetitions = botyard::detail::value_or(json, "repetitions", 0);
  view.over = botyard::detail::maybe<std::string>(json, "over");
}

// A board and the side to move.
struct Position {
  Board board{};
  Side to_move = Side::black;
};

inline bool operator==(const Position& a, const Position& b) { return a.board == b.board && a.to_move == b.to_move; }

namespace detail {

inline char lower(char piece) { return char(std::tolower(static_cast<unsigned char>(piece))); }
inline char upper(char piece) { return char(std::toupper(static_cast<unsigned char>(piece))); }
inline bool is_man(char piece) { return piece == 'b' || piece == 'w'; }
inline char letter(Side side) { return side == Side::black ? 'b' : 'w'; }

// The neighbour in one direction and the square behind it; -1 off the board.
struct Step {
  int near = -1;
  int behind = -1;
};

// In each direction (two down, two up), from each square, from 0.
inline std::array<std::array<Step, 4>, 32> make_steps() {
  std::array<std::array<Step, 4>, 32> steps{};
  const int directions[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
  for (int index = 0; index < 32; ++index) {
    const int row = index / 4, column = 2 * (index % 4) + (row + 1) % 2;
    const auto at = [row, column](int rows, int columns) {
      const int r = row + rows, c = column + columns;
      return r >= 0 && r < 8 && c >= 0 && c < 8 ? 4 * r + c / 2 : -1;
    };
    for (int n = 0; n < 4; ++n) {
      const int* d = directions[n];
      const int near = at(d[0], d[1]);
      steps[std::size_t(index)][std::size_t(n)] = {near, near < 0 ? -1 : at(2 * d[0], 2 * d[1])};
    }
  }
  return steps;
}

inline const std::array<std::array<Step, 4>, 32> STEPS = make_steps();

// The directions of a piece: from the first to the one before the last.
struct Directions {
  std::size_t first, last;
};
inline Directions directions(char piece) {
  return piece == 'b' ? Directions{0, 2} : piece == 'w' ? Directions{2, 4} : Directions{0, 4};
}

inline bool is_far(char piece, int index) { return lower(piece) == 'b' ? index >= 28 : index < 4; }

// Returns the squares that a move names, from 0.
inline std::vector<int> squares(const Action& move) {
  std::vector<int> found{0};
  for (const char c : move) {
    if (c == '-' || c == 'x') {
      found.push_back(0);
    } else if (c >= '0' && c <= '9') {
      found.back() = 10 * found.back() + (c - '0');
    } else {
      found.back() = 99;
    }
  }
  for (int& square : found) {
    if (square < 1 || square > 32) throw std::invalid_argument("expected a move such as 11-15, got " + move);
    --square;
  }
  return found;
}

inline Action capture(const std::vector<int>& path) {
  Action move;
  for (const int index : path) move += (move.empty() ? "" : "x") + std::to_string(index + 1);
  return move;
}

}  // namespace detail

// Returns the squares that a move jumps over, in order; none for a step.
inline std::vector<int> captured(const Action& move) {
  std::vector<int> over;
  if (move.find('x') == std::string::npos) return over;
  const std::vector<int> squares = detail::squares(move);
  for (std::size_t n = 0; n + 1 < squares.size(); ++n) {
    for (const detail::Step& step : detail::STEPS[std::size_t(squares[n])]) {
      if (step.behind == squares[n + 1]) over.push_back(step.near + 1);
    }
  }
  return over;
}

// Returns the position of a FEN such as `B:W18,K10:BK5,1-4`.
inline Position position_of_fen(const std::string& fen) {
  Position found;
  found.board.fill(EMPTY);
  const auto fail = [&fen] { return std::invalid_argument("expected a FEN such as B:W18,K10:BK5,1-4, got " + fen); };
  std::istringstream sides(fen);
  std::string side;
  std::getline(sides, side, ':');
  if (side != "B" && side != "W") throw fail();
  found.to_move = side == "B" ? Side::black : Side::white;
  while (std::getline(sides, side, ':')) {
    if (side.empty()) throw fail();
    const char man = detail::lower(side[0]);
    std::istringstream texts(side.substr(1));
    for (std::string text; std::getline(texts, text, ',');) {
      while (!text.empty() && text.back() == '.') text.pop_back();
      if (text.empty()) continue;
      const bool king = text[0] == 'K';
      if (king) text.erase(0, 1);
      const std::size_t dash = text.find('-');
      const int first = std::stoi(text);
      const int last = dash == std::string::npos ? first : std::stoi(text.substr(dash + 1));
      if (first < 1 || last > 32) throw fail();
      for (int square = first; square <= last; ++square) {
        found.board[std::size_t(square - 1)] = king ? detail::upper(man) : man;
      }
    }
  }
  return found;
}

// Returns the FEN of a position, as the referee writes it.
inline std::string fen(const Position& position) {
  std::string text = position.to_move == Side::black ? "B" : "W";
  for (const char man : {'w', 'b'}) {
    text += std::string(":") + detail::upper(man);
    bool first = true;
    for (std::size_t index = 0; index < 32; ++index) {
      const char piece = position.board[index];
      if (detail::lower(piece) != man) continue;
      text += std::string(first ? "" : ",") + (piece == man ? "" : "K") + std::to_string(index + 1);
      first = false;
    }
  }
  return text;
}

// Returns the position of a view; when the game is over, with the side that would move.
inline Position position(const View& view) {
  if (view.board.size() != 32) throw std::invalid_argument("expected a board of 32 letters, got " + view.board);
  Position found;
  std::copy(view.board.begin(), view.board.end(), found.board.begin());
  found.to_move = view.to_move ? (*view.to_move == "white" ? Side::white : Side::black)
                               : position_of_fen(view.fen).to_move;
  return found;
}

// Returns whether a legal move is a step of a king: one that can be undone, and counts towards a draw.
inline bool is_quiet(const Position& position, const Action& move) {
  return move.find('x') == std::string::npos &&
         !detail::is_man(position.board[std::size_t(detail::squares(move).front())]);
}

// Returns the positions since the last capture or man's move, or since the opening, oldest first; the last one is the
// position of the view. No earlier position can occur again.
inline std::vector<Position> history(const View& view) {
  std::vector<Position> found{position(view)};
  for (auto move = view.quiet_moves.rbegin(); move != view.quiet_moves.rend(); ++move) {
    const std::vector<int> squares = detail::squares(*move);
    Position earlier = found.back();
    std::swap(earlier.board[std::size_t(squares.front())], earlier.board[std::size_t(squares.back())]);
    earlier.to_move = other(earlier.to_move);
    found.push_back(earlier);
  }
  std::reverse(found.begin(), found.end());
  return found;
}

// The position in which a game begins.
inline const Position START = position_of_fen("B:W21-32:B1-12");

// The game under one set of rules; by default English draughts.
class Draughts : public RulebookOf<View, Action> {
 public:
  explicit Draughts(const Json& rules = Json::object(), const Json& = Json::object())
      : one_piece_(botyard::detail::value_or<std::string>(rules, "jump", "whole_path") == "one_piece"),
        promotion_ends_move_(botyard::detail::value_or(rules, "promotion_ends_move", true)),
        compulsory_(botyard::detail::value_or(rules, "compulsory_capture", true)),
        draw_repetitions_(botyard::detail::value_or(rules, "draw_repetitions", 3)),
        draw_quiet_plies_(botyard::detail::value_or(rules, "draw_quiet_plies", 80)),
        max_plies_(botyard::detail::value_or(rules, "max_plies", 1000)) {}

  // Returns the legal actions of a view, in no particular order.
  std::vector<Action> legal(const View& view) const override {
    return view.to_move ? moves(position(view)) : std::vector<Action>{};
  }

  // Returns the legal moves of a position, captures first; none if the side to move has lost. Draws by the number
  // of plies or repetitions are not considered: see draw_after.
  std::vector<Action> moves(const Position& position) const {
    std::vector<Action> found = captures(position);
    if (!found.empty() && compulsory_) return found;
    const char side = detail::letter(position.to_move);
    for (std::size_t index = 0; index < 32; ++index) {
      const char piece = position.board[index];
      if (detail::lower(piece) != side) continue;
      const detail::Directions all = detail::directions(piece);
      for (std::size_t direction = all.first; direction < all.last; ++direction) {
        const int near = detail::STEPS[index][direction].near;
        if (near >= 0 && position.board[std::size_t(near)] == EMPTY) {
          found.push_back(std::to_string(index + 1) + "-" + std::to_string(near + 1));
        }
      }
    }
    return found;
  }

  // Returns the moves of a position that capture, whether or not they are compulsory.
  std::vector<Action> captures(const Position& position) const {
    std::vector<Action> found;
    const char side = detail::letter(position.to_move);
    for (std::size_t index = 0; index < 32; ++index) {
      const char piece = position.board[index];
      if (detail::lower(piece) != side) continue;
      // The piece's own square is empty, so a king may return to it.
      Board without = position.board;
      without[index] = EMPTY;
      std::vector<int> path{int(index)}, over;
      jump(without, piece, detail::letter(other(position.to_move)), path, over, found);
    }
    return found;
  }

  // Returns the position after a legal move.
  Position play(const Position& position, const Action& move) const {
    Position after = position;
    const std::vector<int> squares = detail::squares(move);
    char piece = after.board[std::size_t(squares[0])];
    after.board[std::size_t(squares[0])] = EMPTY;
    for (const int square : captured(move)) after.board[std::size_t(square - 1)] = EMPTY;
    for (std::size_t n = 1; n < squares.size(); ++n) {
      if (detail::is_far(piece, squares[n])) piece = detail::upper(piece);
    }
    after.board[std::size_t(squares.back())] = piece;
    after.to_move = other(position.to_move);
    return after;
  }

  // Returns how often the position after a legal move will have occurred in the game; 1 if it is new.
  int repetitions_after(const View& view, const Action& move) const {
    const std::vector<Position> earlier = history(view);
    return 1 + int(std::count(earlier.begin(), earlier.end(), play(earlier.back(), move)));
  }

  // Returns the reason if a legal move ends the game in a draw: `repetition`, `quiet_plies` or `max_plies`; nothing if
  // it does not, also if it wins.
  std::optional<std::string> draw_after(const View& view, const Action& move) const {
    const Position now = position(view);
    if (moves(play(now, move)).empty()) return std::nullopt;
    if (draw_repetitions_ > 0 && repetitions_after(view, move) >= draw_repetitions_) return "repetition";
    if (draw_quiet_plies_ > 0 && is_quiet(now, move) && view.quiet_plies + 1 >= draw_quiet_plies_) return "quiet_plies";
    if (view.ply + 1 >= max_plies_) return "max_plies";
    return std::nullopt;
  }

  // Returns the number of plies after which the game is drawn unless one of them captures or moves a man. The last
  // plies before `max_plies` are counted too, whatever is played in them.
  int plies_left(const View& view) const {
    const int left = max_plies_ - view.ply;
    return draw_quiet_plies_ > 0 ? std::min(left, draw_quiet_plies_ - view.quiet_plies) : left;
  }

 private:
  void jump(const Board& board, char piece, char opponent, std::vector<int>& path, std::vector<int>& over,
            std::vector<Action>& found) const {
    bool through = true;
    const detail::Directions all = detail::directions(piece);
    for (std::size_t direction = all.first; direction < all.last; ++direction) {
      const detail::Step step = detail::STEPS[std::size_t(path.back())][direction];
      if (step.behind < 0 || detail::lower(board[std::size_t(step.near)]) != opponent) continue;
      // Captured pieces stay until the move ends: they block, and cannot be jumped again.
      if (std::find(over.begin(), over.end(), step.near) != over.end()) continue;
      if (board[std::size_t(step.behind)] != EMPTY) continue;
      through = false;
      const bool crowned = detail::is_man(piece) && detail::is_far(piece, step.behind);
      path.push_back(step.behind);
      if (one_piece_ || (crowned && promotion_ends_move_)) {
        found.push_back(detail::capture(path));
      } else {
        over.push_back(step.near);
        jump(board, crowned ? detail::upper(piece) : piece, opponent, path, over, found);
        over.pop_back();
      }
      path.pop_back();
    }
    if (through && !over.empty()) found.push_back(detail::capture(path));
  }

  bool one_piece_;
  bool promotion_ends_move_;
  bool compulsory_;
  int draw_repetitions_;
  int draw_quiet_plies_;
  int max_plies_;
};

using Bot = botyard::Bot<View, Action>;
using Turn = botyard::Turn<View, Action>;

inline const bool registered = register_rulebook<Draughts>("draughts");

}  // namespace botyard::draughts
