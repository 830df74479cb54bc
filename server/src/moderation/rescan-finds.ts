import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import { queueEmail } from '../email/queue-email.ts';
import { malwareEmail } from '../email/templates.ts';
import { days } from '../lib/clock.ts';

const namedInEmail = 20;

/** Called before the quarantine, so that a killed one is counted and its owners are told. */
export async function noteFind({ db, clock }: Pick<Context, 'db' | 'clock'>, sha256: string): Promise<void> {
  const find = { found_at: clock.now(), told: 0 } as const;
  await db
    .insertInto('rescan_finds')
    .values({ sha256, ...find })
    .onConflict((conflict) => conflict.column('sha256').doUpdateSet(find))
    .execute();
}

/** Whether `tellOwnersOfFinds` will tell the owners of these bytes. */
export async function isToldLater(tx: Transaction, sha256: string): Promise<boolean> {
  const find = tx.selectFrom('rescan_finds').select('sha256').where('sha256', '=', sha256).where('told', '=', 0);
  return (await find.executeTakeFirst()) !== undefined;
}

export async function tellOwnersOfFinds(context: Context): Promise<void> {
  const { db, clock } = context;
  await db.transaction().execute(async (tx) => {
    const untold = tx.selectFrom('rescan_finds').select('rescan_finds.sha256').where('told', '=', 0);
    const files = await tx
      .selectFrom('files')
      .innerJoin('accounts', 'accounts.id', 'files.account_id')
      .select(['email', 'files.name', 'original_name'])
      .where('deleted_because', '=', 'malware')
      // Written out so that the partial index is used.
      .where(sql<boolean>`deleted_because IN ('malware', 'takedown')`)
      .where('blob_id', 'in', tx.selectFrom('blobs').select('blobs.id').where('blobs.sha256', 'in', untold))
      .where('accounts.closed_at', 'is', null)
      .orderBy('original_name')
      .orderBy('files.id')
      .execute();
    for (const [email, theirs] of Map.groupBy(files, (file) => file.email)) {
      const withheld = { files: theirs.length, some: theirs.slice(0, namedInEmail) };
      await queueEmail({ ...context, db: tx }, malwareEmail(context, email, withheld));
    }
    await tx.updateTable('rescan_finds').set({ told: 1 }).where('told', '=', 0).execute();
    await tx
      .deleteFrom('rescan_finds')
      .where('found_at', '<=', clock.now() - days(7))
      .execute();
  });
}
