// Asks the bot for a first move: build and run this program in the directory of the bot.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

using Json = nlohmann::json;

// Returns the first message of a type.
static Json find(std::istream& lines, const std::string& type) {
  for (std::string line; std::getline(lines, line);) {
    const Json message = Json::parse(line);
    if (message.at("type") == type) return message;
  }
  throw std::runtime_error("there is no message " + type);
}

int main() {
  std::ifstream questions("first_move.ndjson");
  const Json legal = find(questions, "turn").at("legal");
  std::FILE* bot = popen("./bot < first_move.ndjson", "r");
  if (bot == nullptr) return 1;
  std::stringstream answers;
  for (int byte = std::fgetc(bot); byte != EOF; byte = std::fgetc(bot)) answers.put(char(byte));
  if (pclose(bot) != 0) return 1;
  const Json action = find(answers, "move").at("action");
  for (const Json& one : legal) {
    if (one == action) return 0;
  }
  std::cerr << "not legal: " << action << "\n";
  return 1;
}
