// The bots' estimates of the game that a person plays: for each bot its last one as a bar, and all of
// them as a graph. An estimate is a list of the number of a decision, its seat, the winning chance of
// the seat from 0 to 1, and the score that the bot reported.
import { html, svg, visible } from "./dom.js";
import { across } from "./graph.js";

const HEIGHT = 100;

function inPercent(chance) {
  return `${Math.round(chance * 100)}%`;
}

// Makes the elements, of the estimates up to a decision. `players` has the seats with their players.
export function estimateElements(players, estimates, turn) {
  const bots = players.map(({ seat, player }, index) => ({
    name: `${visible(player, 60)} (${visible(seat, 60)})`,
    classes: `seat-${(index % 8) + 1}`,
    said: estimates.filter(([at, of]) => of === seat && at <= turn),
  })).filter(({ said }) => said.length > 0);
  if (bots.length === 0) return [html("p", { class: "note" }, "No bot has reported an estimate yet.")];
  return [...bots.flatMap(bar), chart(bots, Math.max(turn, 1))];
}

function bar({ name, classes, said }) {
  const [turn, , chance, score] = said.at(-1);
  const words = `winning chance ${inPercent(chance)}`;
  const text = html("p", {}, html("span", { class: `swatch ${classes}` }), html("bdi", {}, name), `: ${words} `,
    html("span", { class: "note" }, `(score ${score.toFixed(2)}, decision ${turn})`));
  const meter = svg("svg", {
    viewBox: "0 0 100 10", preserveAspectRatio: "none", class: "meter", role: "meter", "aria-label": `Winning chance of ${name}`,
    "aria-valuemin": 0, "aria-valuemax": 100, "aria-valuenow": Math.round(chance * 100), "aria-valuetext": words,
  }, svg("rect", { class: "reached", width: (chance * 100).toFixed(1), height: 10 }), svg("line", { class: "axis", x1: 50, x2: 50, y1: 0, y2: 10 }));
  return [text, meter];
}

function chart(bots, last) {
  const lines = bots.map(({ classes, said }) => {
    const points = said.map(([turn, , chance]) => `${across(turn, last).toFixed(1)} ${(4 + (1 - chance) * (HEIGHT - 8)).toFixed(1)}`);
    // A line of no length is a dot.
    return svg("path", { class: `estimate bar ${classes}`, d: `M${points.join("L")}h.1` });
  });
  const spans = bots.map(({ name, said }) => {
    const chances = said.map(([, , chance]) => chance);
    const [least, most] = [Math.min(...chances), Math.max(...chances)].map(inPercent);
    return `${name}: ${inPercent(chances[0])} at decision ${said[0][0]}, ${inPercent(chances.at(-1))} at decision ${said.at(-1)[0]}, from ${least} to ${most}.`;
  });
  const element = svg("svg", {
    viewBox: `-8 0 1016 ${HEIGHT}`, preserveAspectRatio: "none", class: "times estimates", role: "img",
    "aria-label": `Winning chances by the decisions of the game. ${spans.join(" ")}`,
  }, svg("line", { class: "axis", x1: 0, x2: 1000, y1: HEIGHT / 2, y2: HEIGHT / 2 }), ...lines);
  return html("figure", {}, element, html("figcaption", {}, `Winning chance by decision, 1 to ${last}; the line in the middle is 50%.`));
}
