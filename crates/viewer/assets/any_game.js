// A game that the page does not know: the drawing that its program makes, and its views and events in words.
import { html, say, show, visible } from "./dom.js";
import { chosenBy, seatName } from "./record.js";
import { labelsIn, programDrawing } from "./program_drawing.js";
import { canonical, elementsOf, inWords } from "./values.js";

export function drawAnyGame(game) {
  const isDrawn = game.drawings.some((drawing) => Array.isArray(drawing));
  const drawing = isDrawn ? programDrawing(`The position of ${visible(game.data.game, 60)}`) : null;
  const isUnknown = game.views.every((view) => view === null);
  const note = html("p", { class: "note" });
  const fields = html("div", { class: "view" });
  const text = isDrawn ? html("details", { class: "in-words" }, html("summary", {}, "The position in words"), fields) : fields;

  // Why there is no drawing of a position.
  function reason(index) {
    if (isUnknown) return "This program does not have the rules of this game. The page shows the lines of the file, which were not checked.";
    const error = game.drawings[index]?.error;
    if (error) return `The drawing of this position is not shown: ${visible(error, 400)}.`;
    return isDrawn ? "There is no drawing of this position." : "";
  }

  let shown = 0;

  function draw(index) {
    shown = index;
    const tree = game.drawings[index];
    const hasDrawing = isDrawn && Array.isArray(tree);
    if (hasDrawing) drawing.show(tree);
    if (isDrawn) show(drawing.element, hasDrawing);
    const why = hasDrawing ? "" : reason(index);
    say(note, why);
    show(note, why !== "");
    if (isDrawn && !hasDrawing) text.open = true;
    const values = game.events[index].filter((event) => "value" in event).map((event) => event.value);
    fields.replaceChildren(elementsOf(game.views[index] ?? values));
  }

  let spots = null;

  // A place is an element that stands for an action, before the decision or after it: the action, its words or its name.
  function spot(place, index) {
    if (!isDrawn || !Array.isArray(game.drawings[index])) return null;
    if (spots?.index !== index) {
      const before = game.drawings[index - 1];
      if (Array.isArray(before)) drawing.show(before);
      const found = Array.isArray(before) ? drawing.spots() : new Map();
      drawing.show(game.drawings[index]);
      spots = { index, found: new Map([...drawing.spots(), ...found]) };
    }
    return spots.found.get(canonical(place)) ?? spots.found.get(inWords(place)) ?? null;
  }

  // The position before each event. One that is not of the game, such as a hint, is about what is shown.
  const before = new Map(game.events.flatMap((events, index) => events.map((event) => [event, index - 1])));
  const labels = (index) => labelsIn(game.drawings[index]);

  function its(event) {
    const label = labels(before.get(event) ?? shown).get(canonical(event.value));
    return `${seatName(game, event.s)}: ${label ?? inWords(event.value)}`;
  }

  return {
    element: isDrawn ? drawing.element : html("div", { class: "any" }, note, fields),
    side: isDrawn ? [note, text] : [],
    draw,
    describe: (event) => (event.k === "chance" ? `Drawn: ${inWords(event.value)}.` : `${its(event)}${chosenBy(event)}.`),
    label: its,
    list: "single",
    spot,
    labels: () => labels(shown),
    offer: drawing?.offer,
  };
}
