/** `holdfast move`: a service is moved to another database and storage while it runs, and back. */
import { randomBytes } from 'node:crypto';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { openContext, openDatabase } from '../../src/context.ts';
import { openDiskBlobs } from '../../src/storage/blobs/disk.ts';
import { blobPath } from '../../src/storage/blobs/disk.ts';
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import {
  command,
  fill,
  killMove,
  lostFiles,
  moveTo,
  newOtherPlace,
  newService,
  newSqlitePlace,
  type Place,
  type RunningService,
  startCommand,
  startService,
  type StoredFile,
  uploadSteadily,
} from '../harness/place-to-move.ts';
import { newFolder } from '../harness/new-place.ts';
import { startServerProcess } from '../harness/server-process.ts';

/** Keeps everybody else from writing to the database of a place; they wait for a moment, and then give up. */
async function holdDatabase({ DATABASE_URL }: Place): Promise<AsyncDisposable> {
  if (DATABASE_URL.startsWith('sqlite:')) {
    const file = new DatabaseSync(DATABASE_URL.slice('sqlite:'.length));
    file.exec('BEGIN IMMEDIATE');
    return { [Symbol.asyncDispose]: async () => file.close() };
  }
  const client = new pg.Client(DATABASE_URL);
  await client.connect();
  await client.query('BEGIN; LOCK TABLE accounts IN SHARE MODE');
  return { [Symbol.asyncDispose]: () => client.end() };
}

const isReadOnly = 'accepts no changes now';

async function flipByte(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[0] = (bytes[0] ?? 0) ^ 1;
  await writeFile(path, bytes);
}

async function expectAll(service: RunningService, files: readonly StoredFile[]): Promise<void> {
  expect(await lostFiles(service, files)).toEqual([]);
}

async function expectClean(place: Place): Promise<void> {
  const { code, out, err } = await command(place, 'fsck', '--scrub');
  expect({ code, err, out }).toEqual({ code: 0, err: '', out: expect.stringMatching(/: all is well\.\n$/) as string });
}

test(
  'a service that is used meanwhile is moved and moved back, killed three times each way',
  { timeout: 480_000 },
  async () => {
    const { place, apiKey } = await newService();
    const other = await newOtherPlace(place);
    const back = await newSqlitePlace(place.DATA_DIR);
    const backups = await newFolder();
    expect(await command(place, 'backup', backups)).toMatchObject({ code: 0 });
    const files: StoredFile[] = [];
    for (const [from, to] of [
      [place, other],
      [other, back],
    ] as const) {
      await using service = await startService(from, apiKey);
      if (files.length === 0) files.push(...(await fill(service, 200)));
      const uploading = uploadSteadily(service, () => Math.ceil(Math.random() * 50_000));
      // The first and the last one may end before they are killed; then the next run has less to do.
      await killMove(from, [...moveTo(to), '--prepare'], (running) => running.says('Copying bytes'));
      expect(await command(from, ...moveTo(to), '--prepare')).toMatchObject({ code: 0 });
      {
        await using _ = await holdDatabase(to);
        expect(await killMove(from, moveTo(to), (running) => running.says(isReadOnly))).toBe(true);
      }
      expect(await service.upload(randomBytes(10))).toMatchObject({ status: 503 });
      await killMove(from, moveTo(to), (running) => running.says('The rows are copied'));
      const moved = await command(from, ...moveTo(to));
      await uploading.stop();
      expect(moved).toMatchObject({ code: 0 });
      expect(moved.out).toContain(`\nDATABASE_URL=${to.DATABASE_URL}\nBLOBS_URL=${to.BLOBS_URL}\n`);
      expect([...uploading.refusals]).toEqual([503]);
      expect(uploading.stored.length).toBeGreaterThan(0);
      files.push(...uploading.stored);
      await expectAll(service, files.slice(-5));
      await service.stop();
      await expectClean(to);
      expect(await command(to, 'backup', backups)).toMatchObject({ code: 0 });
      await using next = await startService(to, apiKey);
      await expectAll(next, files);
      files.push(...(await fill(next, 2)));
      await next.stop();
    }
  },
);

