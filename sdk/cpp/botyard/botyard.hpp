// The C++ kit for Botyard bots: the protocol loop. A bot is a class with a method `choose`:
//
//     #include "botyard/botyard.hpp"
//
//     struct Mine : botyard::Bot<> {
//       Json choose(Turn& turn) override { return turn.random().choice(turn.legal_actions()); }
//     };
//
//     int main(int argc, char** argv) { return botyard::main<Mine>(argc, argv); }
//
// Each game has a header with the types of its views and actions and with helper functions, such as
// `botyard/scotland_yard.hpp`; `botyard/games.hpp` includes all of them.
//
// While `main` runs, standard output belongs to the protocol. All other output of the program, also that of libraries
// and child processes, goes to standard error. All times are in seconds.
//
// Needs C++17, POSIX, and nlohmann/json (Debian: nlohmann-json3-dev), in the system's include path or as
// `nlohmann/json.hpp` in the directory of this file.
#pragma once

#include <cxxabi.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "nlohmann/json.hpp"

namespace botyard {

using Json = nlohmann::json;

// The protocol version of the kit.
constexpr int PROTOCOL = 1;

// The largest integer that the protocol allows.
constexpr std::int64_t MAX_INT = std::int64_t{1} << 53;

constexpr double INFINITE = std::numeric_limits<double>::infinity();

// The match sends no legal actions (`--no-legal`), and the kit cannot generate them.
struct NoLegalActions : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A line that is not a message of the referee, or one that the bot cannot answer.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An option that the bot did not declare, or a value that it does not allow.
struct OptionError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The referee has closed the pipe.
struct BrokenPipe : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Returns JSON as the referee accepts it: on one line, ASCII. Bytes that are not UTF-8 are replaced, and NaN is null.
inline std::string dumps(const Json& value) { return value.dump(-1, ' ', true, Json::error_handler_t::replace); }

namespace detail {

// Fields that may be missing or null.
inline const Json& field(const Json& object, const char* name) {
  static const Json null;
  if (!object.is_object()) return null;
  const auto found = object.find(name);
  return found == object.end() ? null : *found;
}

template <class T>
T value_or(const Json& object, const char* name, T otherwise) {
  const Json& found = field(object, name);
  return found.is_null() ? otherwise : found.get<T>();
}

inline Json object_of(const Json& object, const char* name) {
  const Json& found = field(object, name);
  return found.is_null() ? Json::object() : found;
}

template <class T>
std::optional<T> maybe(const Json& object, const char* name) {
  const Json& found = field(object, name);
  return found.is_null() ? std::nullopt : std::optional<T>(found.get<T>());
}

inline std::string demangled(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string found = status == 0 ? text : type.name();
  std::free(text);
  return found;
}

// The exception being handled: its type and its text.
inline std::string current_exception_text() {
  try {
    throw;
  } catch (const std::exception& error) {
    return demangled(typeid(error)) + ": " + error.what();
  } catch (const std::string& error) {
    return error;
  } catch (const char* error) {
    return error;
  } catch (...) {
    const std::type_info* type = abi::__cxa_current_exception_type();
    return type == nullptr ? "an exception" : "an exception of type " + demangled(*type);
  }
}

}  // namespace detail

// ---------------------------------------------------------------------------------------------------------- options

class Option;

// The options of a bot, in the order of their declaration.
struct Options {
  std::vector<Option*> declared;

  // Sets options as a match does: all others return to their defaults.
  void set(const Json& values);
};

// An option that a match may set: a member of a bot, such as `botyard::IntOption depth{this, "depth", 3, 1, 9,
// "plies"};`.
class Option {
 public:
  Option(Options* bot, std::string name, std::string about) : name(std::move(name)), about(std::move(about)) {
    bot->declared.push_back(this);
  }
  virtual ~Option() = default;
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  // The name in the protocol.
  const std::string name;
  // One line on its effect.
  const std::string about;

  virtual void reset() = 0;
  // Throws OptionError for a value that a match may not set.
  virtual void set(const Json& value) = 0;
  // Returns the option as `hello` declares it.
  virtual Json spec() const = 0;

 protected:
  [[noreturn]] void refuse(const std::string& expected, const Json& got) const {
    throw OptionError("option " + name + ": expected " + expected + ", got " + dumps(got));
  }
  Json described(Json spec) const {
    if (!about.empty()) spec["about"] = about;
    return spec;
  }
};

inline void Options::set(const Json& values) {
  for (Option* option : declared) option->reset();
  for (const auto& [name, value] : values.items()) {
    const auto same = [&name = name](const Option* option) { return option->name == name; };
    const auto found = std::find_if(declared.begin(), declared.end(), same);
    if (found == declared.end()) {
      std::vector<std::string> names;
      for (const Option* option : declared) names.push_back(option->name);
      std::sort(names.begin(), names.end());
      std::string known;
      for (const std::string& one : names) known += (known.empty() ? "" : ", ") + one;
      throw OptionError("there is no option " + name + "; the options of this bot are: " + known);
    }
    (*found)->set(value);
  }
}

namespace detail {

// An option whose value is a T. `Kind` says what it allows.
template <class T>
class OptionOf : public Option {
 public:
  void reset() final { value_ = default_; }
  const T& get() const { return value_; }
  operator const T&() const { return value_; }  // NOLINT: an option is used as its value.

