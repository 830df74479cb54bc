/**
 * Stops a run that would delete an implausible share of everything (a clock that jumped, a query gone wrong) before it
 * has deleted anything.
 */
export interface Brake {
  /**
   * To be asked before the first deletion of a run, with how many of how many it is about to delete. Up to `unremarkable`
   * no share is implausible, because a small site may empty itself.
   * @throws {Braked}
   */
  check(condemned: number, outOf: number, unremarkable?: number): void;
}

/** Up to so many no share is implausible, unless a job says less. */
export const unremarkableCount = 100;
const plausibleShare = 0.05;

export class Braked extends Error {
  readonly condemned: number;
  readonly outOf: number;

  constructor(
    condemned: number,
    outOf: number,
    says = `It would delete ${condemned} of ${outOf}, which is more than anybody can mean.`,
  ) {
    super(says);
    this.name = 'Braked';
    this.condemned = condemned;
    this.outOf = outOf;
  }
}

/** `allowed` is what the operator has said may go in this run, or null. */
export function createBrake(allowed: number | null): Brake {
  return {
    check(condemned, outOf, unremarkable = unremarkableCount) {
      if (condemned <= Math.max(unremarkable, allowed ?? 0, Math.floor(outOf * plausibleShare))) return;
      throw new Braked(condemned, outOf);
    },
  };
}
