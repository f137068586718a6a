// What a bot said about the game afterwards: its estimate of each decision, and the mistakes.
import { html, svg, visible } from "./dom.js";
import { across, graph, percentAcross } from "./graph.js";
import { seatName } from "./record.js";

const HEIGHT = 100;
const WORDS = { "?!": "an inaccuracy", "?": "a mistake", "??": "a blunder" };

function percent(share) {
  return `${Math.round(share * 100)}%`;
}

// The analysis that was chosen, or else the first one of which this perspective may see something:
// its decisions of the seats whose texts are shown, by the index of the position after them, and all
// analyses that can be chosen. Null if there are none.
export function judgedFrom(game, chosen) {
  const indices = new Map(game.turns.map(({ turn }, index) => [turn, index]));
  const choices = [];
  game.data.analyses.forEach((analysis, which) => {
    const at = new Map();
    for (const decision of analysis.decisions) {
      const index = indices.get(decision.turn);
      if (index !== undefined && game.isOwn({ k: "move", s: decision.seat })) at.set(index, decision);
    }
    if (at.size > 0) choices.push({ ...analysis, at, index: which });
  });
  const judged = choices.find(({ index }) => index === chosen) ?? choices[0];
  return judged ? { ...judged, choices } : null;
}

// The mark of a decision for the list of moves.
export function markAt(game, index) {
  const mark = game.judged?.at.get(index)?.mark;
  return mark ? ` ${mark}` : "";
}

// What a decision lost, as a sentence. Where seats do not alternate, only the seat's own next decision
// shows what is left, and more happens until then.
function lossInWords(loss, includesOthers) {
  if (!(loss >= 0.005)) return "";
  const points = Math.round(loss * 100);
  const until = includesOthers ? " up to the seat's next decision, including chance and the other seats' decisions" : "";
  return ` ${points} percentage ${points === 1 ? "point" : "points"} of the winning chance lost${until}.`;
}

// What the bot said about a decision: a paragraph, or null.
export function judgementOf(game, index) {
  const decision = game.judged?.at.get(index);
  if (!decision) return null;
  const bot = html("bdi", {}, visible(game.judged.bot, 60));
  const parts = [];
  if (decision.chance !== undefined) parts.push(`winning chance of ${seatName(game, decision.seat)} ${percent(decision.chance)}`);
  if (decision.depth !== undefined) parts.push(`depth ${decision.depth}`);
  const choice = decision.better === undefined ? "the same decision" : `rather ${visible(decision.better, 200)}`;
  const lost = lossInWords(decision.loss, game.judged.includes_others);
  const mark = decision.mark ? html("strong", { class: "mistake" }, ` ${decision.mark} ${WORDS[decision.mark]}`) : null;
  const said = parts.length > 0 ? ` (${parts.join(", ")})` : "";
  const line = decision.line ? html("span", {}, " Its line: ", html("bdi", { class: "line-of-play" }, visible(decision.line, 400))) : null;
  return html("p", { class: "judgement" }, bot, `${said}: ${choice}.${lost}`, mark, line);
}

// Whether a decision is marked as a mistake.
export function isMistake(game, index) {
  return Boolean(game.judged?.at.get(index)?.mark);
}

// The winning chance at each decision as a graph: one line where the chance of one seat is that of the
// other, else one for each seat. Decisions that were mistakes are marked by their shapes.
export function analysisPanel(game, go, choose) {
  const { judged } = game;
  if (!judged) return { element: null, draw() {} };
  const last = game.turns.length - 1;
  const y = (chance) => 6 + (1 - chance) * (HEIGHT - 12);
  const lines = new Map();
  const marks = [];
  for (const [after, { seat, chance, mark }] of [...judged.at].sort(([one], [other]) => one - other)) {
    // The estimate was made before the decision, so it belongs to the position before it.
    const index = after - 1;
    if (chance === undefined) continue;
    const shown = judged.two_sided ? 0 : seat;
    const height = y(judged.two_sided && seat !== 0 ? 1 - chance : chance);
    const line = lines.get(shown) ?? "";
    lines.set(shown, `${line}${line ? "L" : "M"}${across(index, last).toFixed(1)} ${height.toFixed(1)}`);
    // Letters keep their shape although the graph is stretched.
    if (mark) {
      const letter = html("span", { class: `mistake seat-${(seat % 8) + 1}` }, mark);
      letter.style.left = `${percentAcross(index, last)}%`;
      letter.style.top = `${(height / HEIGHT) * 100}%`;
      marks.push(letter);
    }
  }
  const paths = [...lines].map(([seat, d]) => svg("path", { class: `estimate bar seat-${(seat % 8) + 1}`, d }));
  const bot = visible(judged.bot, 60);
  const whose = judged.two_sided ? `the winning chance of ${seatName(game, 0)}` : "the winning chance of each seat";
  const label = `${bot} on ${whose}; ${marks.length} decisions are marked as mistakes.`;
  const textAt = (index) => {
    const its = judged.at.get(index + 1);
    const where = `Decision ${game.turns[index].turn}`;
    if (its?.chance === undefined) return `${where}: no estimate`;
    const mark = its.mark ? `; the next decision is ${WORDS[its.mark]}` : "";
    return `${where}: winning chance of ${seatName(game, its.seat)} ${percent(its.chance)}${mark}`;
  };
  const chart = graph({
    name: "times estimates", height: HEIGHT, axis: y(0.5), last, label, textAt, go, elements: paths,
  });
  const keys = judged.two_sided ? [] : [...lines.keys()].sort((one, other) => one - other).map((seat) => html("span", { class: "key" },
    html("span", { class: `swatch seat-${(seat % 8) + 1}` }), game.seats[seat].seat));
  const select = html("select", { "aria-label": "Analysis by" });
  for (const { bot, index } of judged.choices) {
    select.append(html("option", { value: index, selected: index === judged.index }, visible(bot, 60)));
  }
  select.addEventListener("change", () => choose(Number(select.value)));
  const by = judged.choices.length > 1 ? select : html("bdi", {}, bot);
  const caption = html("figcaption", {}, "Analysis by ", by, `: ${whose} `, ...keys);
  const element = html("figure", { class: "time-chart" }, caption, html("div", { class: "graph" }, chart.element, ...marks));
  return { element, draw: chart.draw };
}
