/** One statement reads a counter and counts again, so that a concurrent upload makes no difference. */
import { type RawBuilder, sql } from 'kysely';
import { recordAction } from '../../storage/db/record-action.ts';
import { rowsById } from '../../storage/db/batches.ts';
import type { Finding, Inspection, Suspicion } from './fsck.ts';

interface Counter<Row> {
  readonly kind: Finding['kind'];
  readonly table: 'accounts' | 'blobs';
  readonly read: (condition: RawBuilder<unknown>) => RawBuilder<Row>;
  readonly isWrong: (row: Row) => boolean;
  readonly says: (row: Row) => string;
  readonly right: RawBuilder<unknown>;
}

async function* findWrong<Row extends { readonly id: string }>(
  { context, actor, signal, checked }: Inspection,
  { kind, table, read, isWrong, says, right }: Counter<Row>,
): AsyncGenerator<Suspicion> {
  const { db } = context;
  const rowsWhere = async (condition: RawBuilder<unknown>) => (await read(condition).execute(db)).rows;
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
          db.transaction().execute(async (tx) => {
            // Locks the row, as every transaction that adds or removes a file does.
            await sql`UPDATE ${sql.table(table)} SET id = id WHERE id = ${id}`.execute(tx);
            const { numAffectedRows } = await sql`
              UPDATE ${sql.table(table)} SET ${right} WHERE id = ${id}`.execute(tx);
            if (numAffectedRows !== 1n) return false;
            const details = { ...row, email: undefined };
            await recordAction({ ...context, db: tx }, actor, { subject: id, details });
            return true;
          }),
      };
    if (table === 'accounts') checked(table);
  }
}

interface Usage extends Readonly<Record<'space_used' | 'slots_used' | 'space' | 'slots', number>> {
  readonly id: string;
  readonly email: string;
}

/** An account can have 100,000 files, and a statement must not take long. */
const accountsPerPage = 50;

export function findWrongUsage(inspection: Inspection): AsyncGenerator<Suspicion> {
  const files = sql`FROM files WHERE files.account_id = accounts.id AND files.deleted_at IS NULL`;
  const uploads = sql`FROM uploads WHERE uploads.account_id = accounts.id AND uploads.is_reserved = 1`;
  const space = sql`cast((SELECT coalesce(sum(files.size), 0) ${files})
    + (SELECT coalesce(sum(uploads.size), 0) ${uploads}) as bigint)`;
  const slots = sql`((SELECT count(*) ${files}) + (SELECT count(*) ${uploads}))`;
  return findWrong<Usage>(inspection, {
    kind: 'wrong-usage',
    table: 'accounts',
    read: (condition) => sql`
      SELECT accounts.id, email, space_used, slots_used, ${space} AS space, ${slots} AS slots
      FROM accounts WHERE ${condition} ORDER BY accounts.id LIMIT ${sql.lit(accountsPerPage)}`,
    isWrong: (row) => row.space_used !== row.space || row.slots_used !== row.slots,
    says: (row) =>
      `The recorded usage of account ${row.email || row.id} is ${row.slots_used} files with ` +
      `${row.space_used} bytes, but the account has ${row.slots} files with ${row.space} bytes.`,
    right: sql`space_used = ${space}, slots_used = ${slots}`,
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
  const now = sql`cast(${inspection.context.clock.now()} as bigint)`;
  return findWrong<Counted>(inspection, {
    kind: 'wrong-count',
    table: 'blobs',
    read: (condition) => sql`
      SELECT id, used_by, unused_since, ${uses} AS uses FROM blobs WHERE ${condition} ORDER BY id LIMIT 1000`,
    isWrong: (row) => row.used_by !== row.uses || (row.uses === 0) !== (row.unused_since !== null),
    says: (row) =>
      `Blob ${row.id} is recorded as used by ${row.used_by} files` +
      `${row.unused_since === null ? '' : ' and to be purged'}, but ${row.uses} files use it.`,
    right: sql`used_by = ${uses}, unused_since = CASE WHEN ${uses} = 0 THEN coalesce(unused_since, ${now}) END`,
  });
}
