// A bot that does in its choice what its argument says: for test_processes.cpp.

#include <thread>

#include "botyard/botyard.hpp"

static std::string what;

struct Behaves : botyard::Bot<> {
  botyard::IntOption fails_at{this, "fails_at", 0, 0, 9};

  Json choose(Turn& turn) override {
    if (what == "cout") std::cout << "stray" << std::endl << "again" << std::endl;
    if (what == "printf") std::printf("stray\n");
    if (what == "write" && write(1, "stray\n", 6) != 6) throw std::runtime_error("write");
    if (what == "child" && std::system("echo stray") != 0) throw std::runtime_error("child");
    if (what == "reads" && std::system("cat") != 0) throw std::runtime_error("child");
    if (what == "cin") {
      std::string word;
      if (std::cin >> word) throw std::runtime_error("std::cin has read " + word);
    }
    if (what == "threads") {
      std::vector<std::thread> threads;
      for (int n = 0; n < 4; ++n) threads.emplace_back([&turn] { turn.log("from a thread"); });
      for (std::thread& thread : threads) thread.join();
    }
    if (what == "throws" || turn.number == fails_at.get()) throw std::runtime_error("lost");
    if (what == "prints") std::cout << "thinking about " << turn.number << " " << turn.view << " " << seed.get() << std::endl;
    if (what == "prints") turn.log("hm");
    if (what == "prints") turn.info("score", 0.5);
    return 1;
  }
};

int main(int argc, char** argv) {
  what = argc > 1 ? argv[1] : "";
  if (what == "early") std::cout << "loading\n";
  if (what == "early") std::printf("loading\n");
  return botyard::main<Behaves>(argc, argv);
}
