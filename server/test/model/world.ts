/** The real service beside the model: each command is applied to both, and then both must report the same. */
import type { OneSetting } from '@holdfast/contract/src/account.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'vitest';
import { apiKeyHash, newApiKey } from '../../src/accounts/api-key.ts';
import { changeApiKey } from '../../src/accounts/api-key.ts';
import { changeAs } from '../../src/accounts/lock-caller.ts';
import { changeSetting } from '../../src/accounts/settings.ts';
import { grantPlan } from '../../src/billing/subscription.ts';
import { allowChangesToActions, refuseChangesToActions } from '../../src/storage/db/refuse-changes-to-actions.ts';
import { deleteFiles } from '../../src/files/delete.ts';
import { listActivity } from '../../src/files/activity.ts';
import { flipFavorite } from '../../src/files/favorite.ts';
import { findBytes } from '../../src/moderation/find-file.ts';
import { listFiles } from '../../src/files/list.ts';
import { onlyHoldOn, restore as restoreBytes } from '../../src/moderation/restore-file.ts';
import { takeDown as takeDownBytes } from '../../src/moderation/take-down.ts';
import { upload } from '../../src/uploads/keep.ts';
import { days } from '../../src/lib/clock.ts';
import { newRowId } from '../../src/lib/row-id.ts';
import { backUp } from '../../src/operator/backup/back-up.ts';
import { writeDeletions } from '../../src/operator/backup/deletions.ts';
import { findBackup } from '../../src/operator/backup/manifest.ts';
import { restoreBackup } from '../../src/operator/backup/restore.ts';
import { restoredTables } from '../../src/operator/backup/copy-rows.ts';
import { createDeletionLimit } from '../../src/jobs/deletion-limit.ts';
import { purgeDeleted } from '../../src/jobs/purge.ts';
import { restoreFiles } from '../../src/files/restore.ts';
import { beforeTransactions } from '../harness/before-transactions.ts';
import { keyCaller } from '../harness/key-caller.ts';
import { onePart } from '../harness/one-part.ts';
import type { TestServer } from '../harness/start-server.ts';
import { storeRows } from '@holdfast/test-support/stored-rows.ts';
import { fileUrl, storedNameOf } from '../harness/uploads.ts';
import type { Beginning, Change, Command, Upload } from './commands.ts';
import {
  autoDelete,
  bringBack,
  goDormant,
  judgeUpload,
  type Model,
  type ModelAccount,
  purge,
  removeNames,
  restore,
  restoreService,
  sendWarning,
  takeDown,
  usageOf,
} from './model.ts';

export interface World {
  readonly server: TestServer;
  readonly owners: readonly [Owner, Owner];
  model: Model;
}

interface Owner {
  readonly id: string;
  readonly email: string;
}

const slotsElsewhere = 494;
const allSlots = 20_000;

/** A server with only two accounts. */
export async function openWorld(server: TestServer, first: Beginning, second: Beginning): Promise<World> {
  server.mail.server.says = 'yes';
  await loseAll(server);
  const [one, other] = [await openAccount(server, first), await openAccount(server, second)];
  return {
    server,
    owners: [one.owner, other.owner],
    model: { accounts: [one.account, other.account], blocked: new Set() },
  };
}

const notBackedUp = [
  'sessions',
  'reset_keys',
  'email_codes',
  'outgoing_emails',
  'spent_challenges',
  'counters',
  'jobs',
  'rescan_finds',
  'processes',
] as const;

/** Deletes all rows and all bytes. */
async function loseAll({ context: { db, blobs }, hits }: TestServer): Promise<void> {
  await hits.flush();
  await db.transaction().execute(async (tx) => {
    await allowChangesToActions(tx);
    for (const table of notBackedUp) await tx.deleteFrom(table).execute();
    const tables = Object.keys(restoredTables) as (keyof typeof restoredTables)[];
    for (const table of tables.toReversed()) await tx.deleteFrom(table).execute();
    await refuseChangesToActions(tx);
  });
  for await (const { id } of blobs.list()) await blobs.remove(id);
}

/**
 * An account with space for a few small files. A favorite occupies the rest of the space: like any file, it may be
 * deleted.
 */
async function openAccount(server: TestServer, beginning: Beginning) {
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
      granted_level: beginning.level,
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
  const account: ModelAccount = {
    files: [{ name, size, uploadedAt, ...newFile, bytes: null, originalName: `${name}.txt`, favorite: true }],
    deleted: [],
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
    deletionDueAt: 0,
    warning: null,
    warningFailedAt: 0,
  };
  return { owner: { id, email }, account };
}

const withheldBytes = ({ accounts }: Model) => [
  ...new Set(accounts.flatMap(({ withheld }) => withheld.flatMap(({ bytes }) => bytes ?? []))),
];

