// Connect Four: seven columns of holes, and the discs in them.
import { html, picture, svg } from "./dom.js";
import { numbered } from "./marks.js";
import { chosenBy, seatName } from "./record.js";

const CELL = 64;
const COLUMNS = 7;
const ROWS = 6;
const EMPTY = ".";
const COLOURS = { x: "yellow", o: "red" };

function middle(column, row) {
  return { x: (column + 0.5) * CELL, y: (ROWS - 1 - row + 0.5) * CELL };
}

// The discs of all lines of four or more.
function lines(columns) {
  const at = (column, row) => columns[column]?.[row] ?? EMPTY;
  const won = new Set();
  for (let column = 0; column < COLUMNS; column++) {
    for (let row = 0; row < ROWS; row++) {
      for (const [dx, dy] of [[1, 0], [0, 1], [1, 1], [1, -1]]) {
        const line = [0, 1, 2, 3].map((n) => [column + dx * n, row + dy * n]);
        const first = at(column, row);
        if (first !== EMPTY && line.every(([x, y]) => at(x, y) === first)) {
          line.forEach(([x, y]) => won.add(`${x},${y}`));
        }
      }
    }
  }
  return won;
}

export function drawConnectFour(game) {
  const board = [svg("rect", { class: "front", width: COLUMNS * CELL, height: ROWS * CELL, rx: 10 })];
  const discs = [];
  for (let column = 0; column < COLUMNS; column++) {
    discs.push([]);
    for (let row = 0; row < ROWS; row++) {
      const { x, y } = middle(column, row);
      const disc = svg("g", { class: "disc", transform: `translate(${x} ${y})` },
        svg("circle", { class: "body", r: CELL * 0.41 }), svg("circle", { class: "ring", r: CELL * 0.22 }));
      board.push(disc);
      discs[column].push(disc);
    }
    board.push(svg("text", { class: "middle dim", x: middle(column, 0).x, y: ROWS * CELL + 18 }, String(column + 1)));
  }
  const element = picture(COLUMNS * CELL, ROWS * CELL + 24, "Connect Four board", ...board);
  const players = html("table", { class: "facts" }, html("caption", {}, "Players"));
  const rows = game.seats.map(({ seat, player }, index) => {
    const disc = svg("svg", { class: "board sample", viewBox: "0 0 24 24", width: 24, height: 24, "aria-hidden": "true" },
      svg("g", { class: `disc ${index === 0 ? COLOURS.x : COLOURS.o}`, transform: "translate(12 12)" },
        svg("circle", { class: "body", r: 10 }), svg("circle", { class: "ring", r: 5 })));
    const row = html("tr", {}, html("td", {}, disc), html("th", { scope: "row" }, seat), html("td", {}, html("bdi", {}, player)));
    players.append(row);
    return row;
  });

  function draw(index) {
    const view = game.views[index] ?? {};
    const columns = view.columns ?? [];
    const won = lines(columns);
    const last = game.events[index].findLast((event) => event.k === "move")?.value?.column;
    for (let column = 0; column < COLUMNS; column++) {
      const filled = (columns[column] ?? []).filter((cell) => cell !== EMPTY).length;
      for (let row = 0; row < ROWS; row++) {
        const cell = columns[column]?.[row] ?? EMPTY;
        const mark = won.has(`${column},${row}`) ? " won" : last === column + 1 && row === filled - 1 ? " last" : "";
        discs[column][row].setAttribute("class", `disc ${COLOURS[cell] ?? "empty"}${mark}`);
      }
    }
    rows.forEach((row, seat) => row.classList.toggle("to-move", !view.end && view.discs % 2 === seat));
  }

  function describe(event) {
    // The empty board.
    if (event.k === "chance") return "";
    return `${seatName(game, event.s)}: column ${event.value?.column}${chosenBy(event)}.`;
  }

  const target = (column) => svg("rect", { x: (column - 1) * CELL + 2, y: 2, width: CELL - 4, height: ROWS * CELL - 4, rx: 8 });

  // A cell is its column and row, from 1. A column alone is the cell that a disc would have fallen into.
  function spot(place, index) {
    const [column, row] = Array.isArray(place) ? place : [numbered(place, COLUMNS)];
    const before = game.views[Math.max(index - 1, 0)]?.columns?.[column - 1] ?? [];
    const free = before.filter((cell) => cell !== EMPTY).length + 1;
    const at = row ?? Math.min(free, ROWS);
    const isThere = column >= 1 && column <= COLUMNS && at >= 1 && at <= ROWS;
    return isThere ? { ...middle(column - 1, at - 1), r: CELL * 0.34 } : null;
  }

  return { element, side: [players], draw, describe, target, spot, label: (event) => `${seatName(game, event.s)}: ${event.value?.column}`, list: "single" };
}