test(
  'in the last step changes are refused, also after a restart, and files are served',
  { timeout: 240_000 },
  async () => {
    const { place, apiKey } = await newService();
    const other = await newOtherPlace(place);
    await using service = await startService(place, apiKey);
    const files = await fill(service, 5);
    const moving = await startCommand(place, moveTo(other));
    await moving.says(isReadOnly);
    moving.signal('SIGSTOP');
    const refused = await service.upload(randomBytes(10));
    expect(refused).toEqual({
      status: 503,
      error: expect.stringMatching(/^This site is being moved/) as string,
      retryAfter: '30',
    });
    await expectAll(service, files);
    await using second = await startService(place, apiKey);
    expect(await second.upload(randomBytes(10))).toMatchObject({ status: 503 });
    await expectAll(second, files);
    // A command that changes something says why it cannot, and so does a server on the half of a copy.
    expect(await command(place, 'account', 'set-plan', 'ann@example.com', 'free')).toMatchObject({
      code: 1,
      err: 'This service is being moved to another place, or was, so nothing can be changed here.\n',
    });
    await using early = await startServerProcess({ ...other });
    expect(await early.ended).toBe(1);
    expect(early.log).toEqual([
      expect.stringMatching(/^A service is being moved into this database, and that has not/),
    ]);
    moving.signal('SIGCONT');
    expect(await moving.ended).toMatchObject({ code: 0 });
    expect(await second.upload(randomBytes(10))).toMatchObject({ status: 503 });
    await expectAll(second, files);
    for (const each of [service, second]) await each.stop();

    // Neither a server nor a command takes the place for the service any more.
    await using late = await startServerProcess({ ...place });
    expect(await late.ended).toBe(1);
    expect(late.log).toEqual([
      expect.stringMatching(/^This service was moved to .* at \d{4}-.*Z\. Change the settings/),
    ]);
    expect(await command(place, 'stats')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^This service was moved to/) as string,
    });
    // Only one of both settings was changed.
    await using half = await startServerProcess({ ...other, BLOBS_URL: place.BLOBS_URL });
    expect(await half.ended).toBe(1);
    expect(half.log).toEqual([
      "The files of this service were moved out of this storage. Set BLOBS_URL as 'holdfast move' printed it.",
    ]);
    await using moved = await startService(other, apiKey);
    await expectAll(moved, files);
  },
);

test(
  'a move that was killed in its last step is canceled, and another one starts afresh',
  { timeout: 240_000 },
  async () => {
    const { place, apiKey } = await newService();
    const other = await newOtherPlace(place);
    await using service = await startService(place, apiKey);
    const files = await fill(service, 20);
    const killed = await startCommand(place, moveTo(other));
    // After the rows it would be about to end, and not be canceled.
    await killed.says('The service accepts no changes now');
    killed.signal('SIGKILL');
    await killed.ended;
    expect(await service.upload(randomBytes(10))).toMatchObject({ status: 503 });
    const elsewhere = await newSqlitePlace(place.DATA_DIR);
    expect(await command(place, ...moveTo(elsewhere))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^The last step of a move to .* has begun\. Name the same places again/) as string,
    });
    expect(await command(place, 'move', '--cancel')).toMatchObject({ code: 0 });
    await expect.poll(() => service.upload(randomBytes(10))).toHaveProperty('name');
    // What was stored and deleted since must be as it is now, not as it was copied.
    const later = await fill(service, 5);
    const [first] = files;
    const [blob] = await blobsOf(place, files.slice(0, 1));
    if (!first || !blob) throw new Error('files were uploaded');
    expect(await service.deleteFile(first.name)).toBe(200);
    expect(await command(place, 'purge-now', '--yes')).toMatchObject({ code: 0 });
    const copied = () => stat(join(other.BLOBS_URL.slice('file:'.length), blobPath(blob))).catch(() => null);
    expect(await copied()).not.toBeNull();
    expect(await command(place, ...moveTo(other))).toMatchObject({ code: 0 });
    await service.stop();
    await using moved = await startService(other, apiKey);
    await expectAll(moved, [...files.slice(1), ...later]);
    expect(await moved.download(first.name)).toBe(404);
    expect(await copied()).toBeNull();
    await moved.stop();
    await expectClean(other);
    expect(await command(other, 'audit')).toMatchObject({ out: expect.stringMatching(/move[\s\S]*move/) as string });
  },
);

