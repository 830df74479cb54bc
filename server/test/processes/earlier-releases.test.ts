/**
 * Today's program on the data of each earlier release, which `server/test/earlier-releases/record.ts` has recorded: on
 * the data folder itself, on a recorded PostgreSQL database, or on a data folder that was moved to PostgreSQL.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { calls } from '@holdfast/contract/src/calls.ts';
import type { Kept, KeptAccount } from '../earlier-releases/kept.ts';
import { readConfig } from '../../src/config/config.ts';
import { holdfast } from '../harness/holdfast.ts';
import { newPlace } from '../harness/new-place.ts';
import { startServerProcess } from '../harness/server-process.ts';
import { formWith } from '../harness/uploads.ts';

const folder = fileURLToPath(new URL('../earlier-releases/', import.meta.url));
const isPostgres = process.env['TEST_DATABASE'] === 'postgres';
const isForPostgres = (archive: string) => archive.endsWith('-postgres.tar.gz');
const releases = (await readdir(folder))
  .filter((name) => name.endsWith('.tar.gz') && (isPostgres || !isForPostgres(name)))
  .toSorted();

test('the data of earlier releases is there', () => {
  expect(releases.length).toBeGreaterThan(0);
});

describe.each(releases)('%s', (release) => {
  test('every account, file, setting and link is kept', async () => {
    const { kept, place } = await bring(release);
    await using server = await startServerProcess({ ...place.environment, TRUST_PROXY: '127.0.0.1' });
    const origin = await server.listening;
    for (const [at, account] of kept.accounts.entries()) await expectKept(origin, account, from(`192.0.2.${at}`));
    server.stop();
    expect(await server.ended).toBe(0);
    expect(await holdfast(place, 'fsck', '--scrub')).toMatchObject({ code: 0, err: '' });
  });
});

/** Returns a place with the recorded data, and what must be kept of it. */
async function bring(release: string) {
  const place = await newPlace();
  const recorded = (part: string) => join(place.dataDir, part);
  await promisify(execFile)('tar', ['-xzf', join(folder, release), '-C', place.dataDir]);
  const kept = JSON.parse(await readFile(recorded('kept.json'), 'utf8')) as Kept;
  const environment = { DATA_DIR: recorded('data') };
  const earlier = { ...place, dataDir: recorded('data'), environment, context: { config: readConfig(environment) } };
  if (!isPostgres) return { kept, place: earlier };
  const { DATABASE_URL: database = '' } = place.environment;
  const moved = { ...environment, DATABASE_URL: database };
  const present = { ...earlier, environment: moved, context: { config: readConfig(moved) } };
  if (isForPostgres(release)) {
    await load(database, await readFile(recorded('database.sql'), 'utf8'));
    return { kept, place: present };
  }
  expect(await holdfast(earlier, 'migrate')).toMatchObject({ code: 0 });
  expect(await holdfast(earlier, 'move', '--to-database', database)).toMatchObject({ code: 0 });
  return { kept, place: present };
}

/** Loads a dump, which names its schema and has commands for psql, into the schema of a test. */
async function load(database: string, dump: string): Promise<void> {
  const schema = /search_path%3D(\w+)/.exec(database)?.[1] ?? '';
  const client = new pg.Client(database);
  await client.connect();
  try {
    await client.query(dump.replaceAll(/^\\.*$/gm, '').replaceAll(/\bpublic\./g, `${schema}.`));
  } finally {
    await client.end();
  }
}

/** Requests of another client address each, because one may make four calls in a second. */
function from(address: string): typeof fetch {
  return (input, init) => {
    const headers = new Headers(init?.headers);
    headers.set('X-Forwarded-For', address);
    return fetch(input, { ...init, headers });
  };
}

async function expectKept(origin: string, account: KeptAccount, send: typeof fetch): Promise<void> {
  const replyTo = async ({ path }: { readonly path: string }, query = ''): Promise<unknown> => {
    const response = await send(origin + path + query, { headers: { 'X-API-Key': account.apiKey } });
    return JSON.parse((await response.text()).replaceAll(`localhost:${new URL(origin).port}`, 'HOST'));
  };
  expect(await replyTo(calls.getFileList, '?limit=100')).toMatchObject(account.list);
  expect(await replyTo(calls.getAccountInfo)).toMatchObject(account.info as object);
  expect(await replyTo(calls.getAccountSettings)).toMatchObject(account.settings as object);
  for (const [name, sha256] of account.digests) {
    const response = await fetch(`${origin}/file/${name}`);
    expect(
      createHash('sha256')
        .update(new Uint8Array(await response.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256);
  }
  for (const name of account.deleted) expect((await fetch(`${origin}/file/${name}`)).status).toBe(404);
  if (account.keyed) {
    const { key, text, name } = account.keyed;
    const response = await send(origin + calls.upload.path, {
      method: 'POST',
      headers: { 'X-API-Key': account.apiKey, 'Idempotency-Key': key },
      body: formWith(text),
    });
    expect(await response.json()).toMatchObject({ url: expect.stringContaining(`/file/${name}`) as string });
  }
  const { email, password } = account;
  const signedIn = await send(origin + calls.login.path, {
    method: calls.login.method,
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  expect(signedIn.status).toBe(200);
}
