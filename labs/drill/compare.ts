/** Compares a restored service with the model: files, names, bytes, credentials, plans, holds and usage. */
import { createClient } from '@holdfast/contract/src/client.ts';
import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect } from 'vitest';
import { isPassword } from '../../server/src/accounts/password.ts';
import { call } from '../../server/test/harness/calls.ts';
import type { TestServer } from '../../server/test/harness/start-server.ts';
import { levelOf, type ModelFile, type Person } from './people.ts';
import { storedNames } from '../../server/test/harness/stored-bytes.ts';

const pageSize = 500;

export async function comparePeople(server: TestServer, people: readonly Person[]): Promise<void> {
  const known = people.filter(({ isLost }) => !isLost);
  for (const person of people) await compareKeys(server, person);
  for (const person of known) if (!person.isClosed) await compareAccount(server, person);
  for (const person of people) for (const file of person.files) await compareBytes(server, file);
}

/** Only the newest key of an open account works. */
async function compareKeys(server: TestServer, { apiKey, oldKeys, isClosed, isLost, email }: Person): Promise<void> {
  const statusOf = async (key: string) =>
    (await call(server, '/api/v3/rest/get-account-info', { headers: { 'X-API-Key': key } })).status;
  expect(await statusOf(apiKey), email).toBe(isClosed || isLost ? 401 : 200);
  for (const old of oldKeys) expect(await statusOf(old), email).toBe(401);
}

async function compareAccount(server: TestServer, person: Person): Promise<void> {
  const { email, id, apiKey, password, oldPasswords, autoDeleteDays, isContinuous } = person;
  const client = createClient(fetch, { origin: server.url, apiKey });
  const live = person.files.filter(({ state, isLost }) => state === 'live' && !isLost);
  const { account } = await client.getAccountInfo();
  expect(account.info.level, email).toBe(standardPlans[levelOf(person)].name);
  expect(account.info.api_key).toBe(apiKey);
  const space = live.reduce((sum, { bytes }) => sum + Buffer.byteLength(bytes), 0);
  expect(account.usage, email).toEqual({ space_used: space, slots_used: live.length });
  const { settings } = (await client.getAccountSettings()).account;
  expect([settings.inactivity_auto_delete_days, settings.continuous_uploading], email).toEqual([
    autoDeleteDays,
    isContinuous,
  ]);
  const { password_hash: hash } = await server.context.db
    .selectFrom('accounts')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (oldPasswords.length > 0) {
    expect(await isPassword(password, hash), email).toBe(true);
    for (const old of oldPasswords) expect(await isPassword(old, hash), email).toBe(false);
  }
  const told = new Map<string, unknown>();
  for (let page = 1; told.size < live.length || page === 1; page += 1) {
    const { files } = await client.getFileList({ query: { page, limit: pageSize } });
    for (const { name, original_name, is_favorite } of files) told.set(name, [original_name, is_favorite]);
    if (files.length === 0) break;
  }
  expect(told, email).toEqual(
    new Map(
      live.map(({ name, originalName, favorite, wasFavorite }) => [name, [originalName, favorite || wasFavorite]]),
    ),
  );
}

async function compareBytes(server: TestServer, { name, bytes, state, isLost }: ModelFile): Promise<void> {
  const { status, text } = await call(server, `/file/${name}?no-count=true`);
  if (state === 'live' && !isLost) expect([name, status, text]).toEqual([name, 200, bytes]);
  else expect([name, status]).toEqual([name, 404]);
}

/** Cases, notices, blocks and discards are as they were when the list of deletions was written. */
export type Holds = Awaited<ReturnType<typeof readHolds>>;

export async function readHolds({ context: { db } }: TestServer, people: readonly Person[]) {
  const lost = new Set(people.filter(({ isLost }) => isLost).map(({ id }) => id));
  const sorted = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).toSorted();
  const takedowns = await db.selectFrom('takedowns').selectAll().execute();
  return {
    cases: sorted(await db.selectFrom('takedown_cases').selectAll().execute()),
    takedowns: sorted(takedowns.filter(({ account_id }) => !lost.has(account_id))),
    blocked: sorted(await db.selectFrom('blocked_digests').selectAll().execute()),
    discarded: sorted(await db.selectFrom('discarded_digests').selectAll().execute()),
    held: sorted(
      await db.selectFrom('blobs').select(['sha256', 'held_for']).where('held_for', 'is not', null).execute(),
    ),
  };
}

/** After the purge the storage contains only bytes that a file uses or a hold keeps. */
export async function compareStorage(server: TestServer): Promise<void> {
  const needed = await server.context.db
    .selectFrom('blobs')
    .select('id')
    .where((eb) => eb.or([eb('used_by', '>', 0), eb('held_for', 'is not', null)]))
    .execute();
  expect(new Set(await storedNames(server))).toEqual(new Set(needed.map(({ id }) => id)));
}
