// Connect Four: the types of its views and actions, legal actions, and dropping a disc.
//
// The rules and the JSON are described in docs/games/connect-four.md.
#pragma once

#include "botyard.hpp"

namespace botyard::connect_four {

constexpr int COLUMNS = 7;
constexpr int ROWS = 6;
constexpr char YELLOW = 'x', RED = 'o', EMPTY = '.';

// A disc in a column, from 1 (left) to 7 (right).
struct Action {
  int column = 0;
};

// The board: columns from left to right, each from bottom to top. Yellow moves when `discs` is even.
struct View {
  std::vector<std::vector<char>> columns;
  int discs = 0;
  // `four_in_line` or `full` when the game is over.
  std::optional<std::string> end;
};

inline bool operator==(const Action& a, const Action& b) { return a.column == b.column; }

inline void to_json(Json& json, const Action& action) { json = Json{{"column", action.column}}; }
inline void from_json(const Json& json, Action& action) { json.at("column").get_to(action.column); }

inline void to_json(Json& json, const View& view) {
  Json columns = Json::array();
  for (const std::vector<char>& cells : view.columns) {
    Json column = Json::array();
    for (const char cell : cells) column.push_back(std::string(1, cell));
    columns.push_back(column);
  }
  json = Json{{"columns", columns}, {"discs", view.discs}};
  if (view.end) json["end"] = *view.end;
}

inline void from_json(const Json& json, View& view) {
  for (const Json& column : json.at("columns")) {
    std::vector<char>& cells = view.columns.emplace_back();
    for (const Json& cell : column) cells.push_back(cell.get<std::string>().at(0));
  }
  json.at("discs").get_to(view.discs);
  view.end = detail::maybe<std::string>(json, "end");
}

// Returns whether the disc there (counted from 0) is in a line of four.
inline bool wins_at(const std::vector<std::vector<char>>& columns, int column, int row) {
  const char disc = columns[column][row];
  const auto run = [&](int across, int up) {
    int length = 0;
    int x = column + across, y = row + up;
    while (x >= 0 && x < COLUMNS && y >= 0 && y < ROWS && columns[x][y] == disc) {
      ++length;
      x += across;
      y += up;
    }
    return length;
  };
  const int directions[4][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}};
  return std::any_of(std::begin(directions), std::end(directions),
                     [&](const int* d) { return run(d[0], d[1]) + run(-d[0], -d[1]) >= 3; });
}

// The game; it has no rules to change.
class ConnectFour : public RulebookOf<View, Action> {
 public:
  explicit ConnectFour(const Json& = Json::object(), const Json& = Json::object()) {}

  // Returns the legal actions, from left to right.
  std::vector<Action> legal(const View& view) const override {
    std::vector<Action> actions;
    if (view.end) return actions;
    for (int n = 0; n < int(view.columns.size()); ++n) {
      if (view.columns[n].back() == EMPTY) actions.push_back(Action{n + 1});
    }
    return actions;
  }

  // Returns the view after a disc of the side to move.
  View play(const View& view, const Action& action) const {
    View after = view;
    std::vector<char>& cells = after.columns.at(std::size_t(action.column - 1));
    const auto cell = std::find(cells.begin(), cells.end(), EMPTY);
    if (cell == cells.end()) throw std::invalid_argument("the column is full");
    *cell = view.discs % 2 == 0 ? YELLOW : RED;
    ++after.discs;
    if (wins_at(after.columns, action.column - 1, int(cell - cells.begin()))) {
      after.end = "four_in_line";
    } else if (after.discs == COLUMNS * ROWS) {
      after.end = "full";
    }
    return after;
  }
};

using Bot = botyard::Bot<View, Action>;
using Turn = botyard::Turn<View, Action>;

inline const bool registered = register_rulebook<ConnectFour>("connect-four");

}  // namespace botyard::connect_four
