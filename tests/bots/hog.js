// A bot that takes memory at its first question until there is none, for tests.
const held = [];
require("readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { type } = JSON.parse(line);
  if (type === "hello") console.log('{"type":"hello","protocol":1,"name":"hog","games":[]}');
  if (type === "start") console.log('{"type":"ready"}');
  if (type === "turn") for (;;) held.push(new Array(100000).fill(held.length));
});
