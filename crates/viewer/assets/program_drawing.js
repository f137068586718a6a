// The drawing that the program of a game makes. It comes cleaned, as a tree: an element is an array of its name, its
// attributes and its children, and a text is a string.
import { svg, set, visible } from "./dom.js";
import { canonical } from "./values.js";

const ELEMENTS = new Set(["g", "path", "rect", "circle", "ellipse", "line", "polyline", "polygon", "text", "tspan", "title", "desc"]);

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

// Makes the element in which drawings are shown. It has `show(tree)`, and where a person plays
//
// * `labels()`: the names of actions in the drawing, by their keys;
// * `offer(offered)`: makes what stands for one of these actions a button. `offered` has `name` and `act` by the keys of
//   actions; or it is a function that makes them of any action.
export function programDrawing(label) {
  const root = svg("svg", { class: "board drawn", role: "img", "aria-label": label });
  const ring = svg("rect", { class: "ring gone" });
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

  function ringAround(element) {
    const matrix = root.getScreenCTM()?.inverse();
    ring.classList.toggle("gone", !element || !matrix);
    if (!element || !matrix) return;
    const { left, top, right, bottom } = element.getBoundingClientRect();
    const [from, to] = [new DOMPoint(left, top), new DOMPoint(right, bottom)].map((point) => point.matrixTransform(matrix));
    for (const [name, value] of [["x", from.x], ["y", from.y], ["width", to.x - from.x], ["height", to.y - from.y]]) set(ring, name, value);
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

  return {
    element: root,
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
    labels() {
      const marked = [...root.querySelectorAll("[data-action][data-label]")];
      return new Map(marked.map((element) => [actionOf(element), visible(element.getAttribute("data-label"), 100)]));
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
