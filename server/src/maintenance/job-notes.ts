/** Notes about a job's runs, in its row. */
import type { Context } from '../context.ts';
import type { JobResult } from './job.ts';

type Parts = Pick<Context, 'db' | 'clock'>;

export async function noteDone({ db, clock }: Parts, name: string, result: JobResult, tookMs: number): Promise<void> {
  const row = await db.selectFrom('jobs').select('done').where('name', '=', name).executeTakeFirst();
  await db
    .updateTable('jobs')
    .set({
      last_success_at: clock.now(),
      last_took: Math.round(tookMs),
      last_error: null,
      deletion_limit_exceeded_at: null,
      done: JSON.stringify(addUp(readDone(row?.done ?? '{}'), result)),
    })
    .where('name', '=', name)
    .execute();
}

export async function noteFailed({ db }: Pick<Context, 'db'>, name: string, error: unknown): Promise<void> {
  await db
    .updateTable('jobs')
    .set((eb) => ({ last_error: messageOf(error), failures: eb('failures', '+', 1) }))
    .where('name', '=', name)
    .execute();
}

/** Keeps the time of the first stop, however often the job is stopped again. */
export async function noteDeletionLimitExceeded({ db, clock }: Parts, name: string, error: unknown): Promise<void> {
  await noteFailed({ db }, name, error);
  await raiseAlarm({ db, clock }, name);
}

/** Marks the job as stopped until a run succeeds. */
export async function raiseAlarm({ db, clock }: Parts, name: string): Promise<void> {
  const first = db.updateTable('jobs').set({ deletion_limit_exceeded_at: clock.now() }).where('name', '=', name);
  await first.where('deletion_limit_exceeded_at', 'is', null).execute();
}

/** An operator's allowance applies to one run; a new one set in the meantime is for the next. */
export async function forgetAllowance({ db }: Pick<Context, 'db'>, name: string, allowed: number): Promise<void> {
  await db.updateTable('jobs').set({ allowed: null }).where('name', '=', name).where('allowed', '=', allowed).execute();
}

/** Totals of everything that a job ever did, by kind. */
export function readDone(json: string): JobResult {
  return JSON.parse(json) as JobResult;
}

function addUp(before: JobResult, result: JobResult): JobResult {
  const sums: Record<string, number> = { ...before };
  for (const [what, count] of Object.entries(result)) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300);
