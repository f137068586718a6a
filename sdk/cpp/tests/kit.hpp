// Common code of the tests: checks, and a referee's side of a conversation.
#pragma once

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "botyard/games.hpp"

using botyard::Json;

inline int& failures() {
  static int count = 0;
  return count;
}
inline int& checks() {
  static int count = 0;
  return count;
}

#define CHECK(condition)                                                                  \
  do {                                                                                    \
    ++checks();                                                                           \
    if (!(condition)) {                                                                   \
      ++failures();                                                                       \
      std::cerr << __FILE__ << ":" << __LINE__ << ": failed: " << #condition << std::endl; \
    }                                                                                     \
  } while (false)

// Compares two values, and prints both if they differ.
template <class A, class B>
void check_equal(const A& found, const B& expected, const std::string& where) {
  ++checks();
  if (Json(found) == Json(expected)) return;
  ++failures();
  std::cerr << where << ": expected " << botyard::dumps(Json(expected)) << ", got " << botyard::dumps(Json(found))
            << std::endl;
}
#define WHERE (std::string(__FILE__) + ":" + std::to_string(__LINE__))
#define EQUAL(found, ...) check_equal(found, __VA_ARGS__, WHERE)

inline void near(double found, double expected, double delta, const std::string& where) {
  ++checks();
  if (std::abs(found - expected) <= delta || found == expected) return;
  ++failures();
  std::cerr << where << ": expected " << expected << ", got " << found << std::endl;
}
#define NEAR(found, expected, delta) near(found, expected, delta, WHERE)

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Returns the text of the exception that a function throws; empty without one.
template <class F>
std::string thrown(F function) {
  try {
    function();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

inline int finish(const char* name) {
  std::cout << name << ": " << checks() << " checks, " << failures() << " failed" << std::endl;
  return failures() == 0 ? 0 : 1;
}

inline Json hello() { return Json::parse(R"({"type":"hello","protocol":1,"limits":{"line_bytes":65536},"unknown":[1]})"); }
inline Json quit() { return Json::parse(R"({"type":"quit"})"); }
inline Json with(Json message, const Json& fields) {
  for (const auto& [name, value] : fields.items()) message[name] = value;
  return message;
}
inline Json start(const std::string& game = "any", const Json& fields = Json::object()) {
  Json message = Json::parse(R"({"type":"start","game_id":"7-1","seats":["a","b"],"you":["a"]})");
  message["game"] = game;
  return with(message, fields);
}
inline Json turn(int number = 1, const Json& legal = nullptr, const Json& fields = Json::object()) {
  Json message = Json::parse(
      R"({"type":"turn","seat":"a","view":{},"clock":{"kind":"wall","move_ms":1000,"bank_ms":null,"increment_ms":0}})");
  message["turn"] = number;
  if (!legal.is_null()) message["legal"] = legal;
  return with(message, fields);
}
inline Json end() {
  return Json::parse(
      R"({"type":"end","outcome":{"kind":"completed","scores":[1.0,0.0],"ranks":[1,2],"reason":"won"},"faults":[],"reveal":{}})");
}

inline std::string lines(const std::vector<Json>& messages) {
  std::string text;
  for (const Json& message : messages) text += message.dump() + "\n";
  return text;
}

inline std::vector<Json> parsed_lines(const std::string& text) {
  std::vector<Json> found;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) found.push_back(Json::parse(line));
  return found;
}

// Returns what a bot says to these messages, in memory.
inline std::vector<Json> conversation(const botyard::Maker& bot, const std::vector<Json>& messages,
                                      std::string* errors = nullptr) {
  std::istringstream in(lines(messages));
  std::ostringstream out, err;
  botyard::serve(bot, in, out, err);
  if (errors != nullptr) *errors = err.str();
  return parsed_lines(out.str());
}

// The result of a program.
struct Done {
  int code = 0;
  std::string out;
  std::string err;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline void write_file(const std::string& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// Runs a command of the shell with this input.
inline Done process(const std::string& command, const std::string& input = "") {
  char place[] = "/tmp/botyard-kit-XXXXXX";
  if (mkdtemp(place) == nullptr) std::abort();
  const std::string base = place;
  write_file(base + "/in", input);
  const std::string redirected = "( " + command + " ) <" + base + "/in >" + base + "/out 2>" + base + "/err";
  const int status = std::system(redirected.c_str());
  Done done{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(base + "/out"),
            read_file(base + "/err")};
  for (const char* name : {"/in", "/out", "/err"}) std::remove((base + name).c_str());
  rmdir(place);
  return done;
}