test('a move that has ended is canceled until a server runs in the new place', { timeout: 240_000 }, async () => {
  const { place, apiKey } = await newService();
  const other = await newOtherPlace(place);
  const files = await serve(place, apiKey, (service) => fill(service, 3));
  expect(await command(place, 'move', '--cancel')).toEqual({
    code: 1,
    out: '',
    err: 'This service is not being moved.\n',
  });
  expect(await command(place, ...moveTo(other))).toMatchObject({ code: 0 });
  expect(await command(place, 'move', '--cancel')).toMatchObject({
    code: 2,
    err: expect.stringContaining('--yes') as string,
  });
  expect(await command(place, ...moveTo(other), '--cancel')).toMatchObject({ code: 0 });
  await using closed = await startServerProcess({ ...other });
  expect(await closed.ended).toBe(1);
  await serve(place, apiKey, async (service) => {
    files.push(...(await fill(service, 2)));
  });
  expect(await command(place, ...moveTo(other))).toMatchObject({ code: 0 });
  await serve(other, apiKey, (service) => expectAll(service, files));
  expect(await command(place, ...moveTo(other), '--cancel')).toMatchObject({
    code: 1,
    err: expect.stringMatching(/^The service has run on .* since\. Move it back from there/) as string,
  });
  // Without the new place it is the operator's word that counts.
  expect(await command(place, 'move', '--cancel', '--yes')).toMatchObject({ code: 0 });
  await serve(place, apiKey, (service) => expectAll(service, files));
});

async function serve<T>(place: Place, apiKey: string, use: (service: RunningService) => Promise<T>): Promise<T> {
  await using service = await startService(place, apiKey);
  const result = await use(service);
  await service.stop();
  return result;
}

test(
  'only the bytes are moved: the new storage is used when all processes with the old one have ended',
  { timeout: 240_000 },
  async () => {
    const { place, apiKey } = await newService();
    const { BLOBS_URL } = await newSqlitePlace(place.DATA_DIR);
    const moved: Place = { ...place, BLOBS_URL };
    await using service = await startService(place, apiKey);
    const files = await fill(service, 20);
    expect(await command(place, 'move', '--to-blobs', BLOBS_URL, '--prepare')).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Blobs copied: \d+; there before: 0\./) as string,
    });
    files.push(...(await fill(service, 3)));
    const done = await command(place, 'move', '--to-blobs', BLOBS_URL);
    expect(done).toMatchObject({ code: 0, out: expect.stringContaining(`\nBLOBS_URL=${BLOBS_URL}\n`) as string });
    expect(done.out).not.toContain('DATABASE_URL');
    expect(await service.upload(randomBytes(10))).toMatchObject({ status: 503 });
    await expectAll(service, files);

    await using next = await startServerProcess({ ...moved });
    await expect
      .poll(() => next.log.join('\n'), { timeout: 30_000 })
      .toContain('waiting for processes that have the earlier storage');
    expect(await service.upload(randomBytes(10))).toMatchObject({ status: 503 });
    await service.stop();
    await next.listening;
    next.stop();
    await next.ended;
    files.push(...(await serve(moved, apiKey, (again) => fill(again, 2))));
    await rm(place.BLOBS_URL.slice('file:'.length), { recursive: true });
    await serve(moved, apiKey, (again) => expectAll(again, files));
    await expectClean(moved);
  },
);

test(
  'missing and damaged bytes stop a move before its last step, unless they are left',
  { timeout: 240_000 },
  async () => {
    const { place, apiKey } = await newService();
    const other = await newOtherPlace(place);
    const files = await serve(place, apiKey, (service) => fill(service, 6));
    const [missing, damaged] = await blobsOf(place, files.slice(-2));
    const folder = place.BLOBS_URL.slice('file:'.length);
    if (!missing || !damaged) throw new Error('two files were uploaded');
    await rm(join(folder, blobPath(missing)));
    await flipByte(join(folder, blobPath(damaged)));
    const refused = await command(place, ...moveTo(other));
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(
      `Blobs that files need are missing (1) or damaged (1) here: ${missing}, ${damaged}. Repair them`,
    );
    // The service was not made read-only.
    await serve(place, apiKey, (service) => fill(service, 1));
    const left = await command(place, ...moveTo(other), '--leave-damaged');
    expect(left).toMatchObject({
      code: 0,
      out: expect.stringContaining('2 blobs missing or damaged as before') as string,
    });
    await serve(other, apiKey, (service) => expectAll(service, files.slice(0, -2)));
    expect((await command(other, 'fsck', '--scrub')).out).toMatch(/bytes-missing: [\s\S]*bytes-missing: /);
  },
);