/** Returns the outcome. */
export async function apply(world: World, command: Command): Promise<string> {
  const { server } = world;
  // Each command has its own millisecond: events of the same one have no defined order.
  server.clock.advance(1);
  switch (command.does) {
    case 'upload':
      return applyUpload(world, command);
    case 'access':
      await applyAccess(world, command);
      break;
    case 'wait':
      for (const time of command.times) {
        server.clock.advance(time);
        await applyNight(world);
      }
      break;
    case 'be off':
      server.clock.advance(0);
      await applyOutage(world, command.time);
      break;
    case 'mail':
      server.mail.server.says = command.says;
      break;
    case 'lose everything':
      await applyLoss(world, command);
      break;
    default:
      await applyChange(world, command);
  }
  return command.does;
}

async function applyAccess(
  { server, model }: World,
  { account, file: at, counted, how }: Extract<Command, { does: 'access' }>,
): Promise<void> {
  const withBytes = model.accounts[account].files.filter((file) => file.bytes !== null);
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

/** Runs the jobs, and sends the emails that they write. */
async function applyNight({ server, model }: World): Promise<void> {
  const { clock, mail } = server;
  const now = clock.now();
  for (const job of ['auto-delete', 'dormancy', 'purge']) await server.runJob(job, { allowed: 1_000_000 });
  await server.emailWorker.flush();
  for (const account of model.accounts) {
    autoDelete(account, now);
    goDormant(account, now);
    sendWarning(account, now, mail.server.says);
  }
  purge(model, now - days(1));
}

async function applyOutage(world: World, time: number): Promise<void> {
  world.server.clock.advance(time);
  await applyNight(world);
}

async function applyLoss(
  world: World,
  { since, listed }: Extract<Command, { does: 'lose everything' }>,
): Promise<void> {
  const { context, clock, dataDir } = world.server;
  const { signal } = new AbortController();
  const folder = await mkdtemp(join(dataDir, 'backup-'));
  await world.server.hits.flush();
  const ignore = () => {};
  await backUp(context, folder, { signal, withBytes: true, keepDays: 30, onRows: ignore, onBlobs: ignore });
  const kept = structuredClone(world.model);
  for (const each of since) {
    clock.advance(1);
    await (each.does === 'upload' ? applyUpload(world, each) : applyChange(world, each));
  }
  if (listed) await writeDeletions(context, folder);
  clock.advance(1);
  await loseAll(world.server);
  await restoreBackup(context, await findBackup(folder), { actor: operator, signal, onRows() {}, onBlobs() {} });
  world.model = restoreService(kept, world.model, listed, clock.now());
  await rm(folder, { recursive: true });
}

async function applyChange({ server, owners, model: both }: World, command: Change): Promise<void> {
  const { context, clock } = server;
  const { id, email } = owners[command.account];
  const model = both.accounts[command.account];
  const caller = await keyCaller(server, { email });
  const changeSettingTo = (setting: OneSetting) => {
    model.activeAt = clock.now();
    return changeSetting(context, caller, setting);
  };
  switch (command.does) {
    case 'delete': {
      const { files } = both.accounts[command.ofOther ? ((1 - command.account) as 0 | 1) : command.account];
      const names = command.files.flatMap((at) => files.at(at % files.length)?.name ?? []);
      await deleteFiles(context, caller, names);
      if (names.length > 0 && !command.ofOther) model.activeAt = clock.now();
      return removeNames(model, names, null, clock.now());
    }
    case 'bring back': {
      const { deleted } = both.accounts[command.ofOther ? ((1 - command.account) as 0 | 1) : command.account];
      const names = [...new Set(command.files.flatMap((at) => deleted.at(at % deleted.length)?.name ?? []))];
      const restored = await restoreFiles(context, caller, names).catch((error: unknown) => {
        if (error instanceof Failure) return error.code;
        throw error;
      });
      if (names.length === 0 || command.ofOther) {
        expect(restored).toEqual([]);
        return;
      }
      const expected = bringBack(model, both.blocked, names, clock.now());
      expect(restored).toEqual(expected === null ? 'QUOTA_EXCEEDED' : names.filter((name) => expected.includes(name)));
      if (expected !== null) model.activeAt = clock.now();
      if (expected === null) model.restorations.add('no space');
      else if (expected.length > 0) model.restorations.add('brought back');
      return;
    }
    case 'favor': {
      const file = model.files[command.file % model.files.length];
      if (!file) return;
      file.favorite = !file.favorite;
      model.activeAt = clock.now();
      const flipped = await changeAs(context, caller, (tx) => flipFavorite(tx, id, file.name));
      expect(flipped).toEqual({ name: file.name, is_favorite: file.favorite });
      return;
    }
    case 'continue':
      model.continuous = command.on;
      return changeSettingTo({ continuous_uploading: command.on });
    case 'keep for':
      model.autoDeleteDays = command.days;
      return changeSettingTo({ inactivity_auto_delete_days: command.days });
    case 'change plan':
      model.level = command.level;
      await grantPlan(context, id, command.level);
      return;
    case 'change key':
      model.keyChanges += 1;
      model.activeAt = clock.now();
      await changeApiKey(context, caller);
      return;
    case 'name with':
      model.nameLength = command.length;
      return changeSettingTo({ preferred_filename_length: command.length });
    case 'take down': {
      const withBytes = model.files.filter((file) => file.bytes !== null);
      const file = withBytes.toReversed()[command.file % withBytes.length];
      if (!file) return;
      const found = await findBytes(context, file.name);
      await takeDownBytes(context, operator, found, `${file.name} ${clock.now()}`);
      return takeDown(both, file.bytes ?? '', clock.now());
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
      const withheld = withheldBytes(both);
      const bytes = withheld[command.bytes % withheld.length];
      const name = both.accounts.flatMap((each) => each.withheld).find((file) => file.bytes === bytes)?.name;
      if (bytes === undefined || name === undefined) return;
      const found = await findBytes(context, name);
      const { overQuota } = command;
      await restoreBytes(context, {
        actor: operator,
        bytes: found,
        hold: await onlyHoldOn(context, found),
        overQuota,
      });
      return restore(both, bytes, clock.now(), overQuota);
    }
    case 'purge': {
      const { signal } = new AbortController();
      await purgeDeleted(
        { context, dryRun: false, signal, deletionLimit: createDeletionLimit(null), passOver() {} },
        0,
        {
          endsQuarantines: true,
        },
      );
      return purge(both, clock.now());
    }
  }
}

const operator = { operator: 'model', action: 'test' };

const newFile = { favorite: false, accessedAt: 0, returnedAt: 0 };

async function applyUpload(world: World, command: Upload): Promise<string> {
  const { context, clock } = world.server;
  const { account, size, letter, extension, meanwhile } = command;
  const model = world.model.accounts[account];
  const bytes = letter.repeat(size);
  const judge = () => judgeUpload(model, world.model.blocked, { size, extension, bytes });
  const { keyChanges, nameLength } = model;
  let { faults, gone } = judge();
  let isCommitting = false;
  const db = beforeTransactions(context.db, async () => {
    if (isCommitting || meanwhile === null) return;
    isCommitting = true;
    await applyChange(world, meanwhile);
    ({ faults, gone } = keyChanges === model.keyChanges ? judge() : { faults: ['AUTH_INVALID_KEY'], gone: [] });
  });
  // The identification of the caller notes the activity.
  model.activeAt = clock.now();
  const { id } = world.owners[account];
  await context.db.updateTable('accounts').set({ last_active_at: clock.now() }).where('id', '=', id).execute();
  const caller = await keyCaller(world.server, world.owners[account]);
  const parts = onePart(Buffer.from(bytes), `${letter}.${extension}`);
  const result = await upload({ ...context, db }, caller, parts).catch((error: unknown) => {
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

export async function compare({ server, owners, model }: World): Promise<void> {
  for (const index of [0, 1] as const) await compareAccount(server, owners[index], model.accounts[index]);
}

async function compareAccount({ context }: TestServer, { id }: Owner, model: ModelAccount): Promise<void> {
  const query = {
    column: 'upload_time',
    direction: 'asc',
    page: 1,
    limit: 500,
    search: '',
    favorites: 'false',
  } as const;
  // Slots used by files that do not exist count as files on further pages.
  const { files, account_usage } = await listFiles(context, id, query);
  const told = files.map(({ name, size, is_favorite }) => ({ name, size, favorite: is_favorite }));
  expect(told).toEqual(model.files.map(({ name, size, favorite }) => ({ name, size, favorite })));
  expect(account_usage).toEqual(usageOf(model));
  const { activity } = await listActivity(context, id, { page: 1, limit: 500 });
  const named = new Set<string>(['malware', 'takedown', 'restored']);
  const lines = activity.map(({ event, name, files: count, happened }) =>
    lineOf({ event, name: named.has(event) ? name : '', files: count, at: Date.parse(happened) }),
  );
  expect(lines.toSorted()).toEqual(model.activity.map(lineOf).toSorted());
}

const lineOf = ({ event, name, at, files }: ModelAccount['activity'][number]) => `${at} ${event} ${files} ${name}`;

/**
 * Whatever the purge has deleted, the usage count of each blob is right, and every live file still has its name and
 * bytes.
 */
export async function compareBytes({ server: { context }, model }: World): Promise<void> {
  const { db, blobs } = context;
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
    .execute();
  for (const blob of used) expect(blob.used_by, blob.id).toBe(blob.files);
  for (const { name, originalName, size, bytes } of model.accounts.flatMap(({ files }) => files)) {
    const named = db.selectFrom('files').select(['blob_id', 'original_name']).where('name', '=', name);
    const row = await named.executeTakeFirstOrThrow();
    expect(row.original_name).toBe(originalName);
    if (bytes === null) continue;
    expect(await blobs.size(row.blob_id), name).toBe(size);
  }
}
