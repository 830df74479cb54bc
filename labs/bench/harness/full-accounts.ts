import { join } from 'node:path';
import { apiKeyHash, newApiKey, sealApiKey } from '@holdfast/server/src/accounts/api-key.ts';
import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { createTestClock } from '@holdfast/test-support/test-clock.ts';
import { type Engine, openStore } from './engine.ts';
import { type Holdfast, startHoldfast } from './holdfast.ts';

export interface FullAccount {
  readonly apiKey: string;
  /** Names of `count` small files, oldest first. */
  readonly names: readonly string[];
}

export interface FullAccounts extends AsyncDisposable {
  readonly server: Holdfast;
  readonly accounts: readonly FullAccount[];
}

const size = 1_000;
/** Size of a new file that needs the space of this number of files. */
export const bytesOf = (files: number): number => files * size;

/**
 * Starts a server with accounts that are full to the last byte, with Continuous Uploading on; one favorite takes the
 * space that the small files leave.
 */
export async function openFullAccounts(
  engine: Engine,
  folder: string,
  wanted: { readonly accounts: number; readonly files: number },
): Promise<FullAccounts> {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, engine), { durable: true }));
  const db = await store.open();
  const clock = createTestClock(Date.now() - wanted.accounts * wanted.files * 2_000);
  const accounts: FullAccount[] = [];
  for (let at = 0; at < wanted.accounts; at += 1) {
    const [id, apiKey] = [`full-${at}`, newApiKey()];
    const email = `${id}@example.com`;
    await db
      .insertInto('accounts')
      .values({
        id,
        email,
        email_key: email,
        name: id,
        password_hash: '',
        level: 'starter',
        continuous_uploading: 1,
        key_hash: apiKeyHash(apiKey),
        key_sealed: sealApiKey(store, id, apiKey),
        created_at: 0,
        verified_at: 0,
        last_active_at: Date.now(),
      })
      .execute();
    const small = Array.from({ length: wanted.files }, () => ({ size }));
    const large = { size: standardPlans.starter.spaceQuota - bytesOf(wanted.files), favorite: true };
    const names = await storeRows({ context: { db }, clock }, { email }, [...small, large]);
    accounts.push({ apiKey, names: names.slice(0, -1) });
  }
  await db.destroy();
  const server = opened.use(await startHoldfast(store.dataDir, { TRUST_PROXY: '127.0.0.1', ...store.environment }));
  const held = opened.move();
  return { server, accounts, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
