// Runs all vectors of sdk/vectors: the engine computed them, the kit must agree. The arguments are the directory of
// the vectors, and that of the example programs.

#include "kit.hpp"

using namespace botyard;

static std::string vectors;

// The part of a view that the vectors have.
template <class View>
Json without_map(const View& view) {
  Json json = view;
  json.erase("adjacent");
  return json;
}

static Json call(const std::string& game, const Rulebook& book, const Json& view, const Json& check) {
  const std::string name = check["call"];
  if (name == "legal") return book.legal_json(view);
  if (game == "scotland-yard") {
    const auto& yard = dynamic_cast<const scotland_yard::ScotlandYard&>(book);
    if (name == "candidates") return yard.candidates(view.get<scotland_yard::View>());
    if (name == "candidates_after") {
      const auto typed = view.get<scotland_yard::View>();
      return yard.candidates_after(check["possible"].get<std::set<int>>(), typed.log.back());
    }
    if (name == "neighbours") return yard.neighbours(check["station"], check["ticket"].get<scotland_yard::Ticket>());
    if (name == "distance") {
      const auto tickets = detail::maybe<scotland_yard::Tickets>(check, "tickets");
      const auto found = yard.distance(check["from"], check["to"], tickets);
      return found ? Json(*found) : Json();
    }
  }
  if (game == "draughts") {
    const auto& rules = dynamic_cast<const draughts::Draughts&>(book);
    const auto typed = view.get<draughts::View>();
    const draughts::Position position = draughts::position(typed);
    if (name == "captures") return rules.captures(position);
    if (name == "play") return draughts::fen(rules.play(position, check["move"]));
    if (name == "plies_left") return rules.plies_left(typed);
    if (name == "repetitions_after") return rules.repetitions_after(typed, check["move"]);
    if (name == "draw_after") {
      const auto found = rules.draw_after(typed, check["move"]);
      return found ? Json(*found) : Json();
    }
    if (name == "history") {
      Json found = Json::array();
      for (const draughts::Position& earlier : draughts::history(typed)) found.push_back(draughts::fen(earlier));
      return found;
    }
  }
  if (game == "liars-dice" && name == "truth") {
    const auto& rules = dynamic_cast<const liars_dice::LiarsDice&>(book);
    return rules.truth(view.get<liars_dice::View>(), check["count"], check["face"]);
  }
  if (game == "dice-wars") {
    const auto& rules = dynamic_cast<const dice_wars::DiceWars&>(book);
    if (name == "win") return dice_wars::win_probability(check["attacker"], check["defender"]);
    const auto typed = view.get<dice_wars::View>();
    if (name == "regions") return rules.regions(typed, check["player"]);
    if (name == "new_dice") return rules.new_dice(typed, check["player"]);
    if (name == "hold_probability") return rules.hold_probability(typed, check["area"], check["dice"], check["player"]);
    if (name == "attack") return without_map(rules.after_attack(typed, check["from"], check["to"], check["won"]));
    if (name == "transfer") return without_map(rules.after_transfer(typed, check["from"], check["to"]));
  }
  if (game == "connect-four" && name == "play") {
    const auto& rules = dynamic_cast<const connect_four::ConnectFour&>(book);
    return rules.play(view.get<connect_four::View>(), check["action"].get<connect_four::Action>());
  }
  throw std::runtime_error("there is no function for the call " + name + " of " + game);
}

static void run_file(const std::string& game) {
  std::map<std::string, std::shared_ptr<Rulebook>> books;
  int count = 0;
  std::ifstream file(vectors + "/" + game + ".jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json message = Json::parse(line);
    if (!message.contains("checks")) {
      books[message["game"]] = rulebook(game, message["rules"], message["setup"]);
      continue;
    }
    for (const Json& check : message["checks"]) {
      ++count;
      const std::string where = message["case"].get<std::string>() + " " + check.dump().substr(0, 120);
      try {
        Json found = call(game, *books.at(message["game"]), message["view"], check), expected = check["expect"];
        const std::string name = check["call"];
        if (name == "win" || name == "hold_probability" || name == "truth") {
          near(found, expected, 1e-12, where);
          continue;
        }
        if (game == "draughts" && (name == "legal" || name == "captures")) {
          std::sort(found.begin(), found.end());
          std::sort(expected.begin(), expected.end());
        }
        check_equal(found, expected, where);
      } catch (const std::exception& error) {
        check_equal(error.what(), "no exception", where);
      }
    }
  }
  if (count <= 30) check_equal(count, "more than 30 checks", vectors + "/" + game + ".jsonl");
  std::cout << game << ": " << count << " vectors" << std::endl;
}

