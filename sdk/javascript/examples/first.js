// A first bot: any game, any legal action. Needs Node 18 or later and nothing else.
const say = (answer) => console.log(JSON.stringify(answer));
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  switch (message.type) {
    case "hello": return say({ type: "hello", protocol: 1, name: "first", games: [] });
    case "start": return say({ type: "ready" });
    case "turn":
      if (!message.legal) { console.error("first.js needs the legal actions: play without --no-legal"); process.exit(1); }
      return say({ type: "move", turn: message.turn, action: message.legal[Math.floor(Math.random() * message.legal.length)] });
    case "quit": process.exit(0);
  }
});
