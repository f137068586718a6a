// Elements of the page. Text from a replay becomes a text node or an attribute, never markup.

const SVG = "http://www.w3.org/2000/svg";

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

// An element of HTML; children are elements or texts.
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

// An element of SVG.
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

// The drawing of a game: an image with a name, from 0, 0 at the top left.
export function picture(width, height, label, ...children) {
  const attributes = { viewBox: `0 0 ${width} ${height}`, class: "board", role: "img", "aria-label": label };
  return svg("svg", attributes, ...children);
}

// Sets an attribute if that changes it.
export function set(element, name, value) {
  const text = String(value);
  if (element.getAttribute(name) !== text) element.setAttribute(name, text);
}

// Sets the text of an element if that changes it.
export function say(element, text) {
  const said = String(text);
  if (element.textContent !== said) element.textContent = said;
}

// Shows or hides an element.
export function show(element, shown) {
  element.classList.toggle("gone", !shown);
}

function translation(x, y) {
  return `translate(${Math.round(x * 10) / 10}px, ${Math.round(y * 10) / 10}px)`;
}

// Moves an element of a drawing; it slides there while the drawing is animated.
export function place(element, x, y) {
  const transform = translation(x, y);
  if (element.style.transform !== transform) element.style.transform = transform;
}

const FIRST_LEG_MS = 280;
const FURTHER_LEG_MS = 90;

// Moves an element over several points, the last of which is where it stays.
export function placeAlong(element, points) {
  const { x, y } = points.at(-1);
  // A transition would be seen instead of the animation.
  element.classList.remove("slides");
  place(element, x, y);
  const frames = points.map((point) => ({ transform: translation(point.x, point.y) }));
  const duration = FIRST_LEG_MS + FURTHER_LEG_MS * (points.length - 2);
  const animation = element.animate(frames, { duration, easing: "ease-in-out" });
  animation.onfinish = animation.oncancel = () => element.classList.add("slides");
  return animation;
}

const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu;
const UNSEEN_IN_LINES = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]/gu;

// A text of one line in which characters that act unseen are written as their numbers.
export function visible(text, most = Infinity) {
  const shown = String(text).replace(UNSEEN, (unseen) => `\\u{${unseen.codePointAt(0).toString(16)}}`);
  return shown.length > most ? `${shown.slice(0, most - 3)}...` : shown;
}

// The same for a text of several lines.
export function visibleLines(text) {
  return String(text).replace(UNSEEN_IN_LINES, (unseen) => `\\u{${unseen.codePointAt(0).toString(16)}}`);
}

// A number as a share of one, in per cent.
export function percent(share) {
  return `${(share * 100).toFixed(share > 0.995 || share < 0.005 ? 2 : 1)}%`;
}

// A moment of today as HH:MM:SS, of another day with its date; from milliseconds since 1970.
export function clock(ms) {
  const at = new Date(ms);
  const two = (number) => String(number).padStart(2, "0");
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(":");
  if (at.toDateString() === new Date().toDateString()) return time;
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${time}`;
}