 protected:
  OptionOf(Options* bot, std::string name, T value, std::string about)
      : Option(bot, std::move(name), std::move(about)), default_(value), value_(std::move(value)) {}
  T default_;
  T value_;
};

}  // namespace detail

// An integer from `min` to `max`, both included.
class IntOption : public detail::OptionOf<std::int64_t> {
 public:
  IntOption(Options* bot, std::string name, std::int64_t value, std::int64_t min, std::int64_t max,
            std::string about = "")
      : OptionOf(bot, std::move(name), value, std::move(about)), min_(min), max_(max) {
    IntOption::set(value);
  }
  void set(const Json& value) override {
    const bool fits = value.is_number_integer() &&
                      !(value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(MAX_INT));
    if (!fits || value.get<std::int64_t>() < min_ || value.get<std::int64_t>() > max_) {
      refuse("an integer from " + std::to_string(min_) + " to " + std::to_string(max_), value);
    }
    value_ = value.get<std::int64_t>();
  }
  Json spec() const override {
    return described(Json{{"kind", "int"}, {"min", min_}, {"max", max_}, {"default", default_}});
  }

 private:
  std::int64_t min_, max_;
};

// A number from `min` to `max`, both included.
class FloatOption : public detail::OptionOf<double> {
 public:
  FloatOption(Options* bot, std::string name, double value, double min, double max, std::string about = "")
      : OptionOf(bot, std::move(name), value, std::move(about)), min_(min), max_(max) {
    FloatOption::set(value);
  }
  void set(const Json& value) override {
    if (!value.is_number() || !(value.get<double>() >= min_ && value.get<double>() <= max_)) {
      refuse("a number from " + dumps(min_) + " to " + dumps(max_), value);
    }
    value_ = value.get<double>();
  }
  Json spec() const override {
    return described(Json{{"kind", "float"}, {"min", min_}, {"max", max_}, {"default", default_}});
  }

 private:
  double min_, max_;
};

// One of the words in `values`.
class EnumOption : public detail::OptionOf<std::string> {
 public:
  EnumOption(Options* bot, std::string name, const std::string& value, std::vector<std::string> values,
             std::string about = "")
      : OptionOf(bot, std::move(name), value, std::move(about)), values_(std::move(values)) {
    EnumOption::set(value);
  }
  void set(const Json& value) override {
    if (!value.is_string() || std::find(values_.begin(), values_.end(), value.get<std::string>()) == values_.end()) {
      std::string words;
      for (const std::string& word : values_) words += (words.empty() ? "" : ", ") + word;
      refuse("one of " + words, value);
    }
    value_ = value.get<std::string>();
  }
  Json spec() const override {
    return described(Json{{"kind", "enum"}, {"values", values_}, {"default", default_}});
  }

 private:
  std::vector<std::string> values_;
};

// `true` or `false`.
class BoolOption : public detail::OptionOf<bool> {
 public:
  BoolOption(Options* bot, std::string name, bool value, std::string about = "")
      : OptionOf(bot, std::move(name), value, std::move(about)) {}
  void set(const Json& value) override {
    if (!value.is_boolean()) refuse("true or false", value);
    value_ = value.get<bool>();
  }
  Json spec() const override { return described(Json{{"kind", "bool"}, {"default", default_}}); }
};

// Any text.
class TextOption : public detail::OptionOf<std::string> {
 public:
  TextOption(Options* bot, std::string name, const std::string& value, std::string about = "")
      : OptionOf(bot, std::move(name), value, std::move(about)) {}
  void set(const Json& value) override {
    if (!value.is_string()) refuse("a text", value);
    value_ = value.get<std::string>();
  }
  Json spec() const override { return described(Json{{"kind", "text"}, {"default", default_}}); }
};

// ------------------------------------------------------------------------------------------------------------ games

// A game under one set of rules: the base of the classes in the games' headers. A header registers its class by
// `inline const bool registered = botyard::register_rulebook<MyGame>("my-game");`. The class is constructed from
// the `rules` and the `setup` of a `start` message.
class Rulebook {
 public:
  virtual ~Rulebook() = default;
  // Returns the legal actions of the seat to move, in the order of the `legal` list.
  virtual std::vector<Json> legal_json(const Json& view) const = 0;
};

// A rulebook with the types of its views and actions.
template <class View, class Action>
class RulebookOf : public Rulebook {
 public:
  virtual std::vector<Action> legal(const View& view) const = 0;
  std::vector<Json> legal_json(const Json& view) const final {
    const std::vector<Action> actions = legal(view.get<View>());
    return std::vector<Json>(actions.begin(), actions.end());
  }
};

namespace detail {
using BookMaker = std::function<std::shared_ptr<Rulebook>(const Json& rules, const Json& setup)>;

inline std::map<std::string, BookMaker>& books() {
  static std::map<std::string, BookMaker> made;
  return made;
}
}  // namespace detail

template <class Book>
bool register_rulebook(const std::string& game) {
  detail::books()[game] = [](const Json& rules, const Json& setup) { return std::make_shared<Book>(rules, setup); };
  return true;
}

// Returns the kit's class for a game under these rules; null if no header of this game is included.
inline std::shared_ptr<Rulebook> rulebook(const std::string& game, const Json& rules, const Json& setup) {
  const auto found = detail::books().find(game);
  return found == detail::books().end() ? nullptr : found->second(rules, setup);
}

// A game in progress: the `start` message.
class Game {
 public:
  explicit Game(Json start)
      : message(std::move(start)),
        name(detail::value_or<std::string>(message, "game", "")),
        game_id(detail::value_or<std::string>(message, "game_id", "")),
        rules(detail::object_of(message, "rules")),
        seats(detail::value_or<std::vector<std::string>>(message, "seats", {})),
        you(detail::value_or<std::vector<std::string>>(message, "you", {})),
        players(detail::value_or<Json>(message, "players", Json::array())),
        time(detail::object_of(message, "time")),
        options(detail::object_of(message, "options")),
        setup(detail::object_of(message, "setup")) {}