async function blobsOf(place: Place, files: readonly StoredFile[]): Promise<BlobId[]> {
  await using context = await openContext(readConfig({ ...place }), pino({ enabled: false }), { schema: 'as it is' });
  const found: BlobId[] = [];
  for (const { name } of files) {
    const rows = context.db.selectFrom('files').select('blob_id').where('name', '=', name);
    found.push((await rows.executeTakeFirstOrThrow()).blob_id);
  }
  return found.toSorted();
}

test(
  'a target that cannot be used is refused with one sentence, and nothing is changed',
  { timeout: 240_000 },
  async () => {
    const { place, apiKey } = await newService();
    await serve(place, apiKey, (service) => fill(service, 2));
    const stranger = await newService();
    await serve(stranger.place, stranger.apiKey, (service) => fill(service, 1));
    const filled = await newSqlitePlace();
    await using blobs = await openDiskBlobs(filled.BLOBS_URL.slice('file:'.length));
    await blobs.write('ff'.repeat(16) as BlobId, { read: async () => 0 });
    const newer = await newOtherPlace(place);
    const config = readConfig({ ...newer });
    const db = await openDatabase(config.database, pino({ enabled: false }), 'migrate');
    await db.insertInto('migrations').values({ name: '9999-later.sql', applied_at: 1 }).execute();
    await db.destroy();
    const used = await newOtherPlace(place);
    const other = await openDatabase(readConfig({ ...used }).database, pino({ enabled: false }), 'migrate');
    await other.insertInto('payment_events').values({ id: 'one', type: 'a', received_at: 1 }).execute();
    await other.destroy();
    const notADatabase = join(await newFolder(), 'text');
    await writeFile(notADatabase, 'text'.repeat(1_000));

    const cases: readonly (readonly [args: readonly string[], sentence: RegExp, code?: number])[] = [
      [[], /^Name a place with --to-database or --to-blobs\.$/, 2],
      [['--to-blobs', 'ftp://x'], /^--to-blobs is 'ftp:\/\/…', but it must be file:FOLDER/],
      [['--to-database', place.DATABASE_URL], /^The database .* is already one of this service\. Name an empty one\.$/],
      [['--to-blobs', place.BLOBS_URL], /^The storage .* is already that of this service\. Name an empty one\.$/],
      [
        ['--to-database', stranger.place.DATABASE_URL],
        /^The database .* is that of another service\. Name an empty one\.$/,
      ],
      [['--to-blobs', stranger.place.BLOBS_URL], /^The storage .* belongs to another service\. Name an empty one\.$/],
      [['--to-blobs', filled.BLOBS_URL], /^The storage .* is not empty\. Name an empty one\.$/],
      [
        ['--to-database', used.DATABASE_URL],
        /^The database .* is not empty: payment_events has rows\. Name an empty one\.$/,
      ],
      [
        ['--to-database', newer.DATABASE_URL],
        /^--to-database cannot be used: The database is newer than this program \(it has 9999-later\.sql\)/,
      ],
      [['--to-database', 'postgres://nobody:secret@127.0.0.1:1/none'], /^--to-database cannot be used: .*ECONNREFUSED/],
      [['--to-database', `sqlite:${notADatabase}`], /^--to-database cannot be used: file is not a database \(.+\)\.$/],
      [['--to-blobs', `file:${notADatabase}`], /^--to-blobs cannot be used: EEXIST|ENOTDIR/],
    ];
    for (const [args, sentence, code = 1] of cases) {
      const { err, ...end } = await command(place, 'move', ...args);
      expect({ ...end, args }).toEqual({ code, out: '', args });
      expect(err.trimEnd(), args.join(' ')).toMatch(sentence);
      expect(err.trimEnd().split('\n'), args.join(' ')).toHaveLength(1);
      expect(err).not.toContain('secret');
    }
    await serve(place, apiKey, (service) => fill(service, 1));
  },
);
