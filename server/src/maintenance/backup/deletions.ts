/**
 * What was deleted after a backup was taken. Written beside the backup again and again (it is small and quick), it keeps
 * a restore from bringing back what somebody deleted in between.
 */
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Selectable } from 'kysely';
import type { Context } from '../../context.ts';
import type { Database, Transaction } from '../../engines/database/database.ts';
import type { RemovalReason, Schema } from '../../engines/database/schema.ts';
import { minutes } from '../../lib/clock.ts';
import { writeLines } from './lines-file.ts';
import { deletionsFile, readManifest } from './manifest.ts';

export type Deletion =
  | { readonly kind: 'account'; readonly id: string; readonly at: number }
  | {
      readonly kind: 'file';
      readonly account: string;
      readonly name: string;
      readonly at: number;
      readonly because: RemovalReason;
    }
  | { readonly kind: 'digest'; readonly row: BlockedDigest }
  | Notice;

export type BlockedDigest = Readonly<Selectable<Schema['blocked_digests']>>;

/** A case of a takedown that is open, and from whom it took files. */
export type Notice =
  | { readonly kind: 'case'; readonly row: Readonly<Selectable<Schema['takedown_cases']>> }
  | { readonly kind: 'takedown'; readonly row: Readonly<Selectable<Schema['takedowns']>> };

/** Processes may differ in what time it is. */
const overlap = minutes(10);
const rowsPerPage = 1000;

/**
 * Writes the list beside the backup in `folder`, in the place of an older one, and answers how long it is.
 * @throws {UnusableBackup}
 */
export async function writeDeletions({ db }: Context, folder: string): Promise<number> {
  const { taken_at: takenAt } = await readManifest(folder);
  const path = join(folder, deletionsFile);
  const part = `${path}.part`;
  await rm(part, { force: true });
  const { rows } = await writeLines(part, deletionsSince(db, takenAt - overlap));
  await rename(part, path);
  await using parent = await open(folder);
  await parent.sync();
  return rows;
}

async function* deletionsSince(db: Database | Transaction, since: number): AsyncGenerator<readonly Deletion[]> {
  yield* closedAccounts(db, since);
  yield* deletedFiles(db, since);
  const digests = await db.selectFrom('blocked_digests').selectAll().where('blocked_at', '>=', since).execute();
  yield digests.map((row) => ({ kind: 'digest', row }));
  const cases = db.selectFrom('takedown_cases').selectAll().where('opened_at', '>=', since);
  yield (await cases.where('closed_at', 'is', null).execute()).map((row) => ({ kind: 'case', row }));
  const takedowns = db.selectFrom('takedowns').selectAll().where('taken_down_at', '>=', since);
  yield (await takedowns.where('restored_at', 'is', null).execute()).map((row) => ({ kind: 'takedown', row }));
}

async function* closedAccounts(db: Database | Transaction, since: number): AsyncGenerator<readonly Deletion[]> {
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

async function* deletedFiles(db: Database | Transaction, since: number): AsyncGenerator<readonly Deletion[]> {
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
