// What a person reads of the own mistakes in a game that is over.
import { html, visible } from "./dom.js";

const counted = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

// What is known of the mistakes of the person in a game that is over.
export function reviewElements(review) {
  if (!review) return [];
  if (review.problem) return [html("p", {}, `There is no review: ${visible(review.problem, 400)}`)];
  if (!review.worst) return [html("p", {}, `Looking at your decisions: ${review.done ?? 0} of ${review.of ?? 0}`)];
  const { worst, mistakes, decisions, bot } = review;
  const of = counted(decisions, "decision");
  const made = mistakes === 0 ? `No mistakes in ${of}` : `${counted(mistakes, "mistake")} in ${of}`;
  const elements = [html("p", {}, `${made}, says ${visible(bot, 60)}.`)];
  const rows = worst.map(({ turn, mark, played, better, lost }) =>
    html("li", {}, `Turn ${turn}${mark} ${visible(played, 60)}; better ${visible(better, 60)}, by ${Math.round(100 * lost)} percentage points`),
  );
  if (rows.length > 0) elements.push(html("ul", {}, ...rows));
  if (mistakes > 0 && review.is_rough) elements.push(html("p", { class: "note" }, "These include luck and what others did before your next decision."));
  if (review.file) elements.push(html("p", {}, "Every decision: ", html("code", {}, `botyard analyze ${visible(review.file, 200)}`)));
  return elements;
}
