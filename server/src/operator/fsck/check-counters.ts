/**
 * Counters are the sums of the rows that they count. One statement reads a counter and counts again, so that a concurrent
 * upload makes no difference.
 */
import { sql } from 'kysely';
import type { BlobId } from '../../storage/blobs/blobs.ts';
import type { Transaction } from '../../storage/db/database.ts';
import { lockRows } from '../../storage/db/lock-rows.ts';
import { type Inspection, pagesById, pageSize } from './inspection.ts';
import { recordAction } from '../record-action.ts';

interface Usage {
  readonly id: string;
  readonly email: string;
  readonly space_used: number;
  readonly slots_used: number;
  readonly space: number;
  readonly slots: number;
}

/** An account on the largest plan can have 100,000 files, and a statement must not take long. */
const accountsPerPage = 50;

/** Checks the used space and slots of every account, closed ones included. */
export async function checkUsage(inspection: Inspection): Promise<void> {
  const { context, signal, suspect, checked } = inspection;
  const read = async (condition: ReturnType<typeof sql>) => {
    const { rows } = await sql<Usage>`
      SELECT page.id, page.email, page.space_used, page.slots_used,
        cast(coalesce(sum(files.size), 0) as bigint) AS space, count(files.id) AS slots
      FROM (
        SELECT id, email, space_used, slots_used FROM accounts WHERE ${condition} ORDER BY id LIMIT ${accountsPerPage}
      ) AS page
      LEFT JOIN files ON files.account_id = page.id AND files.deleted_at IS NULL
      GROUP BY page.id, page.email, page.space_used, page.slots_used ORDER BY page.id`.execute(context.db);
    return rows;
  };
  const isWrong = ({ space_used, slots_used, space, slots }: Usage) => space_used !== space || slots_used !== slots;
  for await (const page of pagesById<Usage>(signal, (after) => read(sql`id > ${after}`))) {
    for (const { id, email, space_used, slots_used, space, slots } of page.filter(isWrong))
      await suspect({
        kind: 'wrong-usage',
        subject: id,
        says:
          `The recorded usage of account ${email || id} is ${slots_used} files with ` +
          `${space_used} bytes, but the account has ${slots} files with ${space} bytes.`,
        again: async () => (await read(sql`id = ${id}`)).some(isWrong),
        mend: () =>
          mend(inspection, id, { account: id, space_used, slots_used }, async (tx) => {
            // Every transaction that adds or removes a file locks this row first.
            await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
            const live = sql`FROM files WHERE files.account_id = accounts.id AND files.deleted_at IS NULL`;
            const sums = [
              sql`(SELECT cast(coalesce(sum(files.size), 0) as bigint) ${live})`,
              sql`(SELECT count(*) ${live})`,
            ];
            return sql`
              UPDATE accounts SET space_used = ${sums[0]}, slots_used = ${sums[1]}
              WHERE id = ${id} AND (space_used <> ${sums[0]} OR slots_used <> ${sums[1]})`.execute(tx);
          }),
      });
    checked('accounts', page.length);
  }
}

interface Counted {
  readonly id: BlobId;
  readonly used_by: number;
  readonly unused_since: number | null;
  readonly uses: number;
}

/** Checks that every blob has the number of live files that use it, and records since when it has none. */
export async function checkBlobCounts(inspection: Inspection): Promise<void> {
  const { context, signal, suspect } = inspection;
  const count = sql<number>`(SELECT count(*) FROM files WHERE files.blob_id = blobs.id AND files.deleted_at IS NULL)`;
  const rows = context.db
    .selectFrom('blobs')
    .select(['id', 'used_by', 'unused_since', count.as('uses')])
    .orderBy('id')
    .limit(pageSize);
  const isWrong = ({ used_by, unused_since, uses }: Counted) =>
    used_by !== uses || (uses === 0) !== (unused_since !== null);
  for await (const page of pagesById<Counted>(signal, (after) => rows.where('id', '>', after).execute()))
    for (const { id, used_by, unused_since, uses } of page.filter(isWrong))
      await suspect({
        kind: 'wrong-count',
        subject: id,
        says:
          `Blob ${id} is recorded as used by ${used_by} files${unused_since === null ? '' : ' and to be purged'}, ` +
          `but ${uses} files use it.`,
        again: async () => (await rows.where('id', '=', id).execute()).some(isWrong),
        mend: () =>
          mend(inspection, id, { blob: id, used_by, unused_since }, async (tx) => {
            await lockRows(tx, tx.selectFrom('blobs').select('id').where('id', '=', id));
            // A blob found to be unused gets its day of grace.
            const since = sql`coalesce(unused_since, cast(${context.clock.now()} as bigint))`;
            return sql`
              UPDATE blobs SET used_by = ${count}, unused_since = CASE WHEN ${count} = 0 THEN ${since} END
              WHERE id = ${id} AND (used_by <> ${count} OR (unused_since IS NULL) = (${count} = 0))`.execute(tx);
          }),
      });
}

/** Repairs one row in a transaction that counts again, with an entry in the audit log. */
function mend(
  { context, actor }: Inspection,
  subject: string,
  details: Readonly<Record<string, unknown>>,
  update: (tx: Transaction) => Promise<{ readonly numAffectedRows?: bigint }>,
): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    const { numAffectedRows } = await update(tx);
    if (Number(numAffectedRows) !== 1) return false;
    await recordAction({ ...context, db: tx }, actor, { subject, details });
    return true;
  });
}
