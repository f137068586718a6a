/** A seeded random number generator: `Math.random` cannot be seeded, so a game could not be repeated with it. */
export class Random {
  /** @param {string} seed */
  constructor(seed) {
    // FNV-1a with four offsets, mixed by the rounds below.
    this._state = new Uint32Array([0x811c9dc5, 0x9e3779b9, 0x243f6a88, 1]);
    for (let i = 0; i < seed.length; i++) {
      for (let n = 0; n < 3; n++) {
        this._state[n] = Math.imul(this._state[n] ^ (seed.charCodeAt(i) + n), 0x01000193);
      }
    }
    for (let round = 0; round < 16; round++) {
      this._bits();
    }
  }

  /** Returns 32 random bits: the generator sfc32. */
  _bits() {
    const s = this._state;
    const bits = (s[0] + s[1] + s[3]) | 0;
    s[3] += 1;
    s[0] = s[1] ^ (s[1] >>> 9);
    s[1] = (s[2] + (s[2] << 3)) | 0;
    s[2] = ((s[2] << 21) | (s[2] >>> 11)) + bits;
    return bits >>> 0;
  }

  /** Returns a number from 0 (included) to 1 (excluded). */
  next() {
    return ((this._bits() >>> 5) * 67108864 + (this._bits() >>> 6)) / 9007199254740992;
  }

  /**
   * Returns an integer from 0 (included) to `below` (excluded).
   *
   * @param {number} below
   */
  int(below) {
    return Math.floor(this.next() * below);
  }

  /**
   * Returns an element of an array.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T}
   */
  choice(items) {
    if (items.length === 0) {
      throw new RangeError("expected an array with elements to choose from, got an empty one");
    }
    return items[this.int(items.length)];
  }

  /**
   * Returns a copy of an array in random order.
   *
   * @template T
   * @param {readonly T[]} items
   * @returns {T[]}
   */
  shuffled(items) {
    const shuffled = [...items];
    for (let last = shuffled.length - 1; last > 0; last--) {
      const other = this.int(last + 1);
      [shuffled[last], shuffled[other]] = [shuffled[other], shuffled[last]];
    }
    return shuffled;
  }
}
