/* Plays a conversation from lines.ndjson. Its answers, its prints and its checks are compared with files by `../test`. */
#include "botyard.h"

#include <assert.h>

static by_json json(const char *text) {
  by_json value = {text, strlen(text)};
  return value;
}

/* JSON of all kinds; the referee's is valid, and a cut-off line must not be read beyond its end. */
static void parts(void) {
  by_json object = json("{\"a\": -1.5e1, \"b\" : {\"a\":[1,\"]\\\"\"]} ,\"c\":null,\"d\":\"x\\\"}\",\"null\":\"null\"}");
  char text[8];
  assert(by_number(by_get(object, "a"), 0) == -15);
  assert(by_is(by_get(by_get(object, "b"), "a"), "[1,\"]\\\"\"]"));
  assert(!by_get(object, "c").length && !by_get(object, "e").length && !by_get(by_get(object, "a"), "b").length);
  assert(by_is(by_get(object, "d"), "x\\\"}") && by_is(by_get(object, "null"), "null"));
  assert(by_number(by_get(object, "d"), 7) == 7);
  assert(!strcmp(by_string(by_get(object, "null"), text, sizeof text), "null"));
  assert(!strcmp(by_string(json("\"a long text\""), text, sizeof text), "a long "));
  assert(!strcmp(by_string(by_get(object, "c"), text, sizeof text), ""));
  assert(!by_next(json("[]"), by_get(object, "c")).length && !by_next(json("{ }"), by_get(object, "c")).length);
  by_json element = {NULL, 0}, array = json("[ 1 , [2,3],\"4,5\" ,{\"a\":6}]");
  const char *expected[] = {"1", "[2,3]", "4,5", "{\"a\":6}"};
  size_t count = 0;
  while ((element = by_next(array, element)).length) assert(by_is(element, expected[count++]));
  assert(count == 4);
  for (size_t length = 0; length < object.length; length++) {
    /* A copy of exactly this length, for AddressSanitizer. */
    char *copy = malloc(length ? length : 1);
    by_json cut = {memcpy(copy, object.at, length), length};
    by_get(cut, "z");
    by_next(cut, by_get(cut, "b"));
    free(copy);
  }
}

static by_json choose(by_bot *bot) {
  by_json none = {NULL, 0};
  printf("%.0f ms\n", by_time(bot));
  return by_next(by_get(bot->message, "legal"), none);
}

int main(void) {
  parts();
  printf("before the kit: "); /* still in the buffer */
  return by_play("{\"type\":\"hello\",\"protocol\":1,\"name\":\"test\"}", NULL, choose);
}
