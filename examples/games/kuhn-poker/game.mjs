/**
 * Kuhn poker: a king, a queen and a jack, an ante of one chip, and one bet. Each seat is dealt a card that the other
 * one does not see. "pass" after "bet" folds, "bet" after "bet" calls.
 */

import { CHANCE, Game, Outcome, serve } from "./botyard/rules.js";
import { Table, back, card, chip, slot, tile } from "./botyard/tables.js";

const CARDS = ["jack", "queen", "king"];

class KuhnPoker extends Game {
  name = "kuhn-poker";
  seats = ["first", "second"];
  seatsAlike = false;
  hidden = true;
  scores = { least: -2, most: 2, sum: 0 };
  scoring = "a seat's points are the chips that it has won from the other one.";

  start() {
    return { cards: [], actions: [] };
  }

  turn({ cards, actions }) {
    return cards.length < 2 ? CHANCE : this.seats[actions.length % 2];
  }

  chances({ cards }) {
    return CARDS.filter((card) => !cards.includes(card)).map((card) => [1, { seat: this.seats[cards.length], card }]);
  }

  applyChance({ cards, actions }, { card }) {
    return { cards: [...cards, card], actions };
  }

  legal() {
    return ["pass", "bet"];
  }

  apply({ cards, actions }, action) {
    return { cards, actions: [...actions, action] };
  }

  outcome({ cards, actions }) {
    const [higher] = CARDS.indexOf(cards[0]) > CARDS.indexOf(cards[1]) ? this.seats : [...this.seats].reverse();
    switch (actions.join(" ")) {
      case "pass pass":
        return this.take(higher, 1, "showdown");
      case "bet bet":
      case "pass bet bet":
        return this.take(higher, 2, "showdown");
      case "bet pass":
        return this.take("first", 1, "fold");
      case "pass bet pass":
        return this.take("second", 1, "fold");
      default:
        return null;
    }
  }

  take(winner, chips, reason) {
    const scores = this.seats.map((seat) => (seat === winner ? chips : -chips));
    return new Outcome(scores, reason);
  }

  view({ cards, actions }, seat) {
    return { card: cards[this.seats.indexOf(seat)] ?? null, dealt: cards.length, actions };
  }

  seen(state, seat, actor, event) {
    return actor === CHANCE && event.seat !== seat ? { ...event, card: null } : event;
  }

  picture(state, seat) {
    const { cards, actions } = state;
    const ended = this.outcome(state);
    const isOpen = ended?.reason === "showdown";
    const table = new Table({ title: "Kuhn poker" });
    this.seats.forEach((name, place) => {
      const bets = actions.filter((action, number) => action === "bet" && number % 2 === place).length;
      const chips = Array.from({ length: 1 + bets }, () => chip("1", { colour: place === 0 ? "red" : "blue" }));
      const isSeen = isOpen || seat === null || seat === name;
      const own = place < cards.length ? (isSeen ? card(cards[place], "spades") : back()) : slot("deal");
      const said = actions.filter((_, number) => number % 2 === place).join(", ");
      table.row(name, [own, ...chips], { note: said, active: !ended && this.turn(state) === name });
    });
    const isBet = actions.at(-1) === "bet";
    if (ended) {
      const won = Math.max(...ended.scores);
      table.row(`${this.seats[ended.scores.indexOf(won)]} wins ${won}`, [], { note: ended.reason });
    } else {
      table.row("", [
        tile(isBet ? "fold" : "pass", { action: "pass" }),
        tile(isBet ? "call" : "bet", { action: "bet", colour: "green" }),
      ]);
    }
    return table.svg();
  }

  determinize({ card, dealt, actions }, seat, random) {
    const other = random.choice(CARDS.filter((one) => one !== card));
    const cards = this.seats.map((one) => (one === seat ? card : other));
    return { cards: cards.slice(0, dealt), actions };
  }
}

serve(KuhnPoker);