// Each example is asked in every view of the vectors, with and without the list of legal actions.
static void run_example(const std::string& program, const std::string& game) {
  std::map<std::string, Json> games;
  std::vector<Json> sent{hello()}, expected;
  std::ifstream file(vectors + "/" + game + ".jsonl");
  for (std::string line; std::getline(file, line);) {
    const Json message = Json::parse(line);
    if (!message.contains("checks")) {
      games[message["game"]] = message;
      continue;
    }
    const Json& view = message["view"];
    if (view.is_null()) continue;
    Json legal;
    for (const Json& check : message["checks"]) {
      if (check["call"] == "legal") legal = check["expect"];
    }
    if (legal.empty()) continue;
    const Json& declared = games.at(message["game"]);
    std::string seat = "a";
    if (game == "dice-wars") seat = "player-" + view["to_move"].dump();
    if (view.contains("to_move") && view["to_move"].is_string()) seat = view["to_move"];
    const Json fields{{"rules", declared["rules"]}, {"setup", declared["setup"]},
                      {"you", Json::array({seat})}, {"seats", {"a", "b", "c"}}};
    const Json seen{{"view", view}, {"seat", seat}};
    sent.insert(sent.end(), {start(game, fields), turn(1, legal, seen), turn(2, nullptr, seen)});
    expected.push_back(legal);
    expected.push_back(legal);
  }
  const Done done = process(program, lines(sent));
  EQUAL(done.code, 0);
  std::size_t asked = 0;
  for (const Json& message : parsed_lines(done.out)) {
    if (message["type"] != "move") continue;
    const Json& legal = expected.at(asked++);
    CHECK(std::find(legal.begin(), legal.end(), message["action"]) != legal.end());
  }
  EQUAL(asked, expected.size());
  CHECK(asked > 40);
  std::cout << program << ", " << game << ": " << asked << " decisions" << std::endl;
}

static std::int64_t perft(const draughts::Draughts& rules, const draughts::Position& position, int depth) {
  const std::vector<draughts::Action> moves = rules.moves(position);
  if (depth == 1) return std::int64_t(moves.size());
  std::int64_t count = 0;
  for (const draughts::Action& move : moves) count += perft(rules, rules.play(position, move), depth - 1);
  return count;
}

static void test_games() {
  const draughts::Draughts english;
  const std::int64_t expected[] = {7, 49, 302, 1469, 7361};
  for (int depth = 1; depth <= 5; ++depth) EQUAL(perft(english, draughts::START, depth), expected[depth - 1]);
  EQUAL(draughts::fen(draughts::position_of_fen("B:W18,K10:BK5,1-4.")), "B:WK10,18:B1,2,3,4,K5");
  CHECK(draughts::captured("22x15x8") == std::vector<int>({18, 11}));
  CHECK(draughts::captured("11-15").empty());
  CHECK(!thrown([&] { english.play(draughts::START, "11-99"); }).empty());

  const liars_dice::LiarsDice dice(Json{{"players", 2}, {"dice", 1}});
  const auto view = Json::parse(R"({"cups":[[0,1,0,0,0,0],null],"bid":null,"bids":0,"lost":null})").get<liars_dice::View>();
  NEAR(dice.truth(view, 1, 2), 1.0, 1e-12);
  NEAR(dice.truth(view, 2, 2), 1.0 / 6, 1e-12);
  NEAR(dice.truth(view, 1, 3), 1.0 / 6, 1e-12);
  NEAR(dice.truth(view, 2, 3), 0.0, 1e-12);

  CHECK(!rulebook("bot", Json::object(), Json::object()));
  CHECK(!rulebook("chess", Json::object(), Json::object()));
  std::vector<std::vector<char>> columns(7, std::vector<char>(6, '.'));
  columns[0] = {'x', 'x', 'x', '.', '.', '.'};
  CHECK(!connect_four::wins_at(columns, 0, 2));

  Random random("dice");
  const dice_wars::DiceWars rules;
  dice_wars::View map;
  map.to_move = 1;
  map.owners = {1, 2};
  map.dice = {8, 1};
  map.adjacent = std::make_shared<const std::vector<std::vector<int>>>(std::vector<std::vector<int>>{{2}, {1}});
  map.reserves = {0, 70};
  map.regions = {1, 1};
  map.places = {std::nullopt, std::nullopt};
  CHECK(rules.attack_at_random(map, 1, 2, random).over == "conquest");
  EQUAL(rules.new_dice(map, 1), 1);
  EQUAL(rules.new_dice(map, 2), 64);
  NEAR(rules.hold_probability(map, 2, 1, 2), 1 - dice_wars::win_probability(8, 1), 1e-12);
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  vectors = argv[1];
  const std::string examples = std::string(argv[2]) + "/";
  test_games();
  for (const char* game : {"scotland-yard", "draughts", "dice-wars", "connect-four", "liars-dice"}) {
    run_file(game);
    run_example(examples + "legal", game);
  }
  run_example(examples + "detective", "scotland-yard");
  run_example(examples + "draughts_two_ply", "draughts");
  run_example(examples + "dice_wars_rule", "dice-wars");
  return finish("test_vectors");
}
