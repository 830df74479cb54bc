import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { queueEmail } from '../email/queue-email.ts';
import { renewedKey } from './api-key.ts';
import { announceKeyChange, limitKeyChanges } from './auth-limits.ts';
import { keyChangedEmail } from '../email/templates.ts';

/**
 * Replaces the account's API key. The old key is invalid once this resolves.
 * @throws {Failure} TOO_MANY_ATTEMPTS, AUTH_REQUIRED when the account was closed meanwhile.
 */
export async function changeApiKey(context: Context, account: AccountRow): Promise<string> {
  await limitKeyChanges(context, account.id);
  const { key, columns } = renewedKey(context, account.id);
  await announceKeyChange(context, account.id, (isTold) => store(context, account, columns, isTold));
  return key;
}

async function store(
  context: Context,
  account: AccountRow,
  columns: ReturnType<typeof renewedKey>['columns'],
  isTold: boolean,
): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const changed = await tx
      .updateTable('accounts')
      .set(columns)
      .where('id', '=', account.id)
      .where('closed_at', 'is', null)
      .executeTakeFirst();
    if (Number(changed.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
    if (isTold) await queueEmail({ ...context, db: tx }, keyChangedEmail(context, account.email));
  });
}
