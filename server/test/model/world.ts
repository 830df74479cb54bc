/** The real thing beside the model: one command is done to both, and then both must tell the same. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { expect } from 'vitest';
import { apiKeyHash, newApiKey } from '../../src/accounts/api-key.ts';
import { changeApiKey } from '../../src/accounts/change-api-key.ts';
import { closeAccount } from '../../src/accounts/close-account.ts';
import { changeSetting } from '../../src/accounts/settings.ts';
import type { BlobId } from '../../src/engines/blobs/blobs.ts';
import { deleteFiles } from '../../src/files/delete.ts';
import { listActivity } from '../../src/files/activity.ts';
import { emptyAccount } from '../../src/files/empty-account.ts';
import { openEarlyRefusal } from '../../src/files/early-refusal.ts';
import { flipFavorite } from '../../src/files/favorite.ts';
import { findBytes } from '../../src/files/find-bytes.ts';
import { listFiles } from '../../src/files/list.ts';
import { onlyHoldOn, restore as restoreBytes } from '../../src/files/restore.ts';
import { takeDown as takeDownBytes } from '../../src/files/take-down.ts';
import { upload } from '../../src/files/upload.ts';
import { days, hours } from '../../src/lib/clock.ts';
import { newRowId } from '../../src/lib/row-id.ts';
import { createBrake } from '../../src/maintenance/brake.ts';
import { purgeDeleted } from '../../src/maintenance/purge.ts';
import { noteRunning } from '../../src/maintenance/running-time.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { letRun } from '../harness/let-run.ts';
import { onePart } from '../harness/one-part.ts';
import type { TestServer } from '../harness/start-server.ts';
import { storeRows } from '../harness/stored-rows.ts';
import { fileUrl, storedNameOf } from '../harness/uploads.ts';
import type { Beginning, Change, Command } from './commands.ts';
import {
  autoDelete,
  goDormant,
  judgeUpload,
  type ModelAccount,
  purge,
  removeNames,
  restore,
  sendWarning,
  takeDown,
  usageOf,
} from './model.ts';

export interface Pair {
  readonly id: string;
  readonly email: string;
  readonly model: ModelAccount;
}

const slotsElsewhere = 494;
const allSlots = 20_000;

/** An account with room for a few small files. A favorite holds the rest of the space: like any file, it may go. */
export async function openPair(server: TestServer, beginning: Beginning): Promise<Pair> {
  const { db } = server.context;
  const id = newRowId(server.clock.now());
  const email = `${id}@example.com`;
  await db
    .insertInto('accounts')
    .values({
      id,
      email,
      email_key: email.toLowerCase(),
      name: 'model',
      password_hash: '',
      level: beginning.level,
      continuous_uploading: beginning.continuous ? 1 : 0,
      inactivity_auto_delete_days: beginning.autoDeleteDays,
      key_hash: apiKeyHash(newApiKey()),
      key_sealed: '',
      slots_used: slotsElsewhere,
      created_at: server.clock.now(),
      verified_at: server.clock.now(),
      last_active_at: server.clock.now(),
    })
    .execute();
  const activeAt = server.clock.now();
  const size = 499_999_940;
  const [name = ''] = await storeRows(server, { email }, [{ size, favorite: true }]);
  const uploadedAt = server.clock.now() - 1_000;
  const model: ModelAccount = {
    files: [{ name, size, uploadedAt, ...newFile, bytes: null, originalName: `${name}.txt`, favorite: true }],
    withheld: [],
    lostAt: new Map(),
    restorations: new Set(),
    activity: [],
    slotsElsewhere,
    nameLength: 8,
    keyChanges: 0,
    ...beginning,
    activeAt,
    firstWarnedAt: 0,
    lastWarnedAt: 0,
    warning: null,
    outages: [],
    warningFailedAt: 0,
  };
  return { id, email, model };
}

/** Nothing stays blocked for the next ones. */
export async function closePairs(server: TestServer, pairs: Pairs): Promise<void> {
  const { context, memory } = server;
  server.mail.server.says = 'yes';
  while (withheldBytes(pairs).length > 0)
    await applyChange(server, pairs, { account: 0, does: 'restore', bytes: 0, overQuota: true });
  for (const { id } of pairs) {
    await closeAccount(context, await accountOf(server, id));
    await emptyAccount(context, memory, id, new AbortController().signal);
  }
}

type Pairs = readonly [Pair, Pair];

