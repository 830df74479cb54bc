import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';

/** All state of one account that the deletion rules may change, for comparison before and after. */
export async function stateOf({ context: { db } }: Pick<TestServer, 'context'>, { email }: Pick<SignedIn, 'email'>) {
  const account = await db
    .selectFrom('accounts')
    .select(['id', 'space_used', 'slots_used'])
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  const files = await db
    .selectFrom('files')
    .select(['name', 'size', 'is_favorite', 'blob_id'])
    .where('account_id', '=', account.id)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
  const activity = await db
    .selectFrom('activity')
    .select(['event', 'name', 'size', 'files'])
    .where('account_id', '=', account.id)
    .orderBy('id')
    .execute();
  const blobs = await db.selectFrom('blobs').select(['id', 'used_by', 'unused_since']).orderBy('id').execute();
  const { space_used, slots_used } = account;
  return { id: account.id, space_used, slots_used, names: files.map(({ name }) => name), files, activity, blobs };
}

/** The totals that an account's usage must match at any time. */
export function sumsOf({ files }: Awaited<ReturnType<typeof stateOf>>) {
  return { space_used: files.reduce((sum, { size }) => sum + size, 0), slots_used: files.length };
}
