/** A seeded random number generator: `Math.random` cannot be seeded, so a game could not be repeated with it. */
export class Random {
    /** @param {string} seed */
    constructor(seed: string);
    _state: Uint32Array<ArrayBuffer>;
    /** Returns 32 random bits: the generator sfc32. */
    _bits(): number;
    /** Returns a number from 0 (included) to 1 (excluded). */
    next(): number;
    /**
     * Returns an integer from 0 (included) to `below` (excluded).
     *
     * @param {number} below
     */
    int(below: number): number;
    /**
     * Returns an element of an array.
     *
     * @template T
     * @param {readonly T[]} items
     * @returns {T}
     */
    choice<T>(items: readonly T[]): T;
    /**
     * Returns a copy of an array in random order.
     *
     * @template T
     * @param {readonly T[]} items
     * @returns {T[]}
     */
    shuffled<T>(items: readonly T[]): T[];
}