  // The whole message.
  Json message;
  // The name of the game: `scotland-yard`, ...
  std::string name;
  // The game's id; equal for a game that is repeated with the same seed.
  std::string game_id;
  // Every parameter of the rules.
  Json rules;
  // All seats, in seat order.
  std::vector<std::string> seats;
  // The seats that this bot holds.
  std::vector<std::string> you;
  // The bots and their seats: objects with `name` and `seats`.
  Json players;
  // The clock, and `on_fault`.
  Json time;
  // The options that the match set.
  Json options;
  // The constant data of this game, as far as the first of your seats may know it.
  Json setup;

  // Returns the setup as this seat of yours may know it.
  const Json& setup_of(const std::string& seat) const {
    const Json& found = detail::field(detail::field(message, "setups"), seat.c_str());
    return found.is_null() ? setup : found;
  }

  // Returns the kit's class for this game under these rules; null if no header of this game is included.
  std::shared_ptr<Rulebook> rulebook() const {
    if (!rulebook_) rulebook_ = botyard::rulebook(name, rules, setup);
    return rulebook_;
  }

 private:
  mutable std::shared_ptr<Rulebook> rulebook_;
};

// The end of a game: the `end` message.
class Outcome {
 public:
  Outcome(Json end, std::optional<Game> of)
      : message(std::move(end)),
        game(std::move(of)),
        kind(detail::value_or<std::string>(detail::field(message, "outcome"), "kind", "")),
        scores(detail::value_or<std::vector<double>>(detail::field(message, "outcome"), "scores", {})),
        ranks(detail::value_or<std::vector<int>>(detail::field(message, "outcome"), "ranks", {})),
        reason(detail::value_or<std::string>(detail::field(message, "outcome"), "reason", "")),
        faults(detail::value_or<Json>(message, "faults", Json::array())),
        reveal(detail::field(message, "reveal")) {}

  // The whole message.
  Json message;
  // The game that ended, if one was in progress.
  std::optional<Game> game;
  // `completed`, `bot_fault` or `void`.
  std::string kind;
  // The points of each seat, in seat order; empty if the game is void.
  std::vector<double> scores;
  // The place of each seat, from 1; empty if the game is void.
  std::vector<int> ranks;
  // The reason for the end: a word of the game.
  std::string reason;
  // The faults of the game.
  Json faults;
  // The whole final state, with all hidden information.
  Json reveal;

  // Returns the points of a seat; nothing if the game is void.
  std::optional<double> score(const std::string& seat) const {
    if (!game) return std::nullopt;
    const auto found = std::find(game->seats.begin(), game->seats.end(), seat);
    const auto index = std::size_t(found - game->seats.begin());
    if (found == game->seats.end() || index >= scores.size()) return std::nullopt;
    return scores[index];
  }
};

// ------------------------------------------------------------------------------------------------------------ clock

// A moment: wall-clock time and CPU time of this process (all threads), in seconds.
struct Reading {
  double wall;
  double cpu;

