/** What a job's row tells of its runs. */
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
      braked_at: null,
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

/** Since when stays, however often it is stopped again. */
export async function noteBraked({ db, clock }: Parts, name: string, error: unknown): Promise<void> {
  await noteFailed({ db }, name, error);
  await raiseAlarm({ db, clock }, name);
}

/** From here on the job counts as stopped, until a run ends well. */
export async function raiseAlarm({ db, clock }: Parts, name: string): Promise<void> {
  const first = db.updateTable('jobs').set({ braked_at: clock.now() }).where('name', '=', name);
  await first.where('braked_at', 'is', null).execute();
}

/** What the operator has allowed counts for one run; what was said since then is for the next. */
export async function forgetAllowance({ db }: Pick<Context, 'db'>, name: string, allowed: number): Promise<void> {
  await db.updateTable('jobs').set({ allowed: null }).where('name', '=', name).where('allowed', '=', allowed).execute();
}

/** The sums of everything that a job ever did, by what it was. */
export function readDone(json: string): JobResult {
  return JSON.parse(json) as JobResult;
}

function addUp(before: JobResult, result: JobResult): JobResult {
  const sums: Record<string, number> = { ...before };
  for (const [what, count] of Object.entries(result)) sums[what] = (sums[what] ?? 0) + count;
  return sums;
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error)).slice(0, 300);
