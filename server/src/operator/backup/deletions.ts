/**
 * The list of deletions: what was deleted, withheld, given back and discarded after a backup was taken, and later
 * changes that protect accounts and files: changed keys and passwords, verifications and approvals, plans and limits set
 * by an operator, settings that decide what is deleted or where the key is accepted, favorites, uses of invitations. It
 * is small and quick to write, so it is rewritten beside the backup again and again. It keeps a restore from bringing
 * back what was deleted or revoked in between, and from undoing the end of a case.
 */
import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Selectable, sql, type SqlBool } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../engines/database/database.ts';
import type { InvitationRow, RemovalReason, Schema } from '../../engines/database/schema.ts';
import { minutes } from '../../lib/clock.ts';
import { checkLines, writeLines } from './lines-file.ts';
import { deletionsFile, readManifest } from './manifest.ts';
import { type RepeatedColumns, repeatedColumns } from './repeated-columns.ts';

export type RepeatedDeletion =
  | { readonly kind: 'account'; readonly id: string; readonly at: number }
  | {
      readonly kind: 'file';
      readonly account: string;
      readonly name: string;
      readonly at: number;
      readonly because: RemovalReason;
    }
  | AccountChange
  | GivenBack
  | { readonly kind: 'digest'; readonly row: BlockedDigest }
  /**
   * Follows all blocked digests, whenever they were blocked: any other digest blocked in the backup has since been
   * unblocked.
   */
  | { readonly kind: 'no other digest' }
  | Notice
  | Favorite
  | Discard
  | Invitation;

/** The columns of an account after its last change. */
export interface AccountChange {
  readonly kind: 'account changed';
  readonly row: RepeatedColumns;
}

export interface Favorite {
  readonly kind: 'favorite';
  readonly account: string;
  readonly name: string;
  readonly at: number;
}

/** Withheld bytes that an operator permanently deleted from storage. */
export interface Discard {
  readonly kind: 'discarded';
  readonly sha256: string;
  readonly at: number;
}

/** An invitation as it is now: its uses, and whether it was revoked. */
export interface Invitation {
  readonly kind: 'invitation';
  readonly row: Readonly<InvitationRow>;
}

export type BlockedDigest = Readonly<Selectable<Schema['blocked_digests']>>;

/** A live file that was withheld when the backup was taken, or later. */
export interface GivenBack {
  readonly kind: 'given back';
  readonly account: string;
  readonly name: string;
  readonly at: number;
}

/** A takedown case that was opened or closed, or one account whose files it took or gave back. */
export type Notice =
  | { readonly kind: 'case'; readonly row: Readonly<Selectable<Schema['takedown_cases']>> }
  | { readonly kind: 'takedown'; readonly row: Readonly<Selectable<Schema['takedowns']>> };

/** Allowance for clock differences between processes. */
const overlap = minutes(10);
const rowsPerPage = 1000;

/**
 * Writes the list beside the backup in `folder`, replacing an older one, and returns its number of rows.
 * @throws {UnusableBackup}
 */
export async function writeDeletions({ db }: Context, folder: string): Promise<number> {
  const { taken_at: takenAt } = await readManifest(folder);
  const path = join(folder, deletionsFile);
  // A unique name, because the previous run may still be writing when the next one begins.
  const part = `${path}.${randomUUID()}.part`;
  try {
    const written = await writeLines(part, deletionsSince(db, takenAt - overlap));
    await checkLines(part, written);
    await rename(part, path);
    await using parent = await open(folder);
    await parent.sync();
    return written.rows;
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function* deletionsSince(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  yield* closedAccounts(db, since);
  yield* changedAccounts(db, since);
  yield* deletedFiles(db, since);
  yield* givenBack(db, since);
  yield* blockedDigests(db);
  yield [{ kind: 'no other digest' }];
  const cases = db
    .selectFrom('takedown_cases')
    .selectAll()
    .where((eb) => eb.or([eb('opened_at', '>=', since), eb('closed_at', '>=', since)]));
  yield (await cases.execute()).map((row) => ({ kind: 'case', row }));
  const takedowns = db
    .selectFrom('takedowns')
    .selectAll()
    .where((eb) => eb.or([eb('taken_down_at', '>=', since), eb('restored_at', '>=', since)]));
  yield (await takedowns.execute()).map((row) => ({ kind: 'takedown', row }));
  yield* favorites(db, since);
  const discards = db.selectFrom('discarded_digests').selectAll().where('discarded_at', '>=', since);
  yield (await discards.execute()).map(({ sha256, discarded_at: at }) => ({ kind: 'discarded', sha256, at }));
  yield* invitations(db, since);
}

/** Lists all that were open after the backup, because an invitation has no time of its last use. */
async function* invitations(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('invitations')
      .selectAll()
      .where('for_owner', '=', 0)
      .where('expires_at', '>=', since)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map((row) => ({ kind: 'invitation', row }));
    after = rows.at(-1)?.id ?? '';
    if (rows.length < rowsPerPage) return;
  }
}

async function* changedAccounts(
  db: Database | Transaction,
  since: number,
): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let [from, after] = [since, '']; ;) {
    const rows = await db
      .selectFrom('accounts')
      .select([...repeatedColumns])
      .where('changed_at', '>', 0)
      .where('changed_at', '>=', from)
      .where((eb) => eb.or([eb('changed_at', '>', from), eb('id', '>', after)]))
      .where('closed_at', 'is', null)
      .orderBy('changed_at')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map((row) => ({ kind: 'account changed', row }));
    [from, after] = [rows.at(-1)?.changed_at ?? since, rows.at(-1)?.id ?? ''];
    if (rows.length < rowsPerPage) return;
  }
}