  static Reading now() {
    timespec cpu{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu);
    const auto wall = std::chrono::steady_clock::now().time_since_epoch();
    return {std::chrono::duration<double>(wall).count(), double(cpu.tv_sec) + double(cpu.tv_nsec) * 1e-9};
  }
};

// The clock of a seat in one decision. All times are in seconds; nothing or infinity means unlimited.
class Clock {
 public:
  Clock(const Json& clock, Reading began)
      : kind(detail::value_or<std::string>(clock, "kind", "wall")),
        move(seconds(clock, "move_ms")),
        bank(seconds(clock, "bank_ms")),
        increment(seconds(clock, "increment_ms").value_or(0.0)),
        began_(began) {}

  // `wall` or `cpu`; a kind that the kit does not know is treated as `wall`.
  std::string kind;
  // The limit of this decision.
  std::optional<double> move;
  // The time that the seat has left for all its decisions.
  std::optional<double> bank;
  // The time added to the bank after each decision.
  double increment;

  // Returns the limit of this decision: the lesser of `move` and `bank`; infinity without a limit.
  double limit() const { return std::min(move.value_or(INFINITE), bank.value_or(INFINITE)); }

  // Returns the time since the `turn` line was read, of the kind that the clock counts. CPU time is that of this
  // process with all its threads, without child processes.
  double elapsed() const {
    const Reading now = Reading::now();
    return kind == "cpu" ? now.cpu - began_.cpu : now.wall - began_.wall;
  }

  // Returns the time until the referee's deadline, without a margin; infinity without a limit. With a clock of CPU
  // time it is the lesser of the remaining CPU time and the remaining wall-clock time.
  double left() const {
    const double most = limit();
    if (most == INFINITE) return most;
    const Reading now = Reading::now();
    const double wall = now.wall - began_.wall;
    if (kind != "cpu") return most - wall;
    // The answer may take this much wall-clock time.
    const double backstop = 5 * most + 0.25;
    return std::min(most - (now.cpu - began_.cpu), backstop - wall);
  }

  // Returns the time to plan for this decision if the seat expects `decisions` more, including it: an equal share of
  // the bank and the increment, at most `move`, minus a margin of at most half of it: 1/6 of the limit, 10 to 50 ms,
  // for wall-clock time; 1/12, 3 to 25 ms, for CPU time. Infinity without a limit.
  double share(int decisions = 1) const {
    double most = move.value_or(INFINITE);
    if (bank) most = std::min({most, *bank / std::max(decisions, 1) + increment, *bank});
    if (most == INFINITE) return most;
    const double margin =
        kind == "cpu" ? std::clamp(most / 12, 0.003, 0.025) : std::clamp(most / 6, 0.010, 0.050);
    return most - std::min(margin, most / 2);
  }

 private:
  static std::optional<double> seconds(const Json& clock, const char* name) {
    const std::optional<double> millis = detail::maybe<double>(clock, name);
    return millis ? std::optional<double>(*millis / 1000) : std::nullopt;
  }

  Reading began_;
};

// ------------------------------------------------------------------------------------------------------------ turns

// A random number generator, the same with every standard library. Also usable with <random> and <algorithm>.
class Random {
 public:
  using result_type = std::uint64_t;

  // Seeds it from a text.
  explicit Random(const std::string& seed) {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const unsigned char byte : seed) hash = (hash ^ byte) * 0x100000001b3;
    engine_.seed(hash);
  }

  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()() { return engine_(); }

  // Returns an integer from 0 to `count` - 1; `count` must not be 0.
  std::uint64_t below(std::uint64_t count) {
    if (count == 0) throw std::invalid_argument("Random::below(0): expected a positive number");
    const std::uint64_t limit = max() - max() % count;  // A multiple of `count`: each result is equally likely.
    std::uint64_t drawn = 0;
    do drawn = engine_();
    while (drawn >= limit);
    return drawn % count;
  }

  // Returns a number from 0 to 1, 1 excluded.
  double uniform() { return double(engine_() >> 11) * 0x1p-53; }

  // Returns one of the elements; there must be one.
  template <class T>
  const T& choice(const std::vector<T>& from) {
    if (from.empty()) throw std::invalid_argument("Random::choice: there is nothing to choose from");
    return from[below(from.size())];
  }
  template <class T>
  T choice(std::vector<T>&& from) {
    return choice(static_cast<const std::vector<T>&>(from));
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t n = items.size(); n > 1; --n) std::swap(items[n - 1], items[below(n)]);
  }

 private:
  std::mt19937_64 engine_;
};

namespace detail {

// The data of one decision that are not in its message.
struct Decision {
  std::int64_t seed = 0;
  std::function<void(const std::string&)> log;
  Json info = Json::object();
  std::optional<Random> random;
  std::optional<std::vector<Json>> legal;
};

}  // namespace detail

// A decision to be made, without the types of a game: see `Turn`.
class AnyTurn {
 public:
  AnyTurn(const Json& turn, const Game& game, Reading began, detail::Decision& decision)
      : message(turn),
        game(game),
        number(detail::value_or<std::int64_t>(turn, "turn", 0)),
        seat(detail::value_or<std::string>(turn, "seat", "")),
        clock(detail::object_of(turn, "clock"), began),
        decision_(decision) {}

