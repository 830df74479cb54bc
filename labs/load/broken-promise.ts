/** A promise of the README that did not hold, in one sentence. */
export class BrokenPromise extends Error {}
