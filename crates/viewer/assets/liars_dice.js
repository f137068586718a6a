// Liar's Dice: a line for each player with its cup and its last bid. A cup that is hidden is closed.
import { html, picture, say, show, svg } from "./dom.js";
import { chosenBy, seatName } from "./record.js";

const WIDTH = 420;
const LINE = 96;
const DIE = 38;
const DOTS = [[-1, -1], [1, -1], [-1, 0], [0, 0], [1, 0], [-1, 1], [1, 1]];
const FACES = { 1: [3], 2: [0, 6], 3: [0, 3, 6], 4: [0, 1, 5, 6], 5: [0, 1, 3, 5, 6], 6: [0, 1, 2, 4, 5, 6] };

function dieElement() {
  const step = DIE * 0.27;
  const dots = DOTS.map(([x, y]) => svg("circle", { class: "gone", cx: x * step, cy: y * step, r: DIE * 0.095 }));
  const element = svg("g", { class: "face" }, svg("rect", { x: -DIE / 2, y: -DIE / 2, width: DIE, height: DIE, rx: 7 }), ...dots);
  return { element, dots };
}

// The faces of a cup in order; `null` for each die that is hidden.
function faces(cup, dice) {
  const isOpen = Array.isArray(cup) && cup.every(Number.isInteger);
  return isOpen ? cup.flatMap((count, face) => Array(count).fill(face + 1)) : Array(dice).fill(null);
}

function bidInWords([count, face]) {
  return `${count} ${count === 1 ? "die" : "dice"}, face ${face}`;
}

export function drawLiarsDice(game) {
  const dice = game.rules.dice;
  const lines = game.seats.map(({ seat, player }, index) => {
    const top = LINE * index;
    const y = top + 64;
    const cup = Array.from({ length: dice }, (_, die) => {
      const its = dieElement();
      its.element.setAttribute("transform", `translate(${30 + DIE / 2 + (DIE + 7) * die} ${y})`);
      return its;
    });
    const bid = svg("text", { class: "bid", x: WIDTH - 12, y: top + 30 });
    const turn = svg("circle", { class: "mover", cx: 14, cy: top + 20, r: 6 });
    const panel = svg("rect", { class: "panel", y: top + 2, width: WIDTH, height: LINE - 4, rx: 7 });
    const name = svg("text", { class: "strong", x: 30, y: top + 21 }, seat);
    const its = svg("text", { class: "dim", x: 30, y: top + 37 }, player.length > 21 ? `${player.slice(0, 18)}...` : player);
    return { cup, bid, turn, parts: [panel, turn, name, its, ...cup.map((die) => die.element), bid] };
  });
  const height = LINE * lines.length;
  const element = picture(WIDTH, height, "Cups and bids", ...lines.flatMap((line) => line.parts));
  // The last bid of every player at each decision.
  const bids = [];
  let now = game.seats.map(() => null);
  for (const events of game.events) {
    for (const event of events) {
      const bid = event.k === "move" ? event.value?.bid : null;
      if (bid) now = now.map((old, seat) => (seat === event.s ? [bid.count, bid.face] : old));
    }
    bids.push(now);
  }

  function draw(index) {
    const view = game.views[index] ?? {};
    const lost = view.lost?.[0];
    lines.forEach((line, seat) => {
      const cup = faces(view.cups?.[seat], dice);
      line.cup.forEach(({ element, dots }, die) => {
        const face = cup[die];
        const counted = Number.isInteger(lost) && view.bid && view.bid[1] === face;
        show(element, view.cups && seat < view.cups.length);
        element.setAttribute("class", `face${face ? "" : " closed"}${counted ? " counted" : ""}`);
        dots.forEach((dot, place) => show(dot, face ? FACES[face].includes(place) : false));
      });
      const bid = bids[index][seat];
      const why = { lied: "a lie", doubted: "doubted", forfeit: "forfeits" }[view.lost?.[1]] ?? "loses";
      say(line.bid, lost === seat ? `${bid ? `${bidInWords(bid)}: ` : ""}${why}` : bid ? `bids ${bidInWords(bid)}` : "");
      line.bid.classList.toggle("lost", lost === seat);
      show(line.turn, !view.lost && view.bids % lines.length === seat);
    });
  }

  function describe(event) {
    const who = seatName(game, event.s);
    const bid = event.value?.bid;
    if (event.k === "chance") return "";
    return bid ? `${who} bids ${bidInWords([bid.count, bid.face])}${chosenBy(event)}.` : `${who} calls the last bid a lie${chosenBy(event)}.`;
  }

  // A seat is the middle of its cup.
  function spot(place) {
    const seat = game.seats.findIndex((its) => its.seat === place);
    return seat >= 0 ? { x: 30 + (dice * (DIE + 7)) / 2, y: LINE * seat + 64, r: DIE * 0.6 } : null;
  }

  const label = (event) => `${seatName(game, event.s)}: ${event.value?.bid ? `${event.value.bid.count} x ${event.value.bid.face}` : "liar"}`;
  const isReveal = (index) => index > 0 && Boolean(game.views[index]?.lost) && !game.views[index - 1]?.lost;
  const note = html("p", { class: "note" }, "A closed die is hidden from this perspective.");
  return { element, side: [note], draw, describe, label, isReveal, spot, list: "single" };
}
