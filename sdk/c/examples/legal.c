/* Plays Connect Four and draughts: a capture that takes the most pieces, or else any of the legal actions. */
#include "botyard.h"

static unsigned long seed;

/* A game that is repeated has the same id, and is played the same way. */
static void start(by_bot *bot) {
  by_json id = by_get(bot->message, "game_id");
  for (size_t i = seed = 0; i < id.length; i++) seed = seed * 31 + (unsigned char)id.at[i];
}

static unsigned long draw(unsigned long below) {
  seed = seed * 1103515245UL + 12345UL;
  return (seed >> 16) % 32768 % below;
}

/* The number of pieces that a move of draughts takes: one `x` for each. */
static size_t captured(by_json action) {
  size_t count = 0;
  for (size_t i = 0; i < action.length; i++) count += action.at[i] == 'x';
  return count;
}

static by_json choose(by_bot *bot) {
  by_json legal = by_get(bot->message, "legal"), action = {NULL, 0}, best = action;
  unsigned long equal = 0;
  size_t most = 0;
  if (!legal.length) fprintf(stderr, "legal needs the legal actions: play without --no-legal\n");
  while ((action = by_next(legal, action)).length) {
    size_t count = captured(action);
    if (!best.length || count > most) equal = 0, most = count, best = action;
    /* Each of the equally good actions is kept with the same probability. */
    if (count == most && draw(++equal) == 0) best = action;
  }
  /* An engine may print what it likes: it goes to stderr. */
  printf("turn %.*s: %.*s, %.0f ms\n", (int)bot->turn.length, bot->turn.at, (int)best.length, best.at, by_time(bot));
  return best;
}

int main(void) {
  return by_play("{\"type\":\"hello\",\"protocol\":1,\"name\":\"legal\",\"games\":[\"connect-four\",\"draughts\"]}",
                 start, choose);
}
