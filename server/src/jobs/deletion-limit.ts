import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { OperatorError } from '../lib/operator-error.ts';

const unremarkableCount = 100;
const plausibleShare = 0.05;

export class DeletionLimitExceeded extends OperatorError {
  override readonly name = 'DeletionLimitExceeded';
}

export type DeletionLimit = ReturnType<typeof createDeletionLimit>;

/** Stops a run that would delete an implausible share of everything, or more than an operator has allowed. */
export function createDeletionLimit(allowed: number | null) {
  const admits = (deletions: number, outOf: number, unremarkable = unremarkableCount): boolean =>
    deletions <= (allowed ?? Math.max(unremarkable, Math.floor(outOf * plausibleShare)));
  return {
    allowed,
    admits,
    check(deletions: number, outOf: number, unremarkable?: number): void {
      if (!admits(deletions, outOf, unremarkable))
        throw new DeletionLimitExceeded(
          `It would delete ${deletions} of ${outOf}, which is ${allowed === null ? 'implausibly much' : `more than ${allowed}`}.`,
        );
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