  // The whole message.
  const Json& message;
  // The game.
  const Game& game;
  // The number of this decision in the game, from 1, over all seats.
  const std::int64_t number;
  // The seat to move: one of `game.you`.
  const std::string seat;
  // The seat's clock.
  const Clock clock;

  // Returns every legal action as JSON: see `Turn::legal_actions`.
  const std::vector<Json>& legal_json() const {
    if (!decision_.legal) {
      const Json& listed = detail::field(message, "legal");
      if (!listed.is_null()) {
        decision_.legal = listed.get<std::vector<Json>>();
      } else {
        const std::shared_ptr<Rulebook> book = game.rulebook();
        if (!book) {
          throw NoLegalActions("the match sends no legal actions, and the kit has no rules of '" + game.name +
                               "' (is its header included?): play without --no-legal");
        }
        decision_.legal = book->legal_json(detail::field(message, "view"));
      }
    }
    return *decision_.legal;
  }

  // Returns the seconds until the referee's deadline, without a margin: see Clock::left. The clock stops when the
  // referee has read the answer, so keep 0.02 to 0.05 s back.
  double time_left() const { return clock.left(); }

  // Returns the seconds of Clock::share that are left for this decision, with its margin.
  double time_share(int decisions = 1) const { return clock.share(decisions) - clock.elapsed(); }

  // A random number generator of this decision. It is seeded from the option `seed`, the game's id, your seats and
  // the number of the decision, so a decision can be reproduced from a replay, while the games of a match differ.
  Random& random() {
    if (!decision_.random) {
      std::string seed = std::to_string(decision_.seed) + "/" + game.game_id + "/";
      for (std::size_t n = 0; n < game.you.size(); ++n) seed += (n == 0 ? "" : ",") + game.you[n];
      decision_.random.emplace(seed + "/" + std::to_string(number));
    }
    return *decision_.random;
  }

  // Writes a line to the game's log, immediately.
  void log(const std::string& text) { decision_.log(text); }

  // Adds to the `info` of the answer, which the replay keeps. By convention: `score`, how good the position is;
  // `depth`, plies; `nodes`, positions or playouts; `pv`, expected actions; `text`.
  AnyTurn& info(const std::string& name, Json value) {
    decision_.info[name] = std::move(value);
    return *this;
  }

  // Draws on the board, for the page of the game: a circle around the place `point`, or a `line` or an `arrow` through
  // two places or more, perhaps with a `color` and a `text`. Places are named as in the game:
  // `turn.draw({{"arrow", {11, 15}}, {"color", "red"}})`.
  AnyTurn& draw(Json mark) {
    Json& marks = decision_.info["draw"];
    if (!marks.is_array()) marks = Json::array();
    marks.push_back(std::move(mark));
    return *this;
  }

 private:
  detail::Decision& decision_;
};

// A decision to be made: the `turn` message.
template <class View = Json, class Action = Json>
class Turn : public AnyTurn {
 public:
  explicit Turn(const AnyTurn& turn) : AnyTurn(turn), view(detail::field(message, "view").template get<View>()) {}

  // All that the seat may know now.
  const View view;

  // Returns the list of legal actions of the message; nothing if the match sends none (`--no-legal`).
  std::optional<std::vector<Action>> legal() const {
    return detail::maybe<std::vector<Action>>(message, "legal");
  }

  // Returns every legal action: the list of the message, or generated from the view by the kit, whose header for
  // the game must be included. Throws NoLegalActions if the match sends no list and the kit cannot generate it.
  std::vector<Action> legal_actions() const {
    std::vector<Action> actions;
    for (const Json& action : legal_json()) actions.push_back(action.get<Action>());
    return actions;
  }
};

// ------------------------------------------------------------------------------------------------------------- bots

// A bot without the types of a game: what the loop knows of it. Derive from `Bot`.
class AnyBot : public Options {
 public:
  AnyBot() = default;
  virtual ~AnyBot() = default;
  AnyBot(const AnyBot&) = delete;
  AnyBot& operator=(const AnyBot&) = delete;

  // The name of the bot; if empty, the name of the class in lower case.
  std::string name;
  // Shown with results.
  std::string version;
  // Shown with results.
  std::string author;
  // The games that it plays; empty for every game.
  std::vector<std::string> games;
  // Whether the bot continues after an exception in `start` or `choose` or an illegal action: the kit reports it on
  // standard error and plays a legal action. Otherwise an exception ends the bot.
  bool answer_on_error = false;
  // The seed of `turn.random()`.
  IntOption seed{this, "seed", 0, 0, MAX_INT, "seed of random choices"};

  // Prepares for a game. This time is not charged to the first decision: build tables here.
  virtual void start(const Game&) {}

  // Called at the end of a game.
  virtual void end(const Outcome&) {}

