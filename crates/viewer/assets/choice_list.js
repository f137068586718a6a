// What can be picked as buttons. Many of them can be searched; where a game does not list its actions, the person
// types one.
import { html, say } from "./dom.js";

// From how many buttons on there is a search, and how many are shown at once.
const MANY = 40;
const SHOWN = 200;

export function choiceList(box) {
  // What is shown: it stays while it is offered, so that what a person types and focuses stays.
  let shown = "";
  const search = html("input", { type: "search", id: "search", autocomplete: "off", placeholder: "Search" });
  const field = html("input", { type: "text", id: "action", autocomplete: "off", spellcheck: "false" });

  function button({ key, name, act }) {
    const element = html("button", { type: "button", "data-pick": key }, name);
    element.addEventListener("click", act);
    return element;
  }

  function searched(entries) {
    const found = html("div", { class: "picks found" });
    const note = html("p", { class: "note", role: "status" });
    const filter = () => {
      const words = search.value.toLowerCase().split(/\s+/);
      const fitting = entries.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
      found.replaceChildren(...fitting.slice(0, SHOWN).map(button));
      const more = fitting.length > SHOWN ? `, the first ${SHOWN} shown` : "";
      say(note, `${fitting.length} of ${entries.length} moves${more}.`);
    };
    search.value = "";
    search.oninput = filter;
    filter();
    return [html("label", { class: "wide-field" }, "Search the moves ", search), note, found];
  }

  // Shows elements, unless they are shown already: `what` says what they are.
  function put(what, make) {
    if (what === shown) return;
    shown = what;
    box.replaceChildren(...make());
  }

  return {
    clear: () => put("", () => []),
    // Offers these entries, each with `key`, `name` and `act`, below an element for what was picked before, if any.
    offer(entries, before, again) {
      put(JSON.stringify([before, entries.map(({ key, name }) => [key, name])]), () => {
        const picked = before ? [html("p", { class: "note" }, before), button(again)] : [];
        return [...picked, ...(entries.length > MANY ? searched(entries) : entries.map(button))];
      });
    },
    // Asks for the action of a decision as text. `isText`: the game reads texts of people, and not JSON alone.
    ask(turn, isText, submit) {
      put(`turn ${turn}`, () => {
        const label = isText ? "Your move " : "Your move, as JSON ";
        const form = html("form", { class: "wide-field" }, html("label", {}, label, field), html("button", { type: "submit" }, "Play"));
        field.value = "";
        form.addEventListener("submit", (event) => {
          event.preventDefault();
          submit(field.value);
        });
        return [form];
      });
    },
  };
}