async function* favorites(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let [from, after] = [since, '']; ;) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'account_id as account', 'name', 'favorite_since as at'])
      // Matches the condition of the index so that the index is used.
      .where(sql<SqlBool>`favorite_since > 0 AND deleted_at IS NULL`)
      .where('favorite_since', '>=', from)
      .where((eb) => eb.or([eb('favorite_since', '>', from), eb('id', '>', after)]))
      .orderBy('favorite_since')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map(({ account, name, at }) => ({ kind: 'favorite', account, name, at }));
    [from, after] = [rows.at(-1)?.at ?? since, rows.at(-1)?.id ?? ''];
    if (rows.length < rowsPerPage) return;
  }
}

async function* closedAccounts(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('accounts')
      .select(['id', 'closed_at'])
      .where('closed_at', '>=', since)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map(({ id, closed_at: at }) => ({ kind: 'account', id, at: at ?? since }));
    after = rows.at(-1)?.id ?? '';
    if (rows.length < rowsPerPage) return;
  }
}

async function* deletedFiles(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let [at, after] = [since, '']; ;) {
    const rows = await db
      .selectFrom('files')
      .select(['id', 'account_id as account', 'name', 'deleted_at', 'deleted_because'])
      .where('deleted_at', 'is not', null)
      .where('deleted_at', '>=', at)
      .where((eb) => eb.or([eb('deleted_at', '>', at), eb('id', '>', after)]))
      .orderBy('deleted_at')
      .orderBy('id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map(({ account, name, deleted_at: when, deleted_because: because }) => ({
      kind: 'file',
      account,
      name,
      at: when ?? since,
      because: because ?? 'owner',
    }));
    [at, after] = [rows.at(-1)?.deleted_at ?? since, rows.at(-1)?.id ?? ''];
    if (rows.length < rowsPerPage) return;
  }
}

async function* blockedDigests(db: Database | Transaction): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let after = ''; ;) {
    const rows = await db
      .selectFrom('blocked_digests')
      .selectAll()
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(rowsPerPage)
      .execute();
    yield rows.map((row) => ({ kind: 'digest', row }));
    after = rows.at(-1)?.sha256 ?? '';
    if (rows.length < rowsPerPage) return;
  }
}

/** Reads from the owners' activity when each file was last given back. */
async function* givenBack(db: Database | Transaction, since: number): AsyncGenerator<readonly RepeatedDeletion[]> {
  for (let [from, after] = [since, '']; ;) {
    const rows = await db
      .selectFrom('activity')
      .innerJoin('files', 'files.name', 'activity.name')
      .select(['activity.id', 'activity.account_id as account', 'activity.name', 'activity.happened_at as at'])
      .where('activity.happened_at', '>=', from)
      .where((eb) => eb.or([eb('activity.happened_at', '>', from), eb('activity.id', '>', after)]))
      .where('activity.event', '=', 'restored')
      .whereRef('activity.happened_at', '=', 'files.returned_at')
      .where('files.deleted_at', 'is', null)
      .orderBy('activity.happened_at')
      .orderBy('activity.id')
      .limit(rowsPerPage)
      .execute();
    yield rows.map(({ account, name, at }) => ({ kind: 'given back', account, name, at }));
    [from, after] = [rows.at(-1)?.at ?? since, rows.at(-1)?.id ?? ''];
    if (rows.length < rowsPerPage) return;
  }
}
