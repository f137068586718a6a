// A graph over the decisions of the game, which also goes to them: by a click, and by the keys of a
// slider while it has the focus (the keys of the page move it).
import { set, svg } from "./dom.js";

const WIDTH = 1000;
const MARGIN = 8;

// Where a decision is on a graph of decisions up to the last one.
export function across(index, last) {
  return (index / Math.max(last, 1)) * WIDTH;
}

// The same as a share of the width with its margins, in per cent.
export function percentAcross(index, last) {
  return ((across(index, last) + MARGIN) / (WIDTH + 2 * MARGIN)) * 100;
}

// Makes a graph: its name as classes, its height and the height of its axis, its elements, a text for
// each decision, and what goes to a decision.
export function graph({ name, height, axis, last, elements, textAt, go, label }) {
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
  const element = svg("svg", {
    viewBox: `${-MARGIN} 0 ${WIDTH + 2 * MARGIN} ${height}`, class: name, role: "slider", tabindex: "0", "aria-label": label,
    "aria-valuemin": 0, "aria-valuemax": last, "aria-valuenow": 0, preserveAspectRatio: "none",
  }, svg("line", { class: "axis", x1: 0, x2: WIDTH, y1: axis, y2: axis }), ...elements, cursor);
  element.addEventListener("click", (event) => {
    const box = element.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * (WIDTH + 2 * MARGIN) - MARGIN;
    go(Math.round((share / WIDTH) * last));
  });
  return {
    element,
    draw(index) {
      const x = across(index, last).toFixed(1);
      set(cursor, "x1", x);
      set(cursor, "x2", x);
      set(element, "aria-valuenow", index);
      set(element, "aria-valuetext", textAt(index));
    },
  };
}
