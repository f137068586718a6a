// Runs a bot on a recorded game: `./bot --replay FILE --seat SEAT [--turn N]`.
//
// The bot is sent what it was sent in the game, and each of its choices is printed beside the recorded one. Standard
// input and output are the terminal's, so printing and any debugger work. Part of botyard.hpp.
#pragma once

#include "botyard.hpp"

namespace botyard::replay {

struct Arguments {
  std::string file;
  std::string seat = "1";
  std::optional<std::int64_t> turn;
  Json options = Json::object();
  std::string botyard;
};

// A command line that cannot be run.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Returns what a program writes to its standard output. Throws UsageError if it fails.
inline std::string output_of(const std::vector<std::string>& command) {
  int ends[2];
  if (pipe(ends) != 0) throw UsageError("cannot make a pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], 1);
    close(ends[0]);
    close(ends[1]);
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    execvp(words[0], words.data());
    _exit(127);
  }
  close(ends[1]);
  std::string found;
  char chunk[65536];
  for (ssize_t got; (got = read(ends[0], chunk, sizeof chunk)) > 0;) found.append(chunk, std::size_t(got));
  close(ends[0]);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) throw UsageError("cannot start " + command[0]);
  if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
    if (command[0] != "botyard") throw UsageError("cannot start " + command[0]);
    throw UsageError(
        "cannot find the program botyard, which reads replays: name it by --botyard PATH or the environment "
        "variable BOTYARD, or give --replay the output of `botyard replay stdin FILE --seat SEAT`");
  }
  if (status != 0) throw UsageError(command[0] + " failed");
  return found;
}

inline std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Returns the lines of a file, plain or compressed by gzip.
inline std::vector<std::string> read_lines(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw UsageError("cannot read " + path);
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (text.rfind("\x1f\x8b", 0) == 0) text = output_of({"gzip", "-dc", path});
  return lines_of(text);
}

inline Json parsed(const std::string& line) {
  const Json message = Json::parse(line, nullptr, false);
  if (!message.is_object()) throw UsageError("expected a JSON object on each line, got " + line.substr(0, 200));
  return message;
}

// A session that prints what the bot chooses.
class Replaying : public Session {
 public:
  Replaying(const Maker& make, std::map<std::int64_t, Json> recorded, std::optional<std::int64_t> only)
      : Session(make, [this](const std::string& line) { answer(line); }),
        recorded_(std::move(recorded)),
        only_(only) {}

  bool handle(const std::string& line, Reading) override {
    const Json message = parsed(line);
    const bool is_turn = detail::field(message, "type") == "turn";
    if (only_ && is_turn && detail::field(message, "turn") != *only_) return true;
    return Session::handle(line, Reading::now());
  }

  int asked = 0;
  int different = 0;

 protected:
  Json choose(const AnyTurn& turn) override {
    const double began = Reading::now().wall;
    const Json action = Session::choose(turn);
    seconds_ = Reading::now().wall - began;
    return action;
  }

 private:
  void answer(const std::string& line) {
    const Json message = parsed(line);
    if (message["type"] == "log") std::cout << "  log: " << message["text"].get<std::string>() << std::endl;
    if (message["type"] != "move") return;
    const std::int64_t number = message["turn"];
    ++asked;
    std::cout << "turn " << number << ": " << dumps(message["action"]);
    const auto found = recorded_.find(number);
    if (found != recorded_.end()) {
      const bool same = found->second == message["action"];
      different += !same;
      std::cout << (same ? "  as recorded" : "  recorded: " + dumps(found->second));
    }
    std::cout << "  (" << std::fixed << std::setprecision(3) << seconds_ << " s)" << std::endl;
    if (message.contains("info")) std::cout << "  info: " << dumps(message["info"]) << std::endl;
  }

  std::map<std::int64_t, Json> recorded_;
  std::optional<std::int64_t> only_;
  double seconds_ = 0;
};

inline Arguments read_arguments(const std::vector<std::string>& words) {
  Arguments found;
  for (std::size_t n = 0; n < words.size(); ++n) {
    std::string name = words[n], value;
    if (name.rfind("--", 0) != 0) continue;
    const std::size_t equals = name.find('=');
    bool given = equals != std::string::npos;
    if (given) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    if (name != "--replay" && name != "--seat" && name != "--turn" && name != "--option" && name != "--botyard") {
      continue;  // The bot's.
    }
    if (!given && n + 1 == words.size()) throw UsageError(name + ": expected a value");
    if (!given) value = words[++n];
    if (name == "--replay") found.file = value;
    if (name == "--seat") found.seat = value;
    if (name == "--botyard") found.botyard = value;
    if (name == "--turn") {
      if (value.empty() || value.size() > 9 || value.find_first_not_of("0123456789") != std::string::npos) {
        throw UsageError("--turn: expected the number of a decision, got " + value);
      }
      found.turn = std::stoll(value);
    }
    if (name == "--option") {
      const std::size_t split = value.find('=');
      if (split == std::string::npos) throw UsageError("--option: expected KEY=VALUE, got " + value);
      const std::string text = value.substr(split + 1);
      const Json json = Json::parse(text, nullptr, false);
      found.options[value.substr(0, split)] = json.is_discarded() ? Json(text) : json;
    }
  }
  return found;
}

// Returns which decisions were asked for, as the end of a message.
inline std::string known_decisions(const std::vector<std::string>& lines) {
  std::string first, last;
  for (const std::string& line : lines) {
    const Json message = parsed(line);
    if (detail::field(message, "type") != "turn") continue;
    last = dumps(detail::field(message, "turn"));
    if (first.empty()) first = last;
  }
  return first.empty() ? ", which was never to move" : ": its first is " + first + ", its last " + last;
}

// Runs the command line of this file. Returns the exit code.
inline int main(const Maker& make, const std::vector<std::string>& words) {
  std::optional<Replaying> session;
  try {
    const Arguments arguments = read_arguments(words);
    std::vector<std::string> lines = read_lines(arguments.file);
    std::map<std::int64_t, Json> recorded;
    if (!lines.empty() && detail::field(parsed(lines[0]), "type") == "header") {
      for (const std::string& line : lines) {
        const Json message = parsed(line);
        if (detail::field(message, "type") == "move") recorded[message.at("turn")] = message.at("action");
      }
      const char* named = std::getenv("BOTYARD");
      const std::string program = !arguments.botyard.empty() ? arguments.botyard : named ? named : "botyard";
      lines = lines_of(output_of({program, "replay", "stdin", arguments.file, "--seat", arguments.seat}));
    }
    session.emplace(make, recorded, arguments.turn);
    for (std::string line : lines) {
      Json message = parsed(line);
      if (detail::field(message, "type") == "start" && !arguments.options.empty()) {
        if (detail::field(message, "options").is_null()) message["options"] = Json::object();
        message["options"].update(arguments.options);
        line = dumps(message);
      }
      if (!session->handle(line, Reading::now())) break;
    }
    if (arguments.turn && session->asked == 0) {
      std::cerr << "there is no decision " << *arguments.turn << " of this seat" << known_decisions(lines) << std::endl;
      return 1;
    }
    std::cout << session->asked << " decisions";
    if (!recorded.empty()) std::cout << ", " << session->different << " differ from the record";
    std::cout << std::endl;
    return 0;
  } catch (const UsageError& error) {
    std::cerr << error.what() << std::endl;
  } catch (...) {
    if (session) std::cerr << session->doing() << " failed: ";
    std::cerr << detail::current_exception_text() << std::endl;
  }
  return 1;
}

}  // namespace botyard::replay
