// Dice Wars: the map with owners and dice, the last battle with its rolls and odds, the players, and
// how their areas and dice changed over the game.
import { html, percent, picture, say, set, show, svg } from "./dom.js";
import { numbered } from "./marks.js";
import { chosenBy, seatName } from "./record.js";

const DASHES = ["", "7 3", "2 3", "10 3 2 3", "5 5", "1 4", "12 4", "8 3 2 3 2 3"];
// A wider map is small on a narrow screen.
const WIDEST = 500;
const letterOf = (owner) => String.fromCharCode(64 + owner);

function total(roll) {
  return Array.isArray(roll) ? roll.reduce((sum, face) => sum + face, 0) : roll;
}

// The areas of the largest connected region of a player.
function largestRegion(setup, owners, player) {
  const seen = new Set();
  let largest = [];
  owners.forEach((owner, start) => {
    if (owner !== player || seen.has(start)) return;
    const region = [start];
    seen.add(start);
    for (const at of region) {
      for (const near of setup.areas[at].near) {
        if (owners[near - 1] === player && !seen.has(near - 1)) {
          seen.add(near - 1);
          region.push(near - 1);
        }
      }
    }
    if (region.length > largest.length) largest = region;
  });
  return new Set(largest);
}

// How many areas and dice each player has at each decision.
function totals(views, players) {
  return views.map(({ owners, dice }) => {
    const areas = Array(players).fill(0);
    const sums = Array(players).fill(0);
    owners.forEach((owner, area) => {
      areas[owner - 1] += 1;
      sums[owner - 1] += dice[area];
    });
    return { areas, sums };
  });
}

function chart(title, lines, marks) {
  const [width, height] = [600, 130];
  const most = Math.max(1, ...lines.map((line) => line.reduce((most, value) => Math.max(most, value), 0)));
  const count = Math.max(marks - 1, 1);
  const x = (index) => (index / count) * width;
  const y = (value) => height - 4 - (value / most) * (height - 10);
  const paths = lines.map((line, player) => {
    let d = "";
    line.forEach((value, index) => {
      // A point where nothing changes is not needed.
      if (index > 0 && index < line.length - 1 && value === line[index - 1] && value === line[index + 1]) return;
      d += `${d ? "L" : "M"}${x(index).toFixed(1)} ${y(value).toFixed(1)}`;
    });
    return svg("path", { class: `series player-${player + 1}`, d, "stroke-dasharray": DASHES[player] });
  });
  const cursor = svg("line", { class: "cursor", y1: 0, y2: height });
  const label = `${title} over the game; at the end ${lines.map((line, player) => `${letterOf(player + 1)} ${line.at(-1)}`).join(", ")}`;
  const element = svg("svg", { class: "board chart", viewBox: `-4 0 ${width + 8} ${height}`, role: "img", "aria-label": label }, ...paths, cursor);
  const figure = html("figure", {}, html("figcaption", {}, `${title}, at most ${most}`), element);
  const draw = (index) => {
    set(cursor, "x1", x(index).toFixed(1));
    set(cursor, "x2", x(index).toFixed(1));
  };
  return { figure, draw };
}

