/**
 * A game under one set of rules: the base of the classes in the games' modules. Helpers never change the view that
 * they are given.
 */
export class Rulebook {
  /** The name of the game in the protocol. */
  static NAME = "";

  /**
   * Returns the legal actions of the seat to move, in the order of the `legal` list.
   *
   * @param {any} view
   * @returns {any[]}
   */
  legal(view) {
    throw new Error(`${this.constructor.name} needs a method legal(view)`);
  }
}
