// English draughts: a board with numbered squares, and pieces that keep their identity as they move.
import { html, picture, place, placeAlong, set, show, svg } from "./dom.js";
import { numbered } from "./marks.js";
import { chosenBy } from "./record.js";

const CELL = 64;
const EDGE = 4;

const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function squareAt(number) {
  const row = Math.floor((number - 1) / 4);
  const column = 2 * ((number - 1) % 4) + (row % 2 === 0 ? 1 : 0);
  return { x: EDGE + (column + 0.5) * CELL, y: EDGE + (row + 0.5) * CELL };
}

// Pieces leave the corner with the number of their square free.
function pieceElement(colour) {
  const crown = "-12,9 -13.5,-7 -6,0 0,-10 6,0 13.5,-7 12,9";
  return svg("g", { class: `piece ${colour} slides` },
    svg("circle", { class: "body", r: 22 }),
    svg("circle", { class: "edge", r: 17 }),
    svg("polygon", { class: "crown", points: crown }));
}

// Which piece is where at each decision. The letters of a board say what stands on a square, but not
// which piece it is: of a colour, what vanished moved to where it appeared, or was captured.
function followed(views) {
  const pieces = [];
  let on = new Map();
  const moments = [];
  for (const view of views) {
    const board = view?.board ?? "";
    const now = new Map();
    const gone = { b: [], w: [] };
    for (const [number, piece] of on) {
      const letter = board[number - 1]?.toLowerCase();
      if (letter === pieces[piece].colour) now.set(number, piece);
      else gone[pieces[piece].colour].push({ number, piece });
    }
    const captured = [];
    for (let number = 1; number <= 32; number++) {
      const letter = board[number - 1]?.toLowerCase();
      if (!letter || letter === "." || now.has(number)) continue;
      const moved = moments.length > 0 ? gone[letter].shift() : undefined;
      now.set(number, moved ? moved.piece : pieces.push({ colour: letter }) - 1);
    }
    for (const { number, piece } of [...gone.b, ...gone.w]) captured.push({ number, piece });
    const at = [...now].map(([number, piece]) => ({ piece, number, king: /[BW]/.test(board[number - 1]) }));
    moments.push({ at, captured });
    on = now;
  }
  return { pieces, moments };
}

function path(action) {
  return typeof action === "string" ? action.split(/[-x]/).map(Number).filter((number) => number >= 1 && number <= 32) : [];
}

