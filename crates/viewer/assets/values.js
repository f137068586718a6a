// JSON of a game that the page does not know: in words, and as elements.
import { html, visible, visibleLines } from "./dom.js";

// How many cells a table has at most, and how long a text in one is.
const CELLS = 4000;
const SHORT = 24;

// The text of a value in which the order of an object's fields does not matter.
export function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{${Object.keys(value).sort().map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`).join()}}`;
}

// A value for people: texts without quotes, objects as names with values. It is that of `value_in_words` in Rust.
export function inWords(value) {
  if (Array.isArray(value)) return value.map(inWords).join("-");
  if (value === null || typeof value !== "object") return String(value);
  return Object.entries(value).map(([name, its]) => (its === true ? name : `${name} ${inWords(its)}`)).join(" ");
}

const isScalar = (value) => value === null || typeof value !== "object";
const isShort = (value) => isScalar(value) && String(value).length <= SHORT && !String(value).includes("\n");
const isLine = (value) => typeof value === "string" && !value.includes("\n");

// The cells of a grid: lists of equal length, or texts of equal length.
function gridOf(rows) {
  const cells = rows.map((row) => (Array.isArray(row) ? row : isLine(row) ? [...row] : null));
  if (cells.length < 2 || cells.some((row) => row === null || row.length !== cells[0].length || !row.every(isShort))) return null;
  const width = cells[0].length;
  const isText = !Array.isArray(rows[0]);
  return width > (isText ? 1 : 0) && width * cells.length <= CELLS ? cells : null;
}

// The names that all objects of a list have.
function columnsOf(rows) {
  const isRow = (row) => !isScalar(row) && !Array.isArray(row) && Object.values(row).every(isShort);
  if (rows.length < 2 || rows.length > 500 || !rows.every(isRow)) return null;
  const names = Object.keys(rows[0]);
  const isSame = rows.every((row) => Object.keys(row).length === names.length && names.every((name) => name in row));
  return isSame && names.length > 0 && names.length <= 12 ? names : null;
}

const cell = (value) => html("td", {}, value === null || value === "" ? "\u00b7" : visible(value, 60));

function scrolling(name, element) {
  return html("div", { class: "scrolls", tabindex: "0", role: "group", "aria-label": name }, element);
}

// A value as elements: a grid as a table, an object as a list of its fields, a list in a row.
export function elementsOf(value, name = "the position", depth = 0) {
  if (isScalar(value)) {
    const isBlock = typeof value === "string" && value.includes("\n");
    if (isBlock) return html("pre", { tabindex: "0", role: "group", "aria-label": name }, visibleLines(value));
    return html("span", { class: value === null ? "none" : null }, value === null ? "none" : visible(value, 2000));
  }
  if (depth > 8) return html("code", {}, visible(JSON.stringify(value), 2000));
  if (!Array.isArray(value)) {
    const fields = Object.entries(value).map(([key, its]) => html("div", {},
      html("dt", {}, visible(key.replaceAll("_", " "), 60)), html("dd", {}, elementsOf(its, visible(key, 60), depth + 1))));
    return fields.length > 0 ? html("dl", { class: "fields" }, ...fields) : html("span", { class: "none" }, "none");
  }
  if (value.length === 0) return html("span", { class: "none" }, "none");
  const grid = gridOf(value);
  if (grid) return scrolling(name, html("table", { class: "grid" }, html("tbody", {}, ...grid.map((row) => html("tr", {}, ...row.map(cell))))));
  const columns = columnsOf(value);
  if (columns) {
    const head = html("tr", {}, ...columns.map((column) => html("th", { scope: "col" }, visible(column.replaceAll("_", " "), 60))));
    return scrolling(name, html("table", { class: "facts" }, head, ...value.map((row) => html("tr", {}, ...columns.map((column) => cell(row[column]))))));
  }
  const shown = value.slice(0, CELLS);
  const more = value.length > shown.length ? [html("li", {}, `and ${value.length - shown.length} more`)] : [];
  if (value.every(isShort)) return html("ul", { class: "row" }, ...shown.map((its) => html("li", {}, its === null || its === "" ? "\u00b7" : visible(its, 60))), ...more);
  return html("ol", { class: "items" }, ...shown.map((its) => html("li", {}, elementsOf(its, name, depth + 1))), ...more);
}