  // Asks for an action as JSON.
  virtual Json decide(const AnyTurn& turn) = 0;

  // Returns the name in `hello`.
  std::string shown_name() const {
    if (!name.empty()) return name;
    std::string found = detail::demangled(typeid(*this));
    const std::size_t colon = found.rfind("::");
    if (colon != std::string::npos) found = found.substr(colon + 2);
    std::transform(found.begin(), found.end(), found.begin(), [](unsigned char c) { return char(std::tolower(c)); });
    return found;
  }

  // Returns the bot's `hello` message.
  Json hello() const {
    Json hello{{"type", "hello"}, {"protocol", PROTOCOL}, {"name", shown_name()}, {"games", games}};
    if (!version.empty()) hello["version"] = version;
    if (!author.empty()) hello["author"] = author;
    for (const Option* option : declared) hello["options"][option->name] = option->spec();
    return hello;
  }
};

// A bot. Override `choose`, and perhaps `start` and `end`. The types of a game's header give `turn.view` and the
// actions their types; without them both are JSON.
template <class View = botyard::Json, class Action = botyard::Json>
class Bot : public AnyBot {
 public:
  using Turn = botyard::Turn<View, Action>;
  using Game = botyard::Game;
  using Outcome = botyard::Outcome;
  using Json = botyard::Json;

  // Returns one of the legal actions.
  virtual Action choose(Turn& turn) = 0;

  Json decide(const AnyTurn& turn) final {
    Turn typed(turn);
    return Json(choose(typed));
  }
};

// Makes the bots of a program: a new one for every game, or always the same.
using Maker = std::function<std::shared_ptr<AnyBot>()>;

// Returns a maker that creates a bot for every game.
template <class B>
Maker every_game() {
  return [] { return std::make_shared<B>(); };
}

// Returns a maker whose bot is kept over games.
inline Maker kept(AnyBot& bot) {
  return [&bot] { return std::shared_ptr<AnyBot>(std::shared_ptr<AnyBot>(), &bot); };
}

// ------------------------------------------------------------------------------------------------------------- loop

namespace detail {

inline std::string short_text(const Json& value) { return dumps(value).substr(0, 1000); }

// Returns info that the referee accepts, for any input: info must never cost a game.
inline Json safe_info(const Json& value, int depth = 0) {
  if (depth > 30) return short_text(value);
  if (value.is_object()) {
    Json found = Json::object();
    for (const auto& [name, item] : value.items()) {
      if (name.empty() || name[0] != '$') found[name] = safe_info(item, depth + 1);
    }
    return found;
  }
  if (value.is_array()) {
    Json found = Json::array();
    for (const Json& item : value) found.push_back(safe_info(item, depth + 1));
    return found;
  }
  if (value.is_number_float() && !std::isfinite(value.get<double>())) return nullptr;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > std::uint64_t(MAX_INT)) return dumps(value);
  if (value.is_number_integer() && !value.is_number_unsigned() && value.get<std::int64_t>() < -MAX_INT) {
    return dumps(value);
  }
  if (value.is_binary() || value.is_discarded()) return nullptr;
  return value;
}

inline std::string error_text(const Json& message) {
  const auto plain = [](const Json& value) { return value.is_string() ? value.get<std::string>() : dumps(value); };
  std::string text = "error from the referee: ";
  if (!field(message, "turn").is_null()) text += "turn " + plain(field(message, "turn")) + ": ";
  text += plain(field(message, "code")) + ": " + plain(field(message, "message"));
  const Json& detail = field(message, "detail");
  if (!field(detail, "got").is_null()) text += "\n  your line: " + plain(field(detail, "got"));
  if (!field(detail, "legal_sample").empty()) {
    text += "\n  legal would be, for example: " + dumps(field(detail, "legal_sample"));
  }
  return text;
}

}  // namespace detail

// A bot's conversation with the referee, one line at a time: `main` without input and output.
class Session {
 public:
  using Write = std::function<void(const std::string& line)>;

  // `write` gets each line of the bot, without its newline.
  Session(Maker make, Write write, std::ostream& errors = std::cerr)
      : make_(std::move(make)), bot_(make_()), write_(std::move(write)), errors_(errors) {}
  virtual ~Session() = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Handles a line of the referee. Returns false after `quit`. Throws what the bot throws, OptionError, and
  // ProtocolError for a line that the bot cannot answer.
  virtual bool handle(const std::string& line, Reading began = Reading::now()) {
    doing_ = "a line of the referee";
    const Json message = Json::parse(line, nullptr, false);
    if (!message.is_object()) {
      throw ProtocolError("expected a message of the referee, a JSON object, got " + line.substr(0, 200));
    }
    const Json& type = detail::field(message, "type");
    const std::string kind = type.is_string() ? type.get<std::string>() : "";
    if (kind == "turn") {
      turn(message, began);
    } else if (kind == "hello") {
      const std::size_t limit = detail::value_or<std::size_t>(detail::field(message, "limits"), "line_bytes", 0);
      if (limit > 0) line_bytes_ = limit;
      send(bot_->hello());
    } else if (kind == "start") {
      start(message);
    } else if (kind == "end") {
      const Outcome outcome(message, std::move(game_));
      game_.reset();
      try {
        bot_->end(outcome);
      } catch (...) {
        say("end() failed: " + detail::current_exception_text());
      }
    } else if (kind == "error") {
      say(detail::error_text(message));
    }
    // Messages of later versions are ignored.
    return kind != "quit";
  }

