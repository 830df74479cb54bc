import { sql } from 'kysely';
import { recordAction } from '../record-action.ts';
import { lockRows } from '../../engines/database/lock-rows.ts';
import type { Inspection } from './inspection.ts';
import { pagesById } from './pages.ts';

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

/** Checks that the used space and slots of every account, closed ones included, are the sums of its live files. */
export async function checkAccounts(inspection: Inspection): Promise<void> {
  const { signal, suspect, checked } = inspection;
  const read = (after: string) => readUsage(inspection, { after });
  for await (const page of pagesById(signal, ({ id }: Usage) => id, read, accountsPerPage)) {
    for (const usage of page.filter(isWrong))
      await suspect({
        kind: 'wrong-usage',
        subject: usage.id,
        says:
          `The recorded usage of account ${usage.email || usage.id} is ${usage.slots_used} files with ` +
          `${usage.space_used} bytes, but the account has ${usage.slots} files with ${usage.space} bytes.`,
        again: async () => (await readUsage(inspection, { only: usage.id })).some(isWrong),
        mend: () => mendUsage(inspection, usage),
      });
    checked('accounts', page.length);
  }
}

const isWrong = ({ space_used, slots_used, space, slots }: Usage) => space_used !== space || slots_used !== slots;

/** One statement reads the stored sums and computes them again, so a concurrent upload makes no difference. */
async function readUsage(
  { context: { db } }: Inspection,
  { after = '', only }: { readonly after?: string; readonly only?: string },
): Promise<Usage[]> {
  const { rows } = await sql<Usage>`
    SELECT page.id, page.email, page.space_used, page.slots_used,
      cast(coalesce(sum(files.size), 0) as bigint) AS space, count(files.id) AS slots
    FROM (
      SELECT id, email, space_used, slots_used FROM accounts
      WHERE ${only === undefined ? sql`id > ${after}` : sql`id = ${only}`} ORDER BY id LIMIT ${accountsPerPage}
    ) AS page
    LEFT JOIN files ON files.account_id = page.id AND files.deleted_at IS NULL
    GROUP BY page.id, page.email, page.space_used, page.slots_used ORDER BY page.id`.execute(db);
  return rows;
}

function mendUsage({ context, actor }: Inspection, { id, space_used, slots_used }: Usage): Promise<boolean> {
  return context.db.transaction().execute(async (tx) => {
    // Every transaction that adds or removes a file locks this row first.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', id));
    const live = sql`FROM files WHERE files.account_id = accounts.id AND files.deleted_at IS NULL`;
    const space = sql`(SELECT cast(coalesce(sum(files.size), 0) as bigint) ${live})`;
    const slots = sql`(SELECT count(*) ${live})`;
    const { numAffectedRows } = await sql`
      UPDATE accounts SET space_used = ${space}, slots_used = ${slots}
      WHERE id = ${id} AND (space_used <> ${space} OR slots_used <> ${slots})`.execute(tx);
    if (Number(numAffectedRows) !== 1) return false;
    await recordAction({ ...context, db: tx }, actor, {
      subject: id,
      details: { account: id, space_used, slots_used },
    });
    return true;
  });
}
