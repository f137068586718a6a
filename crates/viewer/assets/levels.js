// The choice of the level of the bots that a person plays against.
import { html, show } from "./dom.js";

// Fills a box with the choice; hides it where the bots are fixed.
export function offerLevels(box, levels) {
  show(box, Boolean(levels));
  if (!levels) return;
  const { most, chosen } = levels;
  const options = Array.from({ length: most }, (_, at) => html("option", { value: at + 1 }, `Level ${at + 1}`));
  const select = html("select", {}, ...options, html("option", { value: 0 }, "The strongest bot"));
  select.value = String(chosen);
  box.replaceChildren(html("label", {}, "Opponent ", select));
}

// Returns the level that is chosen in a box, as a part of a command; nothing if there is no choice.
export function levelIn(box) {
  const select = box.querySelector("select");
  return select ? { level: Number(select.value) } : {};
}
