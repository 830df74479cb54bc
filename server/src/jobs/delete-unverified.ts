import { forgetSignUps } from '../accounts/close-account.ts';
import { pendingFor } from '../accounts/sealed-cookies.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { skipLocked } from '../storage/db/lock-rows.ts';
import { daysAgo } from '../lib/calendar-days.ts';
import type { Job } from './job.ts';
import { inBatches } from '../storage/db/batches.ts';

const closedAtOnce = 50;

/** No deletion limit applies: a bot that creates thousands of accounts must not be able to stop this job. */
export const deleteUnverified: Job = {
  name: 'delete-unverified',
  pattern: '41 3 * * *',
  deletesByAge: true,
  async run({ context: { db, clock }, dryRun, signal }) {
    const now = clock.now();
    if (!dryRun)
      return { accounts: await inBatches(signal, () => db.transaction().execute((tx) => closeSome(tx, now))) };
    return { accounts: (await unverified(db, now).execute()).length };
  },
};

async function closeSome(tx: Transaction, now: number): Promise<number> {
  const found = await skipLocked(tx, unverified(tx, now).limit(closedAtOnce)).execute();
  const ids = found.map((row) => row.id);
  if (ids.length === 0) return 0;
  await forgetSignUps(tx, ids, now);
  return ids.length;
}

/** An owner who was sent a code lately, or whose link still works, is still coming. */
const unverified = (db: Database | Transaction, now: number) =>
  db
    .selectFrom('accounts')
    .select('id')
    .where('verified_at', 'is', null)
    .where('asked_at', 'is', null)
    .where('closed_at', 'is', null)
    .where('created_at', '<=', daysAgo(now, 7))
    .where('slots_used', '=', 0)
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('email_codes')
        .select('email_codes.account_id')
        .where('email_codes.sent_at', '>', now - pendingFor),
    )
    .where('id', 'not in', (eb) =>
      eb
        .selectFrom('reset_keys')
        .select((row) => row.ref('reset_keys.account_id').$notNull().as('account_id'))
        .where('reset_keys.expires_at', '>', now)
        // With a null in the list, NOT IN would match no row.
        .where('reset_keys.account_id', 'is not', null),
    );
