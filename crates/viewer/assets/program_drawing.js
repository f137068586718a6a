// The drawing that the program of a game makes. It comes cleaned, as a tree: an element is an array of its name, its
// attributes and its children, and a text is a string.
import { svg, set, visible } from "./dom.js";
import { canonical, inWords } from "./values.js";

const ELEMENTS = new Set(["g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"]);

const SHAPES = "path, rect, circle, ellipse, line, polyline, polygon";

const named = new WeakMap();

// The names that elements of a drawing give to actions, as pairs of the action's key and the name.
function namesIn(tree) {
  if (named.has(tree)) return named.get(tree);
  const [, attributes, ...children] = tree;
  const names = children.flatMap((child) => (typeof child === "string" ? [] : namesIn(child)));
  if ("data-action" in attributes && "data-label" in attributes) {
    names.push([canonical(JSON.parse(attributes["data-action"])), visible(attributes["data-label"], 100)]);
  }
  named.set(tree, names);
  return names;
}

// The names that a drawing gives to actions, by their keys.
export function labelsIn(tree) {
  return new Map(Array.isArray(tree) ? namesIn(tree) : []);
}

// Puts these nodes and texts into an element, unless they are there.
function fill(element, nodes) {
  const has = [...element.childNodes];
  const isSame = (node, index) => (typeof node === "string" ? has[index]?.nodeType === Node.TEXT_NODE && has[index].data === node : has[index] === node);
  if (has.length !== nodes.length || !nodes.every(isSame)) element.replaceChildren(...nodes);
}

// The action that an element stands for, as the key of `offer`.
function actionOf(element) {
  try {
    return canonical(JSON.parse(element.getAttribute("data-action")));
  } catch {
    return null;
  }
}

// Makes the element in which drawings are shown. It has `show(tree)`, and where a person plays `offer(offered)`, which
// makes what stands for one of these actions a button. `offered` has `name` and `act` by the keys of actions; or it is a
// function that makes them of any action.
export function programDrawing(label) {
  const root = svg("svg", { class: "board drawn", role: "img", "aria-label": label });
  const ring = svg("g", { class: "ring" });
  const made = new WeakMap();
  let offered = new Map();

  function nodesOf(children) {
    return children.filter((child) => typeof child === "string" || ELEMENTS.has(child[0])).map((child) => (typeof child === "string" ? child : elementOf(child)));
  }

  // What did not change since another position keeps its element.
  function elementOf(tree) {
    const [name, attributes, ...children] = tree;
    const element = made.get(tree) ?? svg(name, attributes);
    made.set(tree, element);
    fill(element, nodesOf(children));
    return element;
  }

  // The shape that is as large as an element, if it has one.
  function shapeOf(element) {
    const shape = element.matches(SHAPES) ? element : element.querySelector(SHAPES);
    if (!shape) return null;
    const [its, whole] = [shape.getBoundingClientRect(), element.getBoundingClientRect()];
    return its.width > 0.8 * whole.width && its.height > 0.8 * whole.height ? shape : null;
  }

  // Draws the outline of an element over everything.
  function ringAround(element) {
    ring.replaceChildren();
    const [matrix, shape] = [root.getScreenCTM()?.inverse(), element && shapeOf(element)];
    if (!element || !matrix) return;
    if (shape) {
      const { a, b, c, d, e, f } = matrix.multiply(shape.getScreenCTM());
      const outline = svg(shape.localName, { transform: `matrix(${[a, b, c, d, e, f].join(" ")})` });
      for (const name of ["d", "points", "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "width", "height"]) {
        if (shape.hasAttribute(name)) outline.setAttribute(name, shape.getAttribute(name));
      }
      ring.append(outline);
      return;
    }
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((point) => point.matrixTransform(matrix));
    ring.append(svg("rect", { x: from.x, y: from.y, width: to.x - from.x, height: to.y - from.y }));
  }

  const pickAt = ({ target }) => target.closest(".pick");

  function act(event) {
    const its = offered.get(actionOf(pickAt(event) ?? root));
    if (!its) return;
    event.preventDefault();
    its.act();
  }

  root.addEventListener("click", act);
  root.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") act(event);
  });
  root.addEventListener("focusin", (event) => ringAround(event.target.matches(":focus-visible") ? pickAt(event) : null));
  root.addEventListener("focusout", () => ringAround(null));
  root.addEventListener("pointerover", (event) => ringAround(pickAt(event)));
  root.addEventListener("pointerleave", () => ringAround(null));

  // Where the places are: elements with a name, and those that stand for actions, by the keys of the actions, by their
  // words and by their names.
  function spots() {
    const found = new Map();
    const matrix = root.getScreenCTM()?.inverse();
    if (!matrix) return found;
    for (const element of root.querySelectorAll("[data-place], [data-action]")) {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((point) => point.matrixTransform(matrix));
      const r = Math.min(to.x - from.x, to.y - from.y) * 0.42;
      const spot = { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, r };
      const action = element.hasAttribute("data-action") ? JSON.parse(element.getAttribute("data-action")) : undefined;
      const names = action === undefined ? [] : [canonical(action), inWords(action), element.getAttribute("data-label")];
      for (const key of [element.getAttribute("data-place"), ...names]) {
        if (key !== null && r > 0 && !found.has(key)) found.set(key, spot);
      }
    }
    return found;
  }

  return {
    element: root,
    spots,
    show([, { viewBox, ...attributes }, ...children]) {
      for (const { name } of [...root.attributes]) {
        if (!["class", "role", "aria-label", "viewBox"].includes(name)) root.removeAttribute(name);
      }
      set(root, "viewBox", viewBox);
      for (const [name, value] of Object.entries(attributes)) set(root, name, value);
      const title = children.find((child) => child[0] === "title")?.slice(2).join("");
      set(root, "aria-label", title ? visible(title, 200) : label);
      ring.remove();
      fill(root, nodesOf(children));
      root.append(ring);
      ringAround(null);
    },
    offer(given) {
      offered = new Map();
      const marked = [...root.querySelectorAll("[data-action]")];
      for (const element of marked) {
        const key = actionOf(element);
        const its = typeof given === "function" ? given(JSON.parse(element.getAttribute("data-action"))) : given.get(key);
        const isPick = Boolean(its) && !element.parentElement.closest(".pick");
        const isFirst = isPick && !offered.has(key);
        if (isFirst) offered.set(key, its);
        element.classList.toggle("pick", isPick);
        const name = isFirst ? visible(element.getAttribute("data-label") ?? its.name, 100) : null;
        for (const [attribute, value] of [["role", "button"], ["tabindex", "0"], ["aria-label", name], ["data-pick", its?.name]]) {
          if (isFirst) set(element, attribute, value);
          else element.removeAttribute(attribute);
        }
      }
      set(root, "role", offered.size > 0 ? "group" : "img");
      root.classList.toggle("offers", offered.size > 0);
    },
  };
}