export function drawDraughts(game) {
  const side = 8 * CELL + 2 * EDGE;
  // A person who plays black has black's side at the bottom.
  const own = game.data.own ?? [];
  const isTurned = own.includes("black") && !own.includes("white");
  const square = (number) => squareAt(isTurned ? 33 - number : number);
  const { pieces, moments } = followed(game.views);
  const squares = [];
  const board = svg("g", {}, svg("rect", { class: "light-square", x: EDGE, y: EDGE, width: 8 * CELL, height: 8 * CELL }));
  for (let number = 1; number <= 32; number++) {
    const { x, y } = square(number);
    const element = svg("g", { class: "square" },
      svg("rect", { x: x - CELL / 2 + 2, y: y - CELL / 2 + 2, width: CELL - 4, height: CELL - 4 }),
      svg("text", { x: x - CELL / 2 + 3, y: y - CELL / 2 + 13 }, String(number)));
    squares[number] = element;
    board.append(element);
  }
  const way = svg("polyline", { class: "way" });
  const elements = pieces.map(({ colour }) => pieceElement(colour === "b" ? "black" : "white"));
  const crosses = Array.from({ length: 12 }, () => svg("path", { class: "cross gone", d: "M-11,-11L11,11M-11,11L11,-11" }));
  const element = picture(side, side, "Draughts board", board, way, ...elements, ...crosses);
  const players = html("table", { class: "facts" }, html("caption", {}, "Players"));
  // The position that is drawn, and the piece that jumps there.
  let drawn = -1;
  let jumping = null;
  const rows = game.seats.map(({ seat, player }, index) => {
    const count = html("td");
    const row = html("tr", {}, html("th", { scope: "row" }, seat), html("td", {}, html("bdi", {}, player)), count);
    players.append(row);
    return { row, count, letter: seat === "black" ? "b" : "w", seat, index };
  });

  // The squares of a jump over several pieces between the position that is drawn and this one, in the
  // order in which its piece goes over them now. Empty if there is none.
  function jump(index) {
    const isBack = index === drawn - 1;
    if (!isBack && index !== drawn + 1) return [];
    const move = game.events[isBack ? drawn : index].findLast((event) => event.k === "move");
    const steps = path(move?.value);
    if (steps.length < 3) return [];
    return isBack ? steps.reverse() : steps;
  }

  function draw(index) {
    const { at, captured } = moments[index];
    const legs = element.classList.contains("animated") && !isStill() ? jump(index) : [];
    jumping?.cancel();
    jumping = null;
    const view = game.views[index];
    const shown = new Set();
    for (const { piece, number, king } of at) {
      const { x, y } = square(number);
      if (number === legs.at(-1)) jumping = placeAlong(elements[piece], legs.map(square));
      else place(elements[piece], x, y);
      elements[piece].classList.toggle("king", king);
      elements[piece].classList.remove("captured");
      shown.add(piece);
    }
    crosses.forEach((cross, number) => {
      const taken = captured[number];
      show(cross, taken !== undefined);
      if (!taken) return;
      const { x, y } = square(taken.number);
      place(cross, x, y);
      place(elements[taken.piece], x, y);
      elements[taken.piece].classList.add("captured");
      shown.add(taken.piece);
    });
    elements.forEach((element, piece) => show(element, shown.has(piece)));
    const move = game.events[index].findLast((event) => event.k === "move");
    const steps = path(move?.value);
    set(way, "points", steps.map((number) => `${square(number).x},${square(number).y}`).join(" "));
    for (let number = 1; number <= 32; number++) {
      squares[number].classList.toggle("marked", number === steps[0] || number === steps.at(-1));
    }
    for (const { row, count, letter, seat } of rows) {
      const men = at.filter(({ piece, king }) => pieces[piece].colour === letter && !king).length;
      const kings = at.filter(({ piece, king }) => pieces[piece].colour === letter && king).length;
      count.textContent = `${men} ${men === 1 ? "man" : "men"}, ${kings} ${kings === 1 ? "king" : "kings"}`;
      row.classList.toggle("to-move", view?.to_move === seat);
    }
    drawn = index;
  }

  function describe(event) {
    if (event.k === "chance") {
      const { ballot, moves } = event.value ?? {};
      const name = Number.isInteger(ballot) ? `Ballot ${ballot}` : "Opening";
      return Array.isArray(moves) && moves.length > 0 ? `${name}: ${moves.join(" ")}.` : "";
    }
    const colour = game.seats[event.s]?.seat === "black" ? "Black" : "White";
    return `${colour}: ${String(event.value)}${chosenBy(event)}.`;
  }

  // PDN numbers a move of each side together.
  const firstMove = game.events.flat().find((event) => event.k === "move");
  const offset = firstMove?.s ?? 0;
  function label(event, turn) {
    const ply = turn - 1 + offset;
    const number = Math.floor(ply / 2) + 1;
    const prefix = ply % 2 === 0 ? `${number}. ` : turn === 1 ? `${number}. ... ` : "";
    return `${prefix}${String(event.value)}`;
  }

  function target(number) {
    const { x, y } = square(number);
    // Its edge leaves the number free.
    return svg("rect", { x: x - CELL / 2 + 1.5, y: y - CELL / 2 + 1.5, width: CELL - 3, height: CELL - 3, rx: 4 });
  }

  function spot(place) {
    const number = numbered(place, 32);
    return number && { ...square(number), r: CELL * 0.4 };
  }

  return { element, side: [players], draw, describe, label, target, spot, list: "pairs", offset };
}
