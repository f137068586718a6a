/* The C kit of Botyard: one header, C99 and POSIX, no library. It reads the referee's messages and writes answers; the
   engine's own prints on stdout go to stderr. Include it before every other header. See README.md. */
#ifndef BOTYARD_H
#define BOTYARD_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* dup, dup2, fdopen, with -std=c99 */
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A piece of JSON within a line: valid until the next line is read. `length` 0: there is none. */
typedef struct { const char *at; size_t length; } by_json;

typedef struct {
  FILE *out;             /* the referee; stdout is a copy of stderr */
  char *line;            /* the message, as it came */
  size_t size;
  by_json message, turn; /* the same as JSON, and the number of the decision in it */
} by_bot;

/* Takes standard output for the referee. Call it first of all. Returns 0 if it fails. */
static inline int by_open(by_bot *bot) {
  memset(bot, 0, sizeof *bot);
  int referee = dup(1);
  bot->out = referee < 0 || dup2(2, 1) < 0 ? NULL : fdopen(referee, "w");
  fflush(stdout); /* what was printed before, and is still in the buffer */
  return bot->out != NULL;
}

/* Returns the end of the value at `p`, or `end` if it is cut off. */
static inline const char *by_skip(const char *p, const char *end) {
  int depth = 0;
  while (p < end) {
    char c = *p++;
    if (c == '"') {
      while (p < end && *p != '"') p += *p == '\\' && p + 1 < end ? 2 : 1;
      if (p < end) p++;
    } else if (c == '{' || c == '[') depth++;
    else if (c == '}' || c == ']') depth--;
    else if (!depth) /* a number or a word */
      while (p < end && !strchr(",:]} \t\r\n", *p)) p++;
    if (depth <= 0) return p;
  }
  return end;
}

static inline const char *by_space(const char *p, const char *end) {
  while (p < end && strchr(" \t\r\n,:", *p)) p++;
  return p;
}

/* Returns the element of an array after `last`, first with {NULL, 0}: for loops over the legal actions. */
static inline by_json by_next(by_json array, by_json last) {
  by_json none = {NULL, 0}, found;
  const char *end = array.at + array.length;
  if (!array.length || (*array.at != '[' && *array.at != '{')) return none;
  found.at = by_space(last.at ? last.at + last.length : array.at + 1, end);
  if (found.at >= end || *found.at == ']' || *found.at == '}') return none;
  found.length = (size_t)(by_skip(found.at, end) - found.at);
  return found;
}

/* Returns whether a value is this text; of a string, with its quotes left out. */
static inline int by_is(by_json value, const char *text) {
  size_t quotes = value.length > 1 && *value.at == '"';
  return value.length == strlen(text) + 2 * quotes && !memcmp(value.at + quotes, text, strlen(text));
}

/* Returns a field of an object. A field of a field: by_get(by_get(bot->message, "view"), "fen"). */
static inline by_json by_get(by_json object, const char *name) {
  by_json none = {NULL, 0}, at = none;
  if (!object.length || *object.at != '{') return none;
  while ((at = by_next(object, at)).length) { /* a name, then its value */
    int found = by_is(at, name);
    at = by_next(object, at);
    if (found || !at.length) return by_is(at, "null") && *at.at == 'n' ? none : at;
  }
  return none;
}

/* Returns a number; `otherwise` if there is none. */
static inline double by_number(by_json value, double otherwise) {
  char digits[32], *end;
  if (!value.length || value.length >= sizeof digits) return otherwise;
  memcpy(digits, value.at, value.length);
  digits[value.length] = 0;
  double number = strtod(digits, &end);
  return end == digits ? otherwise : number;
}

/* Copies a string without its quotes, cut to `size` bytes with the zero. Escapes stay as they are: the strings of the
   games have none. Returns `text`. */
static inline const char *by_string(by_json value, char *text, size_t size) {
  size_t quotes = value.length > 1 && *value.at == '"', length = value.length - 2 * quotes;
  if (length >= size) length = size - 1;
  if (length) memcpy(text, value.at + quotes, length);
  text[length] = 0;
  return text;
}

/* Reads the next message. Returns 0 at the end of the input. */
static inline int by_read(by_bot *bot) {
  size_t length = 0;
  for (int c; (c = getchar()) != EOF && c != '\n'; bot->line[length++] = (char)c) {
    if (length + 2 > bot->size) {
      char *line = (char *)realloc(bot->line, bot->size = bot->size * 2 + 4096);
      if (!line) return 0;
      bot->line = line;
    }
  }
  if (bot->line) bot->line[length] = 0;
  bot->message.at = bot->line;
  bot->message.length = length;
  bot->turn = by_get(bot->message, "turn");
  return length > 0;
}

/* Writes a line to the referee: a message of the protocol. Prints of the engine come out too. */
static inline void by_write(by_bot *bot, const char *message) {
  fprintf(bot->out, "%s\n", message);
  fflush(bot->out);
  fflush(stdout);
}

/* Answers a `turn` with an action, and `info`, an object in JSON or NULL. */
static inline void by_move(by_bot *bot, by_json action, const char *info) {
  fprintf(bot->out, "{\"type\":\"move\",\"turn\":%.*s,\"action\":%.*s%s%s}\n", (int)bot->turn.length, bot->turn.at,
          (int)action.length, action.at, info ? ",\"info\":" : "", info ? info : "");
  fflush(bot->out);
  fflush(stdout);
}

/* Returns the milliseconds that a `turn` leaves: the lesser of the limit and the bank; -1 without a limit. */
static inline double by_time(by_bot *bot) {
  by_json clock = by_get(bot->message, "clock");
  double move = by_number(by_get(clock, "move_ms"), -1), bank = by_number(by_get(clock, "bank_ms"), -1);
  return move < 0 || (bank >= 0 && bank < move) ? bank : move;
}

/* Plays until the referee says `quit`. `hello` is the answer to the greeting; `choose` returns an action for a `turn`;
   `start` is called with the message that begins a game, or NULL. The result is for `main`. */
static inline int by_play(const char *hello, void (*start)(by_bot *), by_json (*choose)(by_bot *)) {
  by_bot bot;
  int failed = !by_open(&bot);
  while (!failed && by_read(&bot)) {
    by_json type = by_get(bot.message, "type");
    if (by_is(type, "quit")) break;
    if (by_is(type, "hello")) by_write(&bot, hello);
    else if (by_is(type, "start")) {
      if (start) start(&bot);
      by_write(&bot, "{\"type\":\"ready\"}");
    } else if (by_is(type, "turn")) {
      by_json action = choose(&bot);
      failed = !action.length; /* `choose` has said why, on stderr */
      if (!failed) by_move(&bot, action, NULL);
    } else if (by_is(type, "error")) fprintf(stderr, "%s\n", bot.line);
  }
  free(bot.line);
  return failed;
}

#endif
