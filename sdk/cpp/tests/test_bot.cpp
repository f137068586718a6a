// Tests of the protocol loop.

#include "kit.hpp"

using namespace botyard;

struct First : Bot<> {
  IntOption depth{this, "depth", 3, 1, 9, "plies"};
  FloatOption c{this, "c", 1.4, 0.0, 10.0};
  EnumOption playouts{this, "playouts", "random", {"random", "greedy"}};
  BoolOption ponder{this, "ponder", false};
  TextOption book{this, "book-file", ""};

  First() {
    version = "2";
    author = "A. Student";
    games = {"any", "other"};
  }
  Json choose(Turn& turn) override { return turn.legal_actions().at(0); }
};

// A bot that plays every game and whose choice is a function.
template <class F>
struct Choosing : Bot<> {
  explicit Choosing(F function) : function(function) {}
  Json choose(Turn& turn) override { return function(turn); }
  F function;
};
template <class F>
Maker choosing(F function) {
  return [function] { return std::make_shared<Choosing<F>>(function); };
}

using AnyTypes = botyard::Turn<Json, Json>;

static void test_hello() {
  Json said = conversation(every_game<First>(), {hello(), quit(), hello()}).at(0);
  const Json options = said["options"];
  said.erase("options");
  EQUAL(said, Json::parse(R"({"type":"hello","protocol":1,"name":"first","version":"2","author":"A. Student",
                              "games":["any","other"]})"));
  EQUAL(options["depth"], Json::parse(R"({"kind":"int","min":1,"max":9,"default":3,"about":"plies"})"));
  EQUAL(options["c"], Json::parse(R"({"kind":"float","min":0.0,"max":10.0,"default":1.4})"));
  EQUAL(options["playouts"], Json::parse(R"({"kind":"enum","values":["random","greedy"],"default":"random"})"));
  EQUAL(options["ponder"], Json::parse(R"({"kind":"bool","default":false})"));
  EQUAL(options["book-file"], Json::parse(R"({"kind":"text","default":""})"));
  EQUAL(options["seed"]["default"], 0);
  EQUAL(options["seed"]["max"], 9007199254740992);
}

static void test_a_referee_that_says_the_least() {
  const auto said = conversation(every_game<First>(), {Json::parse(R"({"type":"hello"})"),
                                                       Json::parse(R"({"type":"start","game":"any"})"),
                                                       Json::parse(R"({"type":"turn","turn":1,"legal":[1]})")});
  EQUAL(said.size(), 3);
  EQUAL(said[2], Json::parse(R"({"type":"move","turn":1,"action":1})"));
  const auto more = conversation(every_game<First>(),
                                 {hello(), Json::parse(R"({"type":"weather","turn":3})"), start("any", {{"mood", 1}}),
                                  Json::parse(R"({"none":1})"), Json::parse(R"({"type":7})"), turn(1, {5}, {{"x", 1}})});
  EQUAL(more.size(), 3);
  EQUAL(more[2]["action"], 5);
  CHECK(contains(thrown([] {
    std::istringstream in("[1]\n");
    std::ostringstream out;
    serve(every_game<First>(), in, out);
  }), "expected a message of the referee"));
}

static void test_options() {
  std::vector<Json> seen;
  struct Watching : First {
    std::vector<Json>* seen = nullptr;
    void start(const Game&) override {
      seen->push_back(Json{depth.get(), c.get(), playouts.get(), ponder.get(), book.get()});
    }
  };
  Watching bot;
  bot.seen = &seen;
  const Json options{{"depth", 9}, {"c", 2}, {"playouts", "greedy"}, {"ponder", true}, {"book-file", "x"}};
  conversation(kept(bot), {start("any", {{"options", options}}), start()});
  EQUAL(seen, Json::parse(R"([[9,2.0,"greedy",true,"x"],[3,1.4,"random",false,""]])"));

  const std::vector<std::pair<std::string, std::string>> refused{
      {R"({"depht":3})", "there is no option depht; the options of this bot are: book-file, c, depth, playouts, ponder, seed"},
      {R"({"depth":0})", "option depth: expected an integer from 1 to 9, got 0"},
      {R"({"depth":2.5})", "got 2.5"},
      {R"({"depth":true})", "got true"},
      {R"({"c":"1"})", "a number from 0.0 to 10.0"},
      {R"({"playouts":"none"})", "one of random, greedy"},
      {R"({"ponder":1})", "true or false"},
      {R"({"book-file":[]})", "a text"},
      {R"({"seed":18446744073709551615})", "an integer from 0"},
  };
  for (const auto& [text, reason] : refused) {
    const Json values = Json::parse(text);
    const std::string said = thrown([&] { conversation(every_game<First>(), {start("any", {{"options", values}})}); });
    EQUAL(contains(said, reason) ? reason : said, reason);
  }
  Options none;
  CHECK(!thrown([&] { IntOption(&none, "x", 0, 1, 2); }).empty());
}

