// Marks: what bots draw over the board. `page/mod.rs` has read them, so that a mark has one of `point`, `line` and
// `arrow`, and perhaps `color` (`#rrggbb`) and `text`.
import { show, svg, visible } from "./dom.js";
import { inWords } from "./values.js";

// A place as a whole number from 1 to `most`; `null` if it is none.
export function numbered(place, most) {
  const number = /^\d{1,9}$/.test(typeof place === "object" ? "" : String(place)) ? Number(place) : 0;
  return number >= 1 && number <= most ? number : null;
}

// The marks of a position that a perspective sees.
export function marksAt(game, index) {
  return game.events[index].filter((event) => event.k === "move" && event.marks && game.isOwn(event)).flatMap((event) => event.marks.shown);
}

// Whether there are any in the whole game.
export function hasMarks(game) {
  return game.events.some((_, index) => marksAt(game, index).length > 0);
}

function placesOf({ point, line, arrow }) {
  return line ?? arrow ?? [point];
}

// A mark as a line of text: "arrow 11-15: mine".
export function markInWords(mark) {
  const shape = ["point", "line", "arrow"].find((its) => its in mark);
  const places = placesOf(mark).map(inWords).join(shape === "point" ? "" : "-");
  return `${shape} ${places}${mark.text === undefined ? "" : `: ${mark.text}`}`;
}

// The places that the board does not have.
export function unknownPlaces(drawing, marks, index) {
  return marks.flatMap(placesOf).filter((place) => !drawing.spot?.(place, index));
}

// A point at this distance from one towards another.
function towards(from, to, distance) {
  const length = Math.max(Math.hypot(to.x - from.x, to.y - from.y), 0.001);
  return { x: from.x + ((to.x - from.x) / length) * distance, y: from.y + ((to.y - from.y) / length) * distance };
}

const written = ({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`;

function textElement(text, { x, y }, size) {
  const element = svg("text", { x: x.toFixed(1), y: (y + size * 0.36).toFixed(1) }, visible(text, 60));
  element.style.fontSize = `${size.toFixed(1)}px`;
  element.style.strokeWidth = `${(size * 0.22).toFixed(1)}px`;
  return element;
}

// A shape twice: its edge, which any ground shows, and over it its colour.
function drawn(d, width, color, isFilled) {
  const shape = { d, class: `bot-line${color ? "" : " plain"}${isFilled ? " filled" : ""}` };
  return [
    svg("path", { ...shape, class: "bot-edge", "stroke-width": (width * 1.7).toFixed(1) }),
    svg("path", { ...shape, stroke: color, fill: isFilled ? color : null, "stroke-width": width.toFixed(1) }),
  ];
}

function pointElements({ color, text }, { x, y, r, hasText }, height) {
  const d = `M${written({ x: x - r, y })}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  // A place with a text of its own keeps it readable.
  const below = y + r + 4;
  const at = hasText ? { x, y: below + 8 < height ? below : y - r - 4 } : { x, y };
  const size = Math.max(Math.min(r * 0.7, (2.4 * r) / Math.max(text?.length ?? 0, 1)), 12);
  return { shapes: drawn(d, r * 0.16, color, false), text: text && textElement(text, at, size) };
}

function wayElements({ color, text, arrow }, spots) {
  const r = Math.min(...spots.map((spot) => spot.r));
  const width = Math.max(r * 0.18, 2.5);
  const [before, last] = spots.slice(-2);
  const end = arrow ? towards(last, before, Math.min(width * 3, Math.hypot(last.x - before.x, last.y - before.y) / 2)) : last;
  const way = [...spots.slice(0, -1), end];
  const elements = drawn(`M${way.map(written).join("L")}`, width, color, false);
  if (arrow) {
    // The head: its tip at the place, its base across the way.
    const [across, down] = [((last.y - end.y) * 0.62), ((end.x - last.x) * 0.62)];
    const base = [{ x: end.x + across, y: end.y + down }, { x: end.x - across, y: end.y - down }];
    elements.push(...drawn(`M${written(last)}L${base.map(written).join("L")}z`, 1, color, true));
  }
  const middle = { x: (before.x + last.x) / 2, y: (before.y + last.y) / 2 };
  return { shapes: elements, text: text && textElement(text, middle, Math.max(r * 0.6, 12)) };
}

// Makes the layer of marks over a drawing. It has `draw(index, isShown)`.
export function marksOver(game, drawing) {
  const layer = svg("g", { class: "marks", "aria-hidden": "true" });
  return {
    draw(index, isShown) {
      const drawn = marksAt(game, index).flatMap((mark) => {
        const spots = placesOf(mark).map((place) => drawing.spot?.(place, index));
        if (!spots.every((spot) => spot)) return [];
        return mark.point !== undefined ? pointElements(mark, spots[0], drawing.element.viewBox.baseVal.height) : wayElements(mark, spots);
      });
      // No line runs over a text.
      layer.replaceChildren(...drawn.flatMap(({ shapes }) => shapes), ...drawn.flatMap(({ text }) => text || []));
      show(layer, isShown);
      // A drawing that is made again loses what lies over it.
      if (drawing.element.localName === "svg" && drawing.element.lastChild !== layer) drawing.element.append(layer);
    },
  };
}
