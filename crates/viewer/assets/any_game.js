// A game without a drawing: its view and its events as text.
import { html, say } from "./dom.js";
import { chosenBy, seatName } from "./record.js";

export function drawAnyGame(game) {
  const text = html("pre", { class: "view", tabindex: "0", "aria-label": "The position as JSON" });
  const unknown = game.views.every((view) => view === null);
  const note = unknown
    ? "This program does not have the rules of this game. The page shows the lines of the file, which were not checked."
    : "There is no drawing for this game. The page shows its views.";
  const element = html("div", {}, html("p", { class: "note" }, note), text);

  function draw(index) {
    const values = game.events[index].filter((event) => "value" in event).map((event) => event.value);
    say(text, JSON.stringify(game.views[index] ?? values, null, 2));
  }

  function describe(event) {
    if (event.k === "chance") return `Drawn: ${JSON.stringify(event.value)}.`;
    return `${seatName(game, event.s)}: ${JSON.stringify(event.value)}${chosenBy(event)}.`;
  }

  return { element, side: [], draw, describe, label: (event) => `${seatName(game, event.s)}: ${JSON.stringify(event.value)}`, list: "single" };
}
