import { join } from 'node:path';
import { apiKeyHash, newApiKey } from '../../server/src/accounts/api-key.ts';
import { plans } from '../../contract/src/plans.ts';
import { openPostgres } from '../../server/src/engines/database/postgres.ts';
import { openSqlite } from '../../server/src/engines/database/sqlite.ts';
import { startPostgres } from '../../server/test/harness/start-postgres.ts';
import { storeRows } from '../../server/test/harness/stored-rows.ts';
import { createTestClock } from '../../server/test/harness/test-clock.ts';
import type { Engine } from './file-lists.ts';
import { type Holdfast, startHoldfast } from './holdfast.ts';

export interface FullAccount {
  readonly apiKey: string;
  /** Of `count` small files, the oldest ones first. */
  readonly names: readonly string[];
}

export interface FullAccounts extends AsyncDisposable {
  readonly server: Holdfast;
  readonly accounts: readonly FullAccount[];
}

const size = 1_000;
/** What a new file must have to need the room of so many files. */
export const bytesOf = (files: number): number => files * size;

/** A server with accounts that are full to the last byte, Continuous Uploading on; one favorite holds what small files leave. */
export async function openFullAccounts(
  engine: Engine,
  folder: string,
  wanted: { readonly accounts: number; readonly files: number },
): Promise<FullAccounts> {
  await using opened = new AsyncDisposableStack();
  const dataDir = join(folder, engine);
  const url = engine === 'PostgreSQL' ? `${opened.use(await startPostgres()).url}/postgres` : null;
  const db = url === null ? await openSqlite(join(dataDir, 'holdfast.db')) : await openPostgres(url, { warn() {} });
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
        key_sealed: '',
        created_at: 0,
        verified_at: 0,
        last_active_at: Date.now(),
      })
      .execute();
    const small = Array.from({ length: wanted.files }, () => ({ size }));
    const large = { size: plans.starter.spaceQuota - bytesOf(wanted.files), favorite: true };
    const names = await storeRows({ context: { db }, clock }, { email }, [...small, large]);
    accounts.push({ apiKey, names: names.slice(0, -1) });
  }
  await db.destroy();
  const environment = { TRUST_PROXY: '127.0.0.1', ...(url !== null && { DATABASE_URL: url }) };
  const server = opened.use(await startHoldfast(dataDir, environment));
  const held = opened.move();
  return { server, accounts, [Symbol.asyncDispose]: () => held.disposeAsync() };
}
