import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import { lockRows } from '../engines/database/lock-rows.ts';
import type { Schema } from '../engines/database/schema.ts';
import { removeFiles } from '../files/remove-files.ts';
import { days } from '../lib/clock.ts';
import { hasClockJumped } from './clock-jump.ts';
import { countLiveFiles } from './count-live-files.ts';
import type { Job, JobRun } from './job.ts';
import { noteRunning, readRunningTime, type RunningTime } from './running-time.ts';

/** Accounts or files that are looked at in one statement, and files that are deleted in one transaction. */
const atOnce = 250;

/**
 * Deletes files that nobody has accessed for as many days of running time as their owner has set or, never accessed, that
 * were uploaded or given back so long ago. Never favorites. Every GET that is answered 200, 206 or 304 is an access, unless it is a preview.
 */
export const autoDelete: Job = {
  name: 'auto-delete',
  pattern: '17 2 * * *',
  async run(run) {
    const { context, memory, dryRun, brake } = run;
    if (!dryRun) await noteRunning(context);
    if (await hasClockJumped(context)) return { files: 0 };
    const running = await readRunningTime(context);
    // An access that waits in this process's memory counts.
    await memory.writeAccesses?.();
    const condemned = await eachCondemned(run, running, async ({ ids }) => ids.length);
    if (dryRun) return { files: condemned };
    brake.check(condemned, await countLiveFiles(context));
    return { files: await eachCondemned(run, running, (some) => deleteCondemned(run, running, some)) };
  },
};

interface Condemned {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/** Goes through what is old enough, in bounded steps, and answers the sum of what `step` answers. */
async function eachCondemned(
  { context, signal }: JobRun,
  running: RunningTime,
  step: (some: Condemned) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for await (const { id, nights } of accountsWithAutoDelete(context))
    for await (const ids of condemnedFiles(context, id, running.limitOf(days(nights)))) {
      signal.throwIfAborted();
      if (ids.length > 0) sum += await step({ accountId: id, ids });
      // On SQLite a statement never leaves the thread: requests get their turn.
      await nextTurn();
    }
  return sum;
}

async function* accountsWithAutoDelete({ db }: Context) {
  for (let last = ''; ;) {
    const accounts = await db
      .selectFrom('accounts')
      .select(['id', 'inactivity_auto_delete_days as nights'])
      .where('inactivity_auto_delete_days', '>', 0)
      .where('closed_at', 'is', null)
      .where('id', '>', last)
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield* accounts;
    if (accounts.length < atOnce) return;
    last = accounts.at(-1)?.id ?? '';
  }
}

/** All old uploads of an account, a step at a time, less those that were accessed or given back since or are favorites. */
async function* condemnedFiles({ db }: Context, accountId: string, limit: number) {
  for (let last = { uploaded_at: -1, id: '' }; ;) {
    const after = last;
    const files = await db
      .selectFrom('files')
      .select(['id', 'uploaded_at', 'last_accessed_at', 'returned_at', 'is_favorite'])
      .where('account_id', '=', accountId)
      .where('deleted_at', 'is', null)
      .where('uploaded_at', '<=', limit)
      .where('uploaded_at', '>=', after.uploaded_at)
      .where((eb) => eb.or([eb('uploaded_at', '>', after.uploaded_at), eb('id', '>', after.id)]))
      .orderBy('uploaded_at')
      .orderBy('id')
      .limit(atOnce)
      .execute();
    yield files
      .filter((file) => file.is_favorite === 0 && file.last_accessed_at <= limit && file.returned_at <= limit)
      .map(({ id }) => id);
    if (files.length < atOnce) return;
    last = files.at(-1) ?? last;
  }
}

/** By the setting and the files as they are now: what was favored or accessed since it was counted stays. */
async function deleteCondemned(
  { context, memory }: JobRun,
  running: RunningTime,
  { accountId, ids }: Condemned,
): Promise<number> {
  const removed = await context.db.transaction().execute(async (tx) => {
    const account = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
    await lockRows(tx, account);
    const setting = await account.select('inactivity_auto_delete_days').executeTakeFirst();
    const nights = setting?.inactivity_auto_delete_days ?? 0;
    if (nights === 0) return [];
    return removeFiles(tx, { accountId, reason: 'inactivity', now: context.clock.now() }, (eb) =>
      eb.and([eb('id', 'in', ids), isCondemned(eb, running.limitOf(days(nights)))]),
    );
  });
  memory.forget(removed.map(({ blob_id }) => blob_id));
  return removed.length;
}

/** Never accessed and never given back are 0. */
const isCondemned = (eb: ExpressionBuilder<Schema, 'files'>, limit: number) =>
  eb.and([
    eb('is_favorite', '=', 0),
    eb('uploaded_at', '<=', limit),
    eb('last_accessed_at', '<=', limit),
    eb('returned_at', '<=', limit),
  ]);
