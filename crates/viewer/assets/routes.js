// Where Mr. X can be: every station follows from the travel log. A station at which more of the routes
// end that fit the log has more weight.

const KINDS = {
  taxi: ["taxi"],
  bus: ["bus"],
  underground: ["underground"],
  black: ["taxi", "bus", "underground", "ferry"],
};

// The edges of a grid.
function gridEdges({ width, height }, moves) {
  const all = moves === "king_or_stay" ? [[0, 0], [1, 0], [0, 1], [1, 1], [-1, 1]] : [[1, 0], [0, 1]];
  const edges = [];
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      for (const [dx, dy] of all) {
        const [x, y] = [column + dx, row + dy];
        if (x >= 0 && x < width && y < height) edges.push([row * width + column + 1, y * width + x + 1, "taxi"]);
      }
    }
  }
  return edges;
}

function neighboursOf(setup, rules) {
  const edges = setup.edges ?? gridEdges(setup, rules.grid_moves);
  const neighbours = Array.from({ length: setup.stations + 1 }, () => []);
  for (const [a, b, kind] of edges) {
    neighbours[a].push([b, kind]);
    if (a !== b) neighbours[b].push([a, kind]);
  }
  return neighbours;
}

// Returns a function from a view to the candidates with their weights, of which the largest is 1.
export function candidatesOf(setup, rules) {
  const neighbours = neighboursOf(setup, rules);
  const everywhere = Array.from({ length: setup.stations }, (_, index) => index + 1);
  const starts = setup.mr_x_starts ?? everywhere;
  // After each entry of the log, which never changes once it is written.
  const after = [new Map(starts.map((station) => [station, 1]))];

  function afterEntry(before, { ticket, station, reveal, detectives }) {
    const held = new Set(detectives);
    const weights = new Map();
    for (const [at, weight] of before) {
      if (held.has(at)) continue;
      const reached = new Set();
      for (const [to, kind] of neighbours[at]) {
        if (KINDS[ticket].includes(kind) && !held.has(to)) reached.add(to);
      }
      for (const to of reached) weights.set(to, (weights.get(to) ?? 0) + weight);
    }
    if (reveal) return new Map([[station, 1]]);
    const most = Math.max(...weights.values());
    for (const [to, weight] of weights) weights.set(to, weight / most);
    return weights;
  }

  return (view) => {
    for (let entry = after.length - 1; entry < view.log.length; entry++) {
      after.push(afterEntry(after[entry], view.log[entry]));
    }
    if (view.over === "caught" && view.mr_x.station) return new Map([[view.mr_x.station, 1]]);
    const now = new Map(after[view.log.length]);
    for (const { station } of view.detectives) now.delete(station);
    return now;
  };
}
