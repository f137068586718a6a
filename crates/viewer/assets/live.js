// A running game: positions come from the server as events, and are added to the page.
import { clock } from "./dom.js";
import { add, connection, live, positionsSoFar } from "./player.js";

const AGAIN_MS = 1000;

// Connects to the server, and again whenever the connection is lost: it sends what the page lacks.
function follow() {
  const { events, id } = live();
  // The last position may have changed.
  const source = new EventSource(`${events}?from=${Math.max(positionsSoFar() - 1, 0)}`);
  const finish = (text) => {
    source.close();
    connection(text, false);
  };
  source.addEventListener("hello", (event) => {
    // Another game, or another perspective: the page is not its own any more.
    if (event.data !== id) {
      source.close();
      location.reload();
      return;
    }
    connection("Live.", true);
  });
  source.addEventListener("positions", (event) => add(JSON.parse(event.data)));
  // When the last line was written, if that is long ago; 0 once there is a new one.
  source.addEventListener("silence", (event) => {
    const since = Number(event.data);
    const silent = `No sign of life since ${clock(since)}: the game was interrupted, or a player takes long.`;
    connection(since > 0 ? silent : "Live.", true);
  });
  source.addEventListener("end", () => finish(""));
  source.addEventListener("problem", (event) => finish(`The game cannot be followed further: ${event.data}`));
  source.addEventListener("bye", () => finish("The server has ended."));
  source.addEventListener("error", () => {
    source.close();
    connection("The connection is lost; trying again.", true);
    setTimeout(follow, AGAIN_MS);
  });
}

if (live()) follow();