  AnyBot& bot() { return *bot_; }

  // What the bot was asked to do last: for messages about exceptions.
  const std::string& doing() const { return doing_; }

 protected:
  // Returns the bot's choice. The replay debugger overrides this.
  virtual Json choose(const AnyTurn& turn) { return bot_->decide(turn); }

 private:
  void start(const Json& message) {
    game_.reset();
    asked_.reset();
    if (!fresh_) bot_ = make_();
    fresh_ = false;
    Game game(message);
    const std::vector<std::string>& games = bot_->games;
    if (!games.empty() && std::find(games.begin(), games.end(), game.name) == games.end()) {
      std::string known;
      for (const std::string& one : games) known += (known.empty() ? "" : ", ") + one;
      throw ProtocolError("asked to play '" + game.name + "', but this bot plays " + known);
    }
    bot_->set(game.options);
    game_ = std::move(game);
    doing_ = "start()";
    try {
      bot_->start(*game_);
    } catch (...) {
      if (!bot_->answer_on_error) throw;
      say("start() failed; playing on: " + detail::current_exception_text());
    }
    send(Json{{"type", "ready"}});
  }

  void turn(const Json& message, Reading began) {
    const std::string number = dumps(detail::field(message, "turn"));
    if (!game_) throw ProtocolError("turn " + number + ": asked to decide, but no game is in progress");
    doing_ = "turn " + number + ": choose()";
    // Where a match gives another try, the same line comes again, and the clock has not stopped.
    if (asked_ && asked_->first == number) began = asked_->second;
    asked_.emplace(number, began);
    detail::Decision decision;
    decision.seed = bot_->seed;
    decision.log = [this](const std::string& text) { log(text); };
    AnyTurn turn(message, *game_, began, decision);
    Json action;
    try {
      action = choose(turn);
      if (action.is_null()) throw std::invalid_argument("choose() returned null, expected an action");
      if (bot_->answer_on_error && !is_legal(action, turn)) {
        throw std::invalid_argument("choose() returned " + dumps(action) + ", which is not a legal action");
      }
    } catch (...) {
      if (!bot_->answer_on_error) throw;
      say("turn " + number + ": choose() failed; playing a legal action: " + detail::current_exception_text());
      action = turn.random().choice(turn.legal_json());
    }
    Json move{{"type", "move"}, {"turn", turn.number}, {"action", action}};
    if (!decision.info.empty()) {
      Json with_info = move;
      with_info["info"] = detail::safe_info(decision.info);
      if (dumps(with_info).size() <= line_bytes_) {
        move = std::move(with_info);
      } else {
        say("turn " + number + ": info left out, because the line would be too long");
      }
    }
    send(move);
  }

  static bool is_legal(const Json& action, const AnyTurn& turn) {
    try {
      const std::string sent = dumps(action);
      const std::vector<Json>& legal = turn.legal_json();
      return std::any_of(legal.begin(), legal.end(), [&](const Json& one) { return dumps(one) == sent; });
    } catch (const std::exception&) {
      return true;  // Unknown.
    }
  }

  void log(std::string text) {
    Json line{{"type", "log"}, {"text", text}};
    while (dumps(line).size() > line_bytes_) {
      text.resize(text.size() / 2);
      line["text"] = text;
    }
    send(line);
  }

  void send(const Json& message) {
    const std::string line = dumps(message);
    const std::lock_guard<std::mutex> lock(mutex_);  // log() may be called from any thread.
    write_(line);
  }

  void say(const std::string& text) { errors_ << bot_->shown_name() << ": " << text << std::endl; }

  Maker make_;
  std::shared_ptr<AnyBot> bot_;
  bool fresh_ = true;
  Write write_;
  std::ostream& errors_;
  std::mutex mutex_;
  std::size_t line_bytes_ = 65536;
  std::optional<Game> game_;
  // The number of the last decision, and when it was asked for first.
  std::optional<std::pair<std::string, Reading>> asked_;
  std::string doing_;
};

// Plays until `quit` or the end of the input, on any streams: for tests. See `main`.
inline void serve(const Maker& bot, std::istream& lines, std::ostream& output, std::ostream& errors = std::cerr) {
  Session session(
      bot, [&output](const std::string& line) { output << line << '\n' << std::flush; }, errors);
  std::string line;
  while (std::getline(lines, line) && session.handle(line, Reading::now())) {
  }
}