export function drawDiceWars(game) {
  const { setup, views } = game;
  const players = game.seats.length;
  const areas = setup.areas.map(({ d, x, y }) => ({
    ground: svg("path", { d }),
    outline: svg("path", { class: "outline", d }),
    dice: svg("text", { class: "dice", x, y: y + 2 }),
    label: svg("text", { class: "label", x, y: y + 15.5 }),
    more: svg("text", { class: "more", x: x + 8, y: y - 5 }),
    x,
    y,
  }));
  const roads = setup.roads
    ? setup.areas.flatMap(({ x, y, near }, at) => near.filter((other) => other > at + 1).map((other) => `M${x} ${y}L${setup.areas[other - 1].x} ${setup.areas[other - 1].y}`)).join("")
    : "";
  const way = svg("polyline", { class: "arrow" });
  const head = svg("circle", { class: "arrow-head", r: 6 });
  const element = picture(setup.width, setup.height, "Map with owners and dice",
    ...(roads ? [svg("path", { class: "road", d: roads })] : []),
    ...areas.map((area) => area.ground), ...areas.map((area) => area.outline), way, head,
    ...areas.flatMap((area) => [area.label, area.dice, area.more]));

  const battle = html("div", { class: "battle" });
  const titles = ["", "player", "areas", "dice", "region", "reserve", "place"];
  const headRow = html("tr", {}, ...titles.map((title) => html(title ? "th" : "td", title ? { scope: "col" } : {}, title)));
  const rows = game.seats.map(({ seat, player }, index) => {
    const cells = Array.from({ length: 5 }, () => html("td"));
    const swatch = html("span", { class: `letter player-${index + 1}` }, letterOf(index + 1));
    const score = html("tr", { class: "score" }, html("td", { rowspan: 2 }, swatch), html("th", { scope: "row" }, seat), ...cells);
    // A bot's name with its options is longer than a column is wide.
    const name = html("tr", {}, html("td", { colspan: 6 }, html("bdi", {}, player)));
    return { row: [score, name], cells };
  });
  const table = html("table", { class: "facts players" }, html("caption", {}, "Players"), headRow, ...rows.flatMap(({ row }) => row));
  const sums = totals(views, players);
  const each = (key) => Array.from({ length: players }, (_, player) => sums.map((sum) => sum[key][player]));
  const charts = [chart("Areas", each("areas"), views.length), chart("Dice", each("sums"), views.length)];
  const note = html("p", { class: "note" }, "A dashed outline marks the largest region of the player to move.");
  const side = [html("h2", {}, "Battle"), battle, table, note, ...charts.map(({ figure }) => figure)];

  function rollLine(name, owner, roll) {
    const faces = Array.isArray(roll) ? roll.map((face) => html("span", { class: `die player-${owner}` }, String(face))) : [];
    return html("p", {}, html("span", { class: "roll-name" }, name), ...faces, html("strong", {}, ` = ${total(roll)}`));
  }

  function drawBattle(index) {
    const before = views[index - 1];
    const events = game.events[index];
    const attack = events.findLast((event) => event.k === "move")?.value?.attack;
    const rolled = events.findLast((event) => event.k === "chance")?.value?.battle;
    if (!attack || !rolled || !before) {
      battle.replaceChildren(html("p", { class: "note" }, "No attack at this decision."));
      return;
    }
    const [from, to] = attack;
    const [dice, against] = [before.dice[from - 1], before.dice[to - 1]];
    const won = total(rolled.attacker) > total(rolled.defender);
    const odds = setup.odds[dice - 1]?.[against - 1] ?? 0;
    battle.replaceChildren(
      rollLine(`area ${from}, ${letterOf(before.owners[from - 1])}`, before.owners[from - 1], rolled.attacker),
      rollLine(`area ${to}, ${letterOf(before.owners[to - 1])}`, before.owners[to - 1], rolled.defender),
      html("p", {}, `${dice} against ${against} ${dice === 1 || against === 1 ? "die or dice" : "dice"}: won with ${percent(odds)}. `, html("strong", {}, won ? "The attack takes the area." : "The attack fails.")));
  }

  function drawWay(index) {
    const move = game.events[index].findLast((event) => event.k === "move")?.value;
    const pair = move?.attack ?? move?.transfer;
    areas.forEach((area, at) => {
      area.outline.classList.toggle("from", pair?.[0] === at + 1);
      area.outline.classList.toggle("to", pair?.[1] === at + 1);
    });
    show(way, Boolean(pair));
    show(head, Boolean(pair));
    if (!pair) return;
    const [a, b] = pair.map((area) => areas[area - 1]);
    const far = Math.max(Math.hypot(b.x - a.x, b.y - a.y), 1);
    const at = (distance) => [a.x + ((b.x - a.x) * distance) / far, a.y + ((b.y - a.y) * distance) / far];
    const [start, end] = [Math.min(far, 20), Math.max(far - 24, far / 2)];
    set(way, "points", `${at(start).join(",")} ${at(end).join(",")}`);
    set(head, "cx", at(end)[0]);
    set(head, "cy", at(end)[1]);
  }

  function draw(index) {
    const view = views[index];
    const mover = view.over ? null : view.to_move;
    const region = mover ? largestRegion(setup, view.owners, mover) : new Set();
    const placed = game.events[index].findLast((event) => event.k === "chance")?.value?.reinforcement?.placed ?? [];
    const more = new Map();
    for (const area of placed) more.set(area, (more.get(area) ?? 0) + 1);
    areas.forEach((area, at) => {
      set(area.ground, "class", `area player-${view.owners[at]}`);
      area.outline.classList.toggle("region", region.has(at));
      say(area.dice, view.dice[at]);
      set(area.label, "class", `label player-${view.owners[at]}`);
      say(area.label, `${letterOf(view.owners[at])} ${at + 1}`);
      say(area.more, more.has(at + 1) ? `+${more.get(at + 1)}` : "");
    });
    drawWay(index);
    drawBattle(index);
    rows.forEach(({ row, cells }, player) => {
      const { areas: held, sums: dice } = sums[index];
      const place = view.places[player];
      [held[player], dice[player], view.regions[player], view.reserves[player], place ?? ""].forEach((text, at) => say(cells[at], text));
      for (const line of row) {
        line.classList.toggle("to-move", mover === player + 1);
        line.classList.toggle("out", place !== null && place !== undefined);
      }
    });
    charts.forEach((chart) => chart.draw(index));
  }

  function describe(event) {
    const { value } = event;
    if (value?.battle) {
      const [one, other] = [total(value.battle.attacker), total(value.battle.defender)];
      return `${one > other ? "It takes the area" : "It fails"}, ${one} against ${other}.`;
    }
    if (value?.reinforcement) {
      const count = value.reinforcement.placed.length;
      return count === 0 ? "No new dice." : count === 1 ? "1 new die." : `${count} new dice.`;
    }
    if (event.k === "chance") return "";
    const who = seatName(game, event.s);
    if (value?.attack) return `${who} attacks ${value.attack[1]} from ${value.attack[0]}${chosenBy(event)}.`;
    if (value?.transfer) return `${who} moves dice from ${value.transfer[0]} to ${value.transfer[1]}${chosenBy(event)}.`;
    return `${who} ends its turn${chosenBy(event)}.`;
  }

  function label({ s, value }) {
    const who = letterOf(s + 1);
    if (value?.attack) return `${who}: ${value.attack[0]} x ${value.attack[1]}`;
    return value?.transfer ? `${who}: ${value.transfer[0]} - ${value.transfer[1]}` : `${who}: end`;
  }

  // What a position is about: the area that was attacked or received dice, or one of the player to move.
  function about(index) {
    const move = game.events[index].findLast((event) => event.k === "move")?.value;
    const pair = move?.attack ?? move?.transfer;
    const at = pair ? pair[1] - 1 : views[index].owners.indexOf(views[index].to_move);
    return areas[at]?.ground;
  }

  const target = (area) => svg("path", { d: setup.areas[area - 1].d, "fill-rule": "evenodd" });

  function spot(place) {
    const area = areas[numbered(place, areas.length) - 1];
    return area ? { x: area.x, y: area.y, r: 20, hasText: true } : null;
  }

  return { element, side, draw, describe, label, target, spot, about, isFine: setup.width > WIDEST, list: "single" };
}
