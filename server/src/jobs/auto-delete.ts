import type { Context } from '../context.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import { removeFiles } from '../files/remove-files.ts';
import { days } from '../lib/clock.ts';
import { countLiveFiles } from './count-live-files.ts';
import { everyNight, inactiveFiles, isInactive } from './inactive-files.ts';
import type { Job, JobRun } from './job.ts';

/** Number of accounts or files read by one statement, and of files deleted in one transaction. */
const atOnce = 250;

/**
 * Deletes files that were not accessed, uploaded or given back within the number of days that their owner has set. Favorites are never deleted. Every GET that returns 200, 206 or 304 is an access, unless it is a
 * preview.
 */
export const autoDelete: Job = {
  name: 'auto-delete',
  pattern: everyNight,
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, deletionLimit } = run;
    const now = context.clock.now();
    const condemned = await eachCondemned(run, now, async ({ ids }) => ids.length);
    if (dryRun) return { files: condemned };
    deletionLimit.check(condemned, await countLiveFiles(context));
    return { files: await eachCondemned(run, now, (some) => deleteCondemned(run, now, some)) };
  },
};

interface Condemned {
  readonly accountId: string;
  readonly ids: readonly string[];
}

/** Walks the files that are old enough in bounded steps and returns the sum of the results of `step`. */
async function eachCondemned(
  { context, signal }: JobRun,
  now: number,
  step: (some: Condemned) => Promise<number>,
): Promise<number> {
  let sum = 0;
  for await (const { id, nights } of accountsWithAutoDelete(context))
    for await (const ids of inactiveFiles(context, id, now - days(nights))) {
      signal.throwIfAborted();
      if (ids.length > 0) sum += await step({ accountId: id, ids });
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

/** Checks the current setting and files again: a file that was favorited or accessed since the count is kept. */
async function deleteCondemned({ context }: JobRun, now: number, { accountId, ids }: Condemned): Promise<number> {
  return context.db.transaction().execute(async (tx) => {
    const account = tx.selectFrom('accounts').select('id').where('id', '=', accountId);
    await lockRows(tx, account);
    const setting = await account.select('inactivity_auto_delete_days').executeTakeFirst();
    const nights = setting?.inactivity_auto_delete_days ?? 0;
    if (nights === 0) return 0;
    const removed = await removeFiles(tx, { accountId, reason: 'inactivity', now: context.clock.now() }, (eb) =>
      eb.and([eb('id', 'in', ids), isInactive(eb, now - days(nights))]),
    );
    return removed.length;
  });
}
