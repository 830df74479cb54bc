import { sql } from 'kysely';
import type { Context } from '../context.ts';

/** Stops a run that would delete an implausible share of everything. */
export interface DeletionLimit {
  /** Deletions that an operator has allowed in this run. */
  readonly allowed: number | null;
  /** Up to `unremarkable` deletions no share is implausible. */
  admits(deletions: number, outOf: number, unremarkable?: number): boolean;
  /** @throws {DeletionLimitExceeded} */
  check(deletions: number, outOf: number, unremarkable?: number): void;
}

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

export function createDeletionLimit(allowed: number | null): DeletionLimit {
  const admits: DeletionLimit['admits'] = (deletions, outOf, unremarkable = unremarkableCount) =>
    deletions <= Math.max(unremarkable, allowed ?? 0, Math.floor(outOf * plausibleShare));
  return {
    allowed,
    admits,
    check(deletions, outOf, unremarkable) {
      if (!admits(deletions, outOf, unremarkable)) throw new DeletionLimitExceeded(deletions, outOf);
    },
  };
}

export async function countLiveFiles({ db }: Pick<Context, 'db'>): Promise<number> {
  const { files } = await db
    .selectFrom('accounts')
    .select(sql<number>`cast(coalesce(sum(slots_used), 0) AS bigint)`.as('files'))
    .where('closed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return files;
}
