// A bot as a program: its streams, its exit code, and recorded games. The argument is the program of behaves.cpp.

#include "kit.hpp"

static std::string program;

static Done play(const std::string& what, const std::vector<Json>& more = {quit()}) {
  std::vector<Json> messages{hello(), start(), turn(1, {1})};
  messages.insert(messages.end(), more.begin(), more.end());
  return process(program + " " + what, lines(messages));
}

static std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

static void test_stray_output_goes_to_standard_error() {
  for (const auto& [what, text, warned] : std::vector<std::tuple<std::string, std::string, bool>>{
           {"cout", "stray\nagain\n", true},
           {"printf", "stray\n", false},
           {"write", "stray\n", false},
           {"child", "stray\n", false},
       }) {
    const Done done = play(what);
    EQUAL(done.code, 0);
    const auto said = parsed_lines(done.out);
    EQUAL(said.size(), 3);
    CHECK(contains(done.err, text));
    EQUAL(count(done.err, "standard output belongs to the protocol"), warned ? 1 : 0);
  }
  const Done early = process(program + " early", lines({hello(), quit()}));
  EQUAL(parsed_lines(early.out).size(), 1);
  EQUAL(count(early.err, "loading"), 2);
}

static void test_nothing_else_reads_the_protocol() {
  for (const char* what : {"reads", "cin"}) {
    const Done done = play(what, {turn(2, {1}), quit()});
    EQUAL(parsed_lines(done.out).size(), 4);
    EQUAL(done.code, 0);
  }
}

static void test_threads_log_whole_lines() { EQUAL(parsed_lines(play("threads").out).size(), 7); }

static void test_exit_codes() {
  const Done thrown = play("throws");
  EQUAL(thrown.code, 1);
  CHECK(contains(thrown.err, "behaves: turn 1: choose() failed: std::runtime_error: lost"));
  EQUAL(play("", {}).code, 0);
  const Done option = process(program, lines({hello(), start("any", {{"options", {{"depth", 1}}}})}));
  EQUAL(option.code, 1);
  CHECK(contains(option.err, "botyard: there is no option depth; the options of this bot are: fails_at, seed\n"));
  // The reader is gone: the bot exits without a message.
  const Done closed = process("( cat; sleep 0.3; echo '{\"type\":\"hello\"}' ) | ( " + program +
                                  "; echo $? >&2 ) | head -n 1",
                              lines({hello()}));
  EQUAL(closed.err, "0\n");
}

static void test_answers_are_flushed_one_by_one() {
  // Each message is sent when the answer to the one before it has arrived.
  const std::string script =
      "d=$(mktemp -d); mkfifo $d/in $d/out; " + program +
      " <$d/in >$d/out & exec 3>$d/in 4<$d/out; "
      "while read -r line; do echo \"$line\" >&3; timeout 5 head -n 1 <&4; done; exec 3>&-; rm -r $d; wait";
  const Done done = process(script, lines({hello(), start(), turn(1, {1})}));
  EQUAL(parsed_lines(done.out).size(), 3);
}

static void test_replays() {
  char place[] = "/tmp/botyard-kit-XXXXXX";
  if (mkdtemp(place) == nullptr) std::abort();
  const std::string base = std::string(place) + "/";
  write_file(base + "lines.ndjson", lines({hello(), start("any", {{"options", {{"seed", 3}}}}),
                                           turn(1, {1, 2}, {{"view", {{"n", 1}}}}), turn(3, {1, 2}), end(), quit()}));
  write_file(base + "game.ndjson", R"({"type":"header","game_id":"7-1"}
{"type":"chance","turn":0,"outcome":{}}
{"type":"move","turn":1,"seat":"a","action":1}
{"type":"move","turn":2,"seat":"b","action":5}
{"type":"move","turn":3,"seat":"a","action":2}
)");
  process("gzip -k " + base + "game.ndjson");
  // A stand-in for botyard.
  write_file(base + "botyard", "#!/bin/sh\n[ \"$1 $2 $4 $5\" = 'replay stdin --seat a' ] && cat " + base + "lines.ndjson\n");
  process("chmod +x " + base + "botyard");
  const std::string replay = program + " prints --replay " + base;

  for (const char* name : {"game.ndjson", "game.ndjson.gz"}) {
    const Done done = process("BOTYARD=" + base + "botyard " + replay + name + " --seat a");
    EQUAL(done.code, 0);
    for (const char* part :
         {"thinking about 1 {\"n\":1} 3\n", "  log: hm\n", "turn 1: 1  as recorded  (0.0", "turn 3: 1  recorded: 2",
          "  info: {\"score\":0.5}\n", "2 decisions, 1 differ from the record\n"}) {
      EQUAL(contains(done.out, part) ? part : done.out + done.err, part);
    }
  }
  const Done named = process(replay + "game.ndjson --seat=a --botyard " + base + "botyard");
  CHECK(contains(named.out, "2 decisions, 1 differ"));
  const Done one = process(replay + "lines.ndjson --turn 3 --option seed=8");
  CHECK(contains(one.out, "thinking about 3 {} 8") && !contains(one.out, "about 1") && contains(one.out, "1 decisions\n"));
  const Done missing = process(replay + "lines.ndjson --turn 2");
  EQUAL(missing.code, 1);
  CHECK(contains(missing.err, "there is no decision 2 of this seat: its first is "));
  const Done failing = process(replay + "lines.ndjson --option fails_at=3");
  EQUAL(failing.code, 1);
  CHECK(contains(failing.err, "turn 3: choose() failed: std::runtime_error: lost"));
  const Done unknown = process("unset BOTYARD; PATH=/nowhere " + replay + "game.ndjson --seat a");
  EQUAL(unknown.code, 1);
  CHECK(contains(unknown.err, "--botyard PATH"));
  process("rm -r " + base);
}

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  program = argv[1];
  test_stray_output_goes_to_standard_error();
  test_nothing_else_reads_the_protocol();
  test_threads_log_whole_lines();
  test_exit_codes();
  test_answers_are_flushed_one_by_one();
  test_replays();
  return finish("test_processes");
}
