/**
 * Counters are the sums of the rows that they count. One statement reads a counter and counts again, so that a concurrent
 * upload makes no difference.
 */
import { type RawBuilder, sql } from 'kysely';
import type { BlobId } from '../../storage/blobs/blobs.ts';
import type { Transaction } from '../../storage/db/database.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { recordAction } from '../audit.ts';
import { rowsById } from '../rows-by-id.ts';
import type { Finding, Inspection, Suspicion } from './inspection.ts';

interface Counter<Row> {
  readonly kind: Finding['kind'];
  readonly read: (condition: RawBuilder<unknown>) => RawBuilder<Row>;
  readonly isWrong: (row: Row) => boolean;
  readonly says: (row: Row) => string;
  readonly details: (row: Row) => Readonly<Record<string, unknown>>;
  readonly lock: (tx: Transaction, id: string) => Promise<void>;
  readonly mend: (id: string) => RawBuilder<unknown>;
  readonly checked: () => void;
}

async function* findWrong<Row extends { readonly id: string }>(
  { context, actor, signal }: Inspection,
  { kind, read, isWrong, says, details, lock, mend, checked }: Counter<Row>,
): AsyncGenerator<Suspicion> {
  const rowsWhere = async (condition: RawBuilder<unknown>) => (await read(condition).execute(context.db)).rows;
  for await (const row of rowsById<Row>((after) => rowsWhere(sql`id > ${after}`))) {
    signal.throwIfAborted();
    const { id } = row;
    if (isWrong(row))
      yield {
        kind,
        subject: id,
        says: says(row),
        again: async () => (await rowsWhere(sql`id = ${id}`)).some(isWrong),
        mend: () =>
          context.db.transaction().execute(async (tx) => {
            await lock(tx, id);
            const { numAffectedRows } = await mend(id).execute(tx);
            if (Number(numAffectedRows) !== 1) return false;
            await recordAction({ ...context, db: tx }, actor, { subject: id, details: details(row) });
            return true;
          }),
      };
    checked();
  }
}

interface Usage extends Readonly<Record<'space_used' | 'slots_used' | 'space' | 'slots', number>> {
  readonly id: string;
  readonly email: string;
}

/** An account on the largest plan can have 100,000 files, and a statement must not take long. */
const accountsPerPage = 50;

export function findWrongUsage(inspection: Inspection): AsyncGenerator<Suspicion> {
  const live = sql`FROM files WHERE files.account_id = accounts.id AND files.deleted_at IS NULL`;
  const space = sql`(SELECT cast(coalesce(sum(files.size), 0) as bigint) ${live})`;
  const slots = sql`(SELECT count(*) ${live})`;
  return findWrong<Usage>(inspection, {
    kind: 'wrong-usage',
    read: (condition) => sql`
      SELECT accounts.id, email, space_used, slots_used,
        cast(coalesce(sum(files.size), 0) as bigint) AS space, count(files.id) AS slots
      FROM accounts LEFT JOIN files ON files.account_id = accounts.id AND files.deleted_at IS NULL
      WHERE accounts.id IN (SELECT id FROM accounts WHERE ${condition} ORDER BY id LIMIT ${sql.lit(accountsPerPage)})
      GROUP BY accounts.id ORDER BY accounts.id`,
    isWrong: (row) => row.space_used !== row.space || row.slots_used !== row.slots,
    says: (row) =>
      `The recorded usage of account ${row.email || row.id} is ${row.slots_used} files with ` +
      `${row.space_used} bytes, but the account has ${row.slots} files with ${row.space} bytes.`,
    details: ({ id, space_used, slots_used }) => ({ account: id, space_used, slots_used }),
    // Every transaction that adds or removes a file locks this row first.
    lock: (tx, id) => lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id)),
    mend: (id) => sql`
      UPDATE accounts SET space_used = ${space}, slots_used = ${slots}
      WHERE id = ${id} AND (space_used <> ${space} OR slots_used <> ${slots})`,
    checked: () => inspection.checked('accounts'),
  });
}

interface Counted {
  readonly id: string;
  readonly used_by: number;
  readonly unused_since: number | null;
  readonly uses: number;
}

export function findWrongCounts(inspection: Inspection): AsyncGenerator<Suspicion> {
  const uses = sql`(SELECT count(*) FROM files WHERE files.blob_id = blobs.id AND files.deleted_at IS NULL)`;
  return findWrong<Counted>(inspection, {
    kind: 'wrong-count',
    read: (condition) => sql`
      SELECT id, used_by, unused_since, ${uses} AS uses FROM blobs WHERE ${condition} ORDER BY id LIMIT 1000`,
    isWrong: (row) => row.used_by !== row.uses || (row.uses === 0) !== (row.unused_since !== null),
    says: (row) =>
      `Blob ${row.id} is recorded as used by ${row.used_by} files` +
      `${row.unused_since === null ? '' : ' and to be purged'}, but ${row.uses} files use it.`,
    details: ({ id, used_by, unused_since }) => ({ blob: id, used_by, unused_since }),
    lock: (tx, id) =>
      lockRows(
        tx,
        tx
          .selectFrom('blobs')
          .select('id')
          .where('id', '=', id as BlobId),
      ),
    mend(id) {
      const since = sql`coalesce(unused_since, cast(${inspection.context.clock.now()} as bigint))`;
      return sql`
        UPDATE blobs SET used_by = ${uses}, unused_since = CASE WHEN ${uses} = 0 THEN ${since} END
        WHERE id = ${id} AND (used_by <> ${uses} OR (unused_since IS NULL) = (${uses} = 0))`;
    },
    checked() {},
  });
}