static void test_a_class_is_a_new_bot_for_every_game() {
  struct Counting : Bot<> {
    int asked = 0;
    Json choose(Turn&) override { return ++asked; }
  };
  std::vector<Json> two;
  for (int game = 0; game < 2; ++game) {
    for (const Json& message : {start(), turn(1), turn(3), end()}) two.push_back(message);
  }
  const auto actions = [&two](const Maker& make) {
    Json found = Json::array();
    for (const Json& message : conversation(make, two)) {
      if (message["type"] == "move") found.push_back(message["action"]);
    }
    return found;
  };
  EQUAL(actions(every_game<Counting>()), Json({1, 2, 1, 2}));
  Counting bot;
  EQUAL(actions(kept(bot)), Json({1, 2, 3, 4}));
}

static void test_several_seats() {
  Json seen = Json::array();
  const auto both = choosing([&seen](AnyTypes& turn) {
    seen.push_back(Json{turn.seat, turn.game.setup_of(turn.seat)["x"]});
    return Json(1);
  });
  const Json begin = Json::parse(R"({"you":["a","b"],"setup":{"x":1},"setups":{"b":{"x":2}}})");
  conversation(both, {start("any", begin), turn(1), turn(2, nullptr, {{"seat", "b"}})});
  EQUAL(seen, Json::parse(R"([["a",1],["b",2]])"));
}

static void test_the_end() {
  std::vector<Outcome> seen;
  struct Ending : First {
    std::vector<Outcome>* seen = nullptr;
    void end(const Outcome& outcome) override {
      seen->push_back(outcome);
      throw std::runtime_error("after the game");
    }
  };
  Ending bot;
  bot.seen = &seen;
  std::string errors;
  const auto said = conversation(kept(bot), {start(), end(), start(), turn(1, {2})}, &errors);
  EQUAL(said.back()["action"], 2);
  CHECK(seen.at(0).score("a") == 1.0 && seen[0].score("b") == 0.0 && !seen[0].score("c"));
  CHECK(seen[0].kind == "completed" && seen[0].reason == "won" && seen[0].ranks == std::vector<int>({1, 2}));
  CHECK(contains(errors, "std::runtime_error: after the game"));
}

static void test_what_ends_a_bot() {
  CHECK(contains(thrown([] { conversation(every_game<First>(), {turn(1, {1})}); }), "no game is in progress"));
  CHECK(contains(thrown([] { conversation(every_game<First>(), {start("chess")}); }), "asked to play 'chess'"));
  CHECK(contains(thrown([] {
    conversation(choosing([](AnyTypes&) { return Json(); }), {start(), turn(1, {1})});
  }), "returned null"));
}

static void test_errors_of_the_referee() {
  const Json error = Json::parse(
      R"({"type":"error","turn":3,"code":"illegal_action","message":"no","detail":{"got":"{}","legal_sample":[1]}})");
  std::string errors;
  conversation(every_game<First>(), {error, Json::parse(R"({"type":"error"})")}, &errors);
  CHECK(contains(errors, "first: error from the referee: turn 3: illegal_action: no\n  your line: {}\n"));
  CHECK(contains(errors, "legal would be, for example: [1]"));
}

static void test_log_and_info() {
  const auto talking = choosing([](AnyTypes& turn) {
    turn.log("two\nlines \xff");
    turn.info("score", 0.5).info("depth", 3).info("pv", {1, 2});
    turn.info("text", "got him").info("mine", Json{{"a", {1, 2}}});
    turn.draw({{"arrow", {11, 15}}, {"color", "red"}}).draw({{"point", "c3"}, {"text", "0.4"}});
    return Json(7);
  });
  const auto said = conversation(talking, {start(), turn(4, {7})});
  EQUAL(said[1], Json{{"type", "log"}, {"text", "two\nlines \xEF\xBF\xBD"}});
  EQUAL(said[2], Json::parse(R"({"type":"move","turn":4,"action":7,
      "info":{"score":0.5,"depth":3,"pv":[1,2],"text":"got him","mine":{"a":[1,2]},
              "draw":[{"arrow":[11,15],"color":"red"},{"point":"c3","text":"0.4"}]}})"));
}

