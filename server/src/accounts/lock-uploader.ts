import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Plan } from '@holdfast/contract/src/plans.ts';
import type { Database, Transaction } from '../storage/db/database.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { type Bound, rowsOf, statement } from '../storage/db/statement.ts';
import { mayAddOne, oneAdded, oneMore } from './files-a-day.ts';
import type { Caller } from './identify.ts';
import { before, hasRoom, used } from './quota.ts';

/**
 * With a key changed or a session ended since the upload began, nothing is stored.
 * @throws {Failure} AUTH_INVALID_KEY, AUTH_REQUIRED.
 */
export async function lockUploader(tx: Transaction, caller: Caller, now: number): Promise<AccountRow> {
  const [account] = await rowsOf(tx, locks[caller.by](tx, { ...credentialsOf(caller), now }));
  if (account) return account;
  throw new Failure(caller.by === 'key' ? 'AUTH_INVALID_KEY' : 'AUTH_REQUIRED');
}

/** Finds no row unless the account still has the plan and the limits of its caller, and may add such a file. */
export function lockAndReserve(
  tx: Transaction,
  caller: Caller,
  plan: Plan,
  size: number,
  now: number,
): Bound<Pick<AccountRow, 'id'>> {
  const { level, own_limits: ownLimits } = caller.account;
  const values = { ...credentialsOf(caller), level, ownLimits, size, ...before(plan, size, 1), ...oneMore(plan, now) };
  return reservations[caller.by](tx, values);
}

interface Credentials {
  readonly accountId: string;
  readonly keyHash: string;
  readonly sessionId: string;
}

const credentialsOf = ({ account, sessionId }: Caller): Credentials => ({
  accountId: account.id,
  keyHash: account.key_hash,
  sessionId: sessionId ?? '',
});

const updateIfLetIn = (by: Caller['by'], db: Database, { accountId, keyHash, sessionId }: Credentials) =>
  db
    .updateTable('accounts')
    .where('id', '=', accountId)
    .where('closed_at', 'is', null)
    .where((eb) =>
      by === 'key'
        ? eb('key_hash', '=', keyHash)
        : eb.exists(
            eb
              .selectFrom('sessions')
              .select('sessions.id')
              .where('sessions.id', '=', sessionId)
              .whereRef('sessions.account_id', '=', 'accounts.id'),
          ),
    )
    .modifyEnd(prepared);

type Lock = Credentials & { readonly now: number };

const lock = (by: Caller['by']) =>
  statement((db, values: Lock) => updateIfLetIn(by, db, values).set({ last_active_at: values.now }).returningAll());

interface Reservation extends Credentials, ReturnType<typeof before>, ReturnType<typeof oneMore> {
  readonly level: AccountRow['level'];
  readonly ownLimits: string;
  readonly size: number;
}

const reservation = (by: Caller['by']) =>
  statement((db, values: Reservation) =>
    updateIfLetIn(by, db, values)
      .set((eb) => ({ ...used(eb, values.size, 1), ...oneAdded(eb, values) }))
      .where('level', '=', values.level)
      .where('own_limits', '=', values.ownLimits)
      .where((eb) => eb.and([hasRoom(eb, values), mayAddOne(eb, values)]))
      .returning('id'),
  );

const locks = { key: lock('key'), session: lock('session') };
const reservations = { key: reservation('key'), session: reservation('session') };