const accountOf = ({ context: { db } }: TestServer, id: string) =>
  db.selectFrom('accounts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

const withheldBytes = (pairs: Pairs) => [
  ...new Set(pairs.flatMap(({ model }) => model.withheld.flatMap(({ bytes }) => bytes ?? []))),
];

/** Answers what became of it. */
export async function apply(server: TestServer, pairs: Pairs, command: Command): Promise<string> {
  // No two things happen in one millisecond: in it they are in no order.
  server.clock.advance(1);
  switch (command.does) {
    case 'upload':
      return applyUpload(server, pairs, command);
    case 'access':
      await applyAccess(server, pairs[command.account], command);
      break;
    case 'wait':
      for (const time of command.times) {
        await letRun(server, time);
        await applyNight(server, pairs);
      }
      break;
    case 'be off':
      await letRun(server, 0);
      await applyOutage(server, pairs, command.time);
      break;
    case 'mail':
      server.mail.server.says = command.says;
      break;
    default:
      await applyChange(server, pairs, command);
  }
  return command.does;
}

async function applyAccess(
  server: TestServer,
  { model }: Pair,
  { file: at, counted, how }: Extract<Command, { does: 'access' }>,
): Promise<void> {
  const withBytes = model.files.filter((file) => file.bytes !== null);
  const file = withBytes[at % withBytes.length];
  if (!file) return;
  const url = fileUrl(server, `${file.name}${how === 'digest' ? '.sha256' : ''}${counted ? '' : '?no-count=true'}`);
  const headers = {
    ...(how === 'later range' && { Range: 'bytes=1-' }),
    ...(how === 'no such range' && { Range: 'bytes=5000-' }),
    ...(how === 'unchanged' && { 'If-None-Match': '*' }),
  };
  const answer = await fetch(url, { headers, method: how === 'head' ? 'HEAD' : 'GET' });
  const text = await answer.text();
  if (how === 'whole') expect(text).toBe(file.bytes);
  if (counted && how !== 'head' && how !== 'digest' && answer.status < 400) file.accessedAt = server.clock.now();
}

/** The jobs, and the mail that they write. */
async function applyNight(server: TestServer, pairs: Pairs): Promise<void> {
  const { clock, mail } = server;
  const now = clock.now();
  for (const job of ['auto-delete', 'dormancy', 'purge']) await server.runJob(job, { allowed: 1_000_000 });
  await server.post.flush();
  for (const { model } of pairs) {
    autoDelete(model, now);
    goDormant(model, now);
    sendWarning(model, now, mail.server.says);
  }
  purge(
    pairs.map(({ model }) => model),
    now - days(1),
  );
}

async function applyOutage(server: TestServer, pairs: Pairs, time: number): Promise<void> {
  const { clock } = server;
  const from = clock.now();
  clock.advance(time);
  await noteRunning(server.context);
  // An hour without a heartbeat is no outage.
  if (time > hours(1)) for (const { model } of pairs) model.outages.push({ from, to: clock.now() });
  await applyNight(server, pairs);
}

async function applyChange(server: TestServer, pairs: Pairs, command: Change): Promise<void> {
  const { context, memory, clock } = server;
  const models = pairs.map((pair) => pair.model);
  const { id, model } = pairs[command.account];
  switch (command.does) {
    case 'delete': {
      const { files } = pairs[command.ofOther ? ((1 - command.account) as 0 | 1) : command.account].model;
      const names = command.files.flatMap((at) => files[at % files.length]?.name ?? []);
      await deleteFiles(context, memory, id, names);
      if (names.length > 0) model.activeAt = clock.now();
      return removeNames(model, names, null, clock.now());
    }
    case 'favor': {
      const file = model.files[command.file % model.files.length];
      if (!file) return;
      file.favorite = !file.favorite;
      expect(await flipFavorite(context, id, file.name)).toEqual({ name: file.name, is_favorite: file.favorite });
      return;
    }
    case 'continue':
      model.continuous = command.on;
      return changeSetting(context, id, { continuous_uploading: command.on });
    case 'keep for':
      model.autoDeleteDays = command.days;
      return changeSetting(context, id, { inactivity_auto_delete_days: command.days });
    case 'change plan':
      model.level = command.level;
      await context.db.updateTable('accounts').set({ level: command.level }).where('id', '=', id).execute();
      return;
    case 'change key':
      model.keyChanges += 1;
      await changeApiKey(context, await accountOf(server, id));
      return;
    case 'name with':
      model.nameLength = command.length;
      return changeSetting(context, id, { preferred_filename_length: command.length });
    case 'take down': {
      const withBytes = model.files.filter((file) => file.bytes !== null);
      const file = withBytes.toReversed()[command.file % withBytes.length];
      if (!file) return;
      const found = await findBytes(context, file.name);
      await takeDownBytes(context, memory, operator, found, `${file.name} ${clock.now()}`);
      return takeDown(models, file.bytes ?? '', clock.now());
    }
    case 'crowd': {
      const slots = command.full ? allSlots : slotsElsewhere;
      const more = slots - model.slotsElsewhere;
      model.slotsElsewhere = slots;
      const usage = context.db.updateTable('accounts').where('id', '=', id);
      await usage.set((eb) => ({ slots_used: eb('slots_used', '+', more) })).execute();
      return;
    }
    case 'restore': {
      const withheld = withheldBytes(pairs);
      const bytes = withheld[command.bytes % withheld.length];
      const name = models.flatMap((each) => each.withheld).find((file) => file.bytes === bytes)?.name;
      if (bytes === undefined || name === undefined) return;
      const found = await findBytes(context, name);
      const { overQuota } = command;
      await restoreBytes(context, operator, found, await onlyHoldOn(context, found), { overQuota });
      return restore(models, bytes, clock.now(), overQuota);
    }
    case 'purge': {
      const { signal } = new AbortController();
      await purgeDeleted({ context, memory, dryRun: false, signal, brake: createBrake(null) }, 0);
      return purge(models, clock.now());
    }
  }
}

const operator = { operator: 'model', action: 'test' };

const newFile = { favorite: false, accessedAt: 0, returnedAt: 0, held: false };

type Upload = Extract<Command, { does: 'upload' }>;

async function applyUpload(server: TestServer, pairs: Pairs, command: Upload): Promise<string> {
  const { context, memory, clock } = server;
  const { account, size, letter, extension, meanwhile } = command;
  const pair = pairs[account];
  const { model } = pair;
  const bytes = letter.repeat(size);
  const judge = () =>
    judgeUpload(
      model,
      pairs.map((each) => each.model),
      { size, extension, bytes },
    );
  const { keyChanges, nameLength } = model;
  let { faults, gone } = judge();
  let isCommitting = false;
  const db = beforeTransactions(context.db, async () => {
    if (isCommitting || meanwhile === null) return;
    isCommitting = true;
    await applyChange(server, pairs, meanwhile);
    ({ faults, gone } = keyChanges === model.keyChanges ? judge() : { faults: ['AUTH_INVALID_KEY'], gone: [] });
  });
  const caller = await keyCaller(server, pair);
  const uploading = async () => {
    await openEarlyRefusal(context, caller.account).size(0);
    return upload({ ...context, db }, memory, caller, onePart(Buffer.from(bytes), `${letter}.${extension}`));
  };
  const result = await uploading().catch((error: unknown) => {
    if (error instanceof Failure) return error.code;
    throw error;
  });
  if (typeof result === 'string') {
    expect(faults).toContain(result);
    return result;
  }
  expect(faults).toEqual([]);
  expect(storedNameOf(result.url)).toHaveLength(nameLength);
  removeNames(model, gone, 'continuous_uploading', clock.now());
  model.activeAt = clock.now();
  model.files.push({
    name: storedNameOf(result.url),
    size,
    uploadedAt: clock.now(),
    ...newFile,
    bytes,
    originalName: `${letter}.${extension}`,
  });
  return 'kept';
}

export async function compare({ context }: TestServer, { id, model }: Pair): Promise<void> {
  const query = { column: 'upload_time', direction: 'asc', page: 1, limit: 500, search: '' } as const;
  // Slots that are taken elsewhere count as files on further pages.
  const { files, account_usage } = await listFiles(context, id, query);
  const told = files.map(({ name, size, is_favorite }) => ({ name, size, favorite: is_favorite }));
  expect(told).toEqual(model.files.map(({ name, size, favorite }) => ({ name, size, favorite })));
  expect(account_usage).toEqual(usageOf(model));
  const { activity } = await listActivity(context, id, { page: 1, limit: 500 });
  const lineOf = (event: string, name: string, at: number) => `${at} ${event} ${name}`;
  expect(activity.map(({ event, name, happened }) => lineOf(event, name, Date.parse(happened))).toSorted()).toEqual(
    model.activity.map(({ event, name, at }) => lineOf(event, name, at)).toSorted(),
  );
}

/** Whatever the purge has removed, no file has lost its bytes or its name to it, and nothing else is kept from it. */
export async function compareBytes({ context: { db, blobs } }: TestServer, { id, model }: Pair): Promise<void> {
  const used = await db
    .selectFrom('blobs')
    .select((eb) => [
      'id',
      'used_by',
      eb
        .selectFrom('files')
        .select((file) => file.fn.countAll<number>().as('files'))
        .whereRef('blob_id', '=', 'blobs.id')
        .where('deleted_at', 'is', null)
        .as('files'),
    ])
    .where('id', 'in', (eb) => eb.selectFrom('files').select('blob_id').where('account_id', '=', id))
    .execute();
  for (const blob of used) expect(blob.used_by, blob.id).toBe(blob.files);
  for (const { name, originalName, size, bytes } of model.files) {
    const named = db.selectFrom('files').select(['blob_id', 'original_name']).where('name', '=', name);
    const row = await named.executeTakeFirstOrThrow();
    expect(row.original_name).toBe(originalName);
    if (bytes === null) continue;
    expect(await blobs.size(row.blob_id as BlobId), name).toBe(size);
  }
}