namespace detail {

// What std::cout writes to while the protocol owns standard output: standard error, after one warning.
class Stray : public std::streambuf {
 protected:
  int overflow(int c) override {
    warn();
    return c == traits_type::eof() ? traits_type::not_eof(c) : std::fputc(c, stderr);
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    warn();
    return std::streamsize(std::fwrite(text, 1, std::size_t(size), stderr));
  }
  int sync() override { return std::fflush(stderr); }

 private:
  void warn() {
    if (warned_) return;
    warned_ = true;
    std::fputs(
        "botyard: standard output belongs to the protocol; what you print goes to standard error. "
        "Use std::cerr or turn.log(...)\n",
        stderr);
  }
  bool warned_ = false;
};

// The protocol's ends of the pipes.
struct Pipes {
  int in;
  int out;
};

// Returns the protocol's input and output, and replaces the standard streams: file descriptor 1 becomes a copy of
// standard error, and 0 becomes empty, so that neither a library nor a child process can write into the protocol or
// read from it.
inline Pipes take_standard_streams() {
  const Pipes pipes{fcntl(0, F_DUPFD_CLOEXEC, 3), fcntl(1, F_DUPFD_CLOEXEC, 3)};
  dup2(2, 1);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0) {
    dup2(nothing, 0);
    close(nothing);
  }
  // Earlier output goes to standard error.
  std::cout.flush();
  std::fflush(stdout);
  setvbuf(stdout, nullptr, _IOLBF, BUFSIZ);
  static Stray* const stray = new Stray;  // Never deleted: std::cout uses it until the program ends.
  std::cout.rdbuf(stray);
  signal(SIGPIPE, SIG_IGN);
  return pipes;
}

// Reads lines from a file descriptor.
class Lines {
 public:
  explicit Lines(int descriptor) : descriptor_(descriptor) {}

  // Returns whether a line was read, without its newline.
  bool next(std::string& line) {
    std::size_t searched = 0;
    for (;;) {
      const std::size_t end = buffer_.find('\n', searched);
      if (end != std::string::npos) {
        line.assign(buffer_, 0, end);
        buffer_.erase(0, end + 1);
        return true;
      }
      searched = buffer_.size();
      char chunk[65536];
      const ssize_t got = read(descriptor_, chunk, sizeof chunk);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) {
        line.swap(buffer_);
        buffer_.clear();
        return !line.empty();
      }
      buffer_.append(chunk, std::size_t(got));
    }
  }

 private:
  int descriptor_;
  std::string buffer_;
};

// Writes a line by one call.
inline void write_line(int descriptor, std::string line) {
  line += '\n';
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t written = write(descriptor, line.data() + done, line.size() - done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) throw BrokenPipe("the referee has closed the pipe");
    if (written < 0) throw std::runtime_error(std::string("cannot write to standard output: ") + strerror(errno));
    done += std::size_t(written);
  }
}

}  // namespace detail

// Plays as a bot on standard input and output until `quit`. Returns the exit code of the program: 1 after an
// exception, which is printed to standard error.
inline int run(const Maker& make) {
  const detail::Pipes pipes = detail::take_standard_streams();
  std::string doing = "the constructor of the bot", who = "botyard";
  std::optional<Session> session;
  try {
    session.emplace(make, [&pipes](const std::string& line) { detail::write_line(pipes.out, line); });
    who = session->bot().shown_name();
    detail::Lines lines(pipes.in);
    std::string line;
    while (lines.next(line) && session->handle(line, Reading::now())) {
    }
    return 0;
  } catch (const BrokenPipe&) {
    return 0;  // The referee has ended the game.
  } catch (const OptionError& error) {
    std::cerr << "botyard: " << error.what() << std::endl;
  } catch (const ProtocolError& error) {
    std::cerr << who << ": " << error.what() << std::endl;
  } catch (...) {
    if (session) doing = session->doing();
    std::cerr << who << ": " << doing << " failed: " << detail::current_exception_text() << std::endl;
  }
  return 1;
}

}  // namespace botyard

#include "replay.hpp"

namespace botyard {

// The main function of a bot: plays, or replays a recorded game with `--replay FILE --seat SEAT`. Leaves unknown
// arguments to the bot. Returns the exit code.
inline int main(int argc, char** argv, const Maker& make) {
  const std::vector<std::string> arguments(argv + std::min(argc, 1), argv + argc);
  for (const std::string& argument : arguments) {
    if (argument == "--replay" || argument.rfind("--replay=", 0) == 0) return replay::main(make, arguments);
  }
  return run(make);
}

// The same for a class: every game has a new bot.
template <class B>
int main(int argc, char** argv) {
  return main(argc, argv, every_game<B>());
}

// The same for a bot that is kept over games.
inline int main(int argc, char** argv, AnyBot& bot) { return main(argc, argv, kept(bot)); }

}  // namespace botyard
