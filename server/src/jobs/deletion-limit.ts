/**
 * The deletion limit stops a run that would delete an implausible share of everything (a clock that jumped, a wrong
 * query) before it has deleted anything.
 */
export interface DeletionLimit {
  /**
   * Call it before the first deletion of a run with the number of rows to delete and their total. Up to `unremarkable`
   * deletions no share is implausible, because a small site may empty itself.
   * @throws {DeletionLimitExceeded}
   */
  check(deletions: number, outOf: number, unremarkable?: number): void;
}

/** Number of deletions up to which no share is implausible, unless a job sets a lower one. */
const unremarkableCount = 100;
const plausibleShare = 0.05;

export class DeletionLimitExceeded extends Error {
  readonly deletions: number;
  readonly outOf: number;

  constructor(
    deletions: number,
    outOf: number,
    says = `It would delete ${deletions} of ${outOf}, which is implausibly much.`,
  ) {
    super(says);
    this.name = 'DeletionLimitExceeded';
    this.deletions = deletions;
    this.outOf = outOf;
  }
}

/** `allowed` is the number of deletions that the operator has allowed for this run, or null. */
export function createDeletionLimit(allowed: number | null): DeletionLimit {
  return {
    check(deletions, outOf, unremarkable = unremarkableCount) {
      if (deletions <= Math.max(unremarkable, allowed ?? 0, Math.floor(outOf * plausibleShare))) return;
      throw new DeletionLimitExceeded(deletions, outOf);
    },
  };
}
