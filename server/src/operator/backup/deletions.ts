import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { closeRows } from '../../accounts/close-account.ts';
import type { Context } from '../../context.ts';
import { hours } from '../../lib/clock.ts';
import { messageOf } from '../../lib/message-of.ts';
import { findBytes } from '../../moderation/find-file.ts';
import { repeatRemovals } from '../../moderation/finish-removals.ts';
import { openCase } from '../../moderation/take-down.ts';
import type { Database, Transaction } from '../../storage/db/database.ts';
import type { Schema } from '../../storage/db/schema.ts';
import { requireOwn } from './lives.ts';
import { findBackup, sync, UnusableBackup, writeSynced } from './manifest.ts';

/** What no restore may undo. The list is beside the backups, and can be much newer than they are. */
interface Deletions {
  readonly closed_accounts: readonly string[];
  readonly blocked_digests: readonly Schema['blocked_digests'][];
}

const deletionsFile = 'deletions.json';

/**
 * Replaces the list in the folder of the backups, and returns its length. What was closed or blocked after this database
 * was restored from an earlier backup is unknown to it, and stays in the list; a block that was lifted does not.
 */
export async function writeDeletions({ db }: Pick<Context, 'db'>, root: string): Promise<number> {
  await requireOwn(await findBackup(root), db);
  await removeParts(root);
  for (let list = await listDeletions(db, root); ;) {
    await replaceList(root, list);
    // Another process may have replaced it since, and by an older one.
    const next = await listDeletions(db, root);
    if (isDeepStrictEqual(next, list)) return list.closed_accounts.length + list.blocked_digests.length;
    list = next;
  }
}

async function listDeletions(db: Database, root: string): Promise<Deletions> {
  const closed = await db.selectFrom('accounts').select('id').where('closed_at', 'is not', null).execute();
  const listed = (await readDeletions(root)) ?? { closed_accounts: [], blocked_digests: [] };
  const blocked = await db.selectFrom('blocked_digests').selectAll().execute();
  const unknown = listed.blocked_digests.filter(({ sha256 }) => !blocked.some((row) => row.sha256 === sha256));
  const lifted = await Promise.all(unknown.map((row) => wasLifted(db, row)));
  return {
    closed_accounts: [...new Set([...listed.closed_accounts, ...closed.map(({ id }) => id)])],
    blocked_digests: [...blocked, ...unknown.filter((_, at) => !lifted[at])].toSorted((one, other) =>
      one.sha256 < other.sha256 ? -1 : 1,
    ),
  };
}

/** The audit log names each file whose hold has ended. */
async function wasLifted(db: Database, { sha256, blocked_at }: Schema['blocked_digests']): Promise<boolean> {
  const lifts = db.selectFrom('operator_actions').select('id').where('at', '>=', blocked_at);
  const found = lifts.where('details', 'like', `%"sha256":"${sha256}","lifts":"%`).limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

async function replaceList(root: string, list: Deletions): Promise<void> {
  const part = join(root, `${deletionsFile}.${randomUUID()}`);
  await writeSynced(part, JSON.stringify(list));
  await rename(part, join(root, deletionsFile));
  await sync(root);
}

/** Of processes that were killed. */
async function removeParts(root: string): Promise<void> {
  const parts = (await readdir(root)).filter((name) => name.startsWith(`${deletionsFile}.`));
  for (const path of parts.map((name) => join(root, name))) {
    const writtenAt = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Infinity,
    );
    if (writtenAt < Date.now() - hours(1)) await rm(path, { force: true });
  }
}

/** Applies the list to restored rows, and returns how much it changed. Files with held bytes are withheld. */
export async function repeatDeletions(tx: Transaction, root: string, now: number): Promise<number> {
  const list = await readDeletions(root);
  if (list === null)
    throw new UnusableBackup(
      `${join(root, deletionsFile)} is missing: without it, closed accounts and blocked files return.`,
    );
  let changed = 0;
  for (const id of list.closed_accounts) if (await closeRows(tx, id, now)) changed += 1;
  for (const row of list.blocked_digests) {
    const blocked = tx.insertInto('blocked_digests').values(row);
    const done = await blocked.onConflict((conflict) => conflict.doNothing()).executeTakeFirst();
    if (Number(done.numInsertedOrUpdatedRows) === 0) continue;
    changed += 1;
    await hold(tx, row, now);
  }
  await repeatRemovals(tx, now);
  return changed;
}

async function hold(tx: Transaction, { sha256, reason, reference }: Schema['blocked_digests'], now: number) {
  if (reason === 'takedown') return openCase(tx, now, await findBytes({ db: tx }, sha256), reference);
  await tx
    .updateTable('blobs')
    .set({ held_for: reason, held_at: now, scan_state: 'infected' })
    .where('sha256', '=', sha256)
    .where('held_for', 'is', null)
    .execute();
}

async function readDeletions(root: string): Promise<Deletions | null> {
  const path = join(root, deletionsFile);
  if (!existsSync(path)) return null;
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Deletions;
  } catch (error) {
    throw new UnusableBackup(`${path} cannot be read: ${messageOf(error)}. Closed accounts would return.`, {
      cause: error,
    });
  }
}