static void test_info_never_costs_a_game() {
  const auto careless = choosing([](AnyTypes& turn) {
    Json deep = Json::array();
    for (int n = 0; n < 100; ++n) deep = Json::array({deep});
    turn.info("score", std::nan("")).info("nodes", std::uint64_t{1} << 60).info("deep", deep);
    turn.info("low", -(std::int64_t{1} << 60)).info("thing", Json{{"a", 1}, {"$serde", 2}}).info("text", "\xff");
    turn.log(std::string(100000, 'x'));
    return Json(1);
  });
  const auto said = conversation(careless, {hello(), start(), turn(1, {1})});
  const Json info = said.back()["info"];
  CHECK(info["score"].is_null());
  EQUAL(info["nodes"], "1152921504606846976");
  EQUAL(info["low"], "-1152921504606846976");
  EQUAL(info["thing"], Json{{"a", 1}});
  CHECK(info["deep"].dump().size() < 2000);
  const std::string log = said[said.size() - 2]["text"];
  CHECK(log.size() < 65536 && log.size() > 30000);

  std::string errors;
  const auto wordy = choosing([](AnyTypes& turn) {
    turn.info("text", std::string(70000, 'x'));
    return Json(1);
  });
  CHECK(!conversation(wordy, {start(), turn(1, {1})}, &errors).back().contains("info"));
  CHECK(contains(errors, "info left out"));
}

static void test_random_numbers_follow_from_game_and_decision() {
  const auto draw = [](int number, const Json& fields = Json::object()) {
    const auto drawing = choosing([](AnyTypes& turn) { return Json(turn.random().below(1000000000)); });
    return conversation(drawing, {start("any", fields), turn(number)}).back()["action"].get<std::uint64_t>();
  };
  CHECK(draw(1) == draw(1));
  const std::set<std::uint64_t> drawn{draw(1), draw(2), draw(1, {{"game_id", "8-1"}}),
                                      draw(1, {{"you", Json::array({"b"})}}), draw(1, {{"options", {{"seed", 4}}}})};
  EQUAL(drawn.size(), 5);
  Random random("x");
  std::vector<int> items{1, 2, 3, 4, 5}, counts(5);
  random.shuffle(items);
  for (int n = 0; n < 5000; ++n) ++counts[std::size_t(random.choice(items) - 1)];
  CHECK(*std::min_element(counts.begin(), counts.end()) > 850);
  for (int n = 0; n < 1000; ++n) CHECK(random.uniform() < 1.0);
  CHECK(!thrown([&] { random.choice(std::vector<int>{}); }).empty());
}

static void test_without_legal_actions() {
  CHECK(contains(thrown([] { conversation(every_game<First>(), {start(), turn(1)}); }), "--no-legal"));
  struct Four : connect_four::Bot {
    connect_four::Action choose(Turn& turn) override {
      CHECK(!turn.legal());
      return turn.legal_actions().back();
    }
  };
  Json view{{"columns", Json::array()}, {"discs", 0}};
  for (int n = 0; n < 7; ++n) view["columns"].push_back(Json({".", ".", ".", ".", ".", "."}));
  const auto said = conversation(every_game<Four>(), {start("connect-four"), turn(1, nullptr, {{"view", view}})});
  EQUAL(said.back()["action"], Json{{"column", 7}});
}

static void test_answer_on_error() {
  struct Failing : First {
    Failing() { answer_on_error = true; }
    void start(const Game&) override { throw std::out_of_range("tables"); }
    Json choose(Turn& turn) override {
      if (turn.number == 1) throw std::logic_error("nothing");
      if (turn.number == 2) return nullptr;
      if (turn.number == 5) throw 5;
      return Json{{"to", turn.number == 3 ? 9 : 1}};
    }
  };
  const Json legal = Json::parse(R"([{"to":1}])");
  std::string errors;
  const auto said = conversation(every_game<Failing>(),
                                 {start(), turn(1, legal), turn(2, legal), turn(3, legal), turn(4, legal), turn(5, legal)},
                                 &errors);
  EQUAL(said.size(), 6);
  for (std::size_t n = 1; n < said.size(); ++n) EQUAL(said[n]["action"], legal[0]);
  for (const char* part : {"std::out_of_range: tables", "std::logic_error: nothing", "returned null",
                           "{\"to\":9}, which is not a legal action", "an exception of type int"}) {
    EQUAL(contains(errors, part) ? part : errors, part);
  }
  CHECK(!contains(errors, "turn 4"));
}

