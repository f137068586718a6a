/** Nim: two players take pieces from one heap in turn, and the one who takes the last piece wins. */

import { Game, Refused } from "./botyard/rules.js";
import { Table, chip } from "./botyard/tables.js";

export class Nim extends Game {
  name = "{{name}}";
  seats = ["first", "second"];
  rules = { heaps: [3, 4, 5] };
  presets = {
    standard: { about: "heaps of 3, 4 and 5 pieces", rules: {} },
    short: { about: "two heaps", rules: { heaps: [1, 2] } },
  };
  scoring = "the seat that takes the last piece gets the point.";

  checkRules() {
    const { heaps } = this.rules;
    const isHeap = (heap) => Number.isInteger(heap) && heap >= 1 && heap <= 20;
    if (heaps.length < 1 || heaps.length > 9 || !heaps.every(isHeap)) {
      throw new Refused(`expected 1 to 9 heaps of 1 to 20 pieces, got ${JSON.stringify(heaps)}`, "heaps");
    }
  }

  start() {
    return { heaps: [...this.rules.heaps], to_move: "first" };
  }

  turn(state) {
    return state.to_move;
  }

  legal(state) {
    return state.heaps.flatMap((left, place) =>
      Array.from({ length: left }, (_, less) => ({ heap: place + 1, take: less + 1 })),
    );
  }

  apply(state, { heap, take }) {
    state.heaps[heap - 1] -= take;
    state.to_move = state.to_move === "first" ? "second" : "first";
    return state;
  }

  outcome(state) {
    if (state.heaps.some((left) => left > 0)) {
      return null;
    }
    return this.win([state.to_move === "first" ? "second" : "first"], "last_piece");
  }

  text(state) {
    return state.heaps.map((left, place) => `${place + 1}: ${"| ".repeat(left)}`).join("\n");
  }

  picture(state) {
    const table = new Table({ title: "Nim" });
    state.heaps.forEach((left, place) => {
      const heap = place + 1;
      const pieces = Array.from({ length: left }, (_, less) => {
        const take = less + 1;
        return chip(String(take), { action: { heap, take }, label: `take ${take} from heap ${heap}` });
      });
      table.row(`heap ${heap}`, pieces, { note: `${left} left` });
    });
    return table.svg();
  }
}
