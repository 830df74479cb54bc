import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import { type Account, password } from './account.ts';
import type { Store } from './engine.ts';

/** Creates verified Power accounts in the database of a server that does not run yet. */
export async function createAccounts(store: Store, count: number): Promise<Account[]> {
  await using db = await store.open();
  const accounts: Account[] = [];
  for (let at = 1; at <= count; at += 1) {
    const email = `account${at}@example.com`;
    const rows = await newAccountRows({ email, password, plan: 'power', now: Date.now(), secret: store.secret });
    await db.insertInto('accounts').values(rows.account).execute();
    accounts.push({ email, apiKey: rows.apiKey, localAddress: `127.0.1.${at}` });
  }
  return accounts;
}