static Clock clock_of(const std::string& kind, const Json& move, const Json& bank, int increment = 0, double ago = 0) {
  Reading began = Reading::now();
  began.wall -= ago;
  if (kind == "cpu") began.cpu -= ago;
  return Clock(Json{{"kind", kind}, {"move_ms", move}, {"bank_ms", bank}, {"increment_ms", increment}}, began);
}

static void test_clocks() {
  const Json none;
  // Cap, bank, increment, decisions expected: milliseconds, as in the Rust kit.
  struct Case {
    Json move, bank;
    int increment, decisions;
    double expected;
  };
  const std::vector<Case> cases{
      {1000, none, 0, 1, 950},      {1000, none, 500, 30, 950},     {120, none, 0, 1, 100},
      {4, none, 0, 1, 2},           {none, 60000, 0, 30, 1950},     {none, 60000, 1000, 30, 2950},
      {none, 90, 1000, 30, 75},     {none, 60000, 0, 0, 59950},     {1500, 60000, 0, 30, 1450},
      {1500, 900, 0, 30, 20},       {1500, 0, 0, 30, 0},
  };
  for (const Case& one : cases) {
    NEAR(clock_of("wall", one.move, one.bank, one.increment).share(one.decisions), one.expected / 1000, 1e-9);
  }
  NEAR(clock_of("cpu", 120, none).share(), 0.110, 1e-9);
  NEAR(clock_of("cpu", none, 60000).share(30), 1.975, 1e-9);
  NEAR(clock_of("wall", none, none).share(30), INFINITE, 0);

  // Seconds of difference are left to a busy machine.
  NEAR(clock_of("wall", 1000000, 5000000, 0, 250).left(), 750, 10);
  NEAR(clock_of("wall", 5000000, 1000000, 0, 2000).left(), -1000, 10);
  NEAR(clock_of("later", 1000000, none, 0, 500).left(), 500, 10);
  NEAR(clock_of("wall", none, none).left(), INFINITE, 0);

  const Clock cpu = clock_of("cpu", 1000, none);
  usleep(200000);
  CHECK(cpu.left() > 0.9);
  // The wall-clock limit: five times the CPU time, and 250 ms.
  Reading late = Reading::now();
  late.wall -= 450;
  NEAR(Clock(Json{{"kind", "cpu"}, {"move_ms", 100000}}, late).left(), 50.25, 10);

  double left = 0, share = 0;
  Session session(choosing([&](AnyTypes& turn) {
                    left = turn.time_left();
                    share = turn.time_share();
                    return Json(1);
                  }),
                  [](const std::string&) {});
  const auto ask = [&session](int number, double ago) {
    Reading began = Reading::now();
    began.wall -= ago;
    session.handle(turn(number, {1}, {{"clock", {{"move_ms", 1000000}}}}).dump(), began);
  };
  session.handle(start().dump());
  ask(1, 500);
  NEAR(left, 500, 10);
  NEAR(share, 499.95, 10);
  CHECK(share < left);
  ask(1, 0);  // Another try: the clock has been running since the first.
  NEAR(left, 500, 10);
  ask(2, 0);
  NEAR(left, 1000, 10);
  ask(2, 700);
  NEAR(left, 1000, 10);
  session.handle(start().dump());
  ask(2, 700);
  NEAR(left, 300, 10);
}

int main() {
  test_hello();
  test_a_referee_that_says_the_least();
  test_options();
  test_a_class_is_a_new_bot_for_every_game();
  test_several_seats();
  test_the_end();
  test_what_ends_a_bot();
  test_errors_of_the_referee();
  test_log_and_info();
  test_info_never_costs_a_game();
  test_random_numbers_follow_from_game_and_decision();
  test_without_legal_actions();
  test_answer_on_error();
  test_clocks();
  return finish("test_bot");
}
