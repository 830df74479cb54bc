import { sql } from 'kysely';
import type { Memory } from '../accounts/close-account.ts';
import { takedownLetter } from '../accounts/letters.ts';
import { type Actor, recordAction } from '../accounts/record-action.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../engines/database/database.ts';
import { queueLetter } from '../post/queue-letter.ts';
import type { FoundBytes } from './find-bytes.ts';
import { type Bytes, removeBytesEverywhere, type TellOwner } from './remove-bytes-everywhere.ts';

export interface TakenDown {
  /** Live files that went in this run, or in a dry run would go, and of how many accounts. */
  readonly files: number;
  readonly accounts: number;
}

/**
 * Removes all files of the same bytes from every account and every host, for the case `reference`. The bytes stay
 * under hold, nobody can upload them again, each owner gets a letter, and the case counts against their accounts.
 * Killed half-way it is finished by `finishRemovals`, or by the same case again; another case on bytes that are down
 * already is noted.
 */
export async function takeDown(
  context: Context,
  memory: Memory,
  actor: Actor,
  bytes: FoundBytes,
  reference: string,
): Promise<TakenDown> {
  const planned = await wouldTakeDown(context, bytes);
  await context.db.transaction().execute(async (tx) => {
    await openCase(tx, context.clock.now(), bytes, reference);
    const { sha256, name } = bytes;
    await recordAction({ ...context, db: tx }, actor, {
      subject: name ?? sha256,
      reference,
      details: { sha256, ...planned },
    });
  });
  return removeForCase(context, memory, bytes, reference);
}

/** The removal alone, for a case that is open. */
export function removeForCase(context: Context, memory: Memory, bytes: Bytes, reference: string): Promise<TakenDown> {
  return removeBytesEverywhere(context, memory, bytes, 'takedown', reference, tellAndCount(context, bytes, reference));
}

export async function wouldTakeDown(
  { db }: Pick<Context, 'db'>,
  { blobId }: Pick<FoundBytes, 'blobId'>,
): Promise<TakenDown> {
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select((eb) => [eb.fn.countAll<number>().as('files'), eb.fn.count<number>('account_id').distinct().as('accounts')])
    .where('files.blob_id', '=', blobId)
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/** From here on nothing of these bytes comes back without this case: `restore` takes the same row first. */
async function openCase(
  tx: Transaction,
  now: number,
  { blobId, sha256 }: FoundBytes,
  reference: string,
): Promise<void> {
  // Held from here on, so that whatever ends this process, the rest is found. By the digest, because the bytes may have
  // been uploaded again since they were looked for.
  await tx
    .updateTable('blobs')
    .set((eb) => ({
      held_for: eb.fn.coalesce('held_for', eb.val('takedown' as const)),
      held_at: eb.fn.coalesce('held_at', eb.val(now)),
    }))
    .where('sha256', '=', sha256)
    .execute();
  await tx
    .insertInto('takedown_cases')
    .values({ reference, sha256, opened_at: now, closed_at: null })
    .onConflict((conflict) => conflict.columns(['reference', 'sha256']).doUpdateSet({ closed_at: null }))
    .execute();
  // Whose files of these bytes are down for another case loses nothing new, and this notice is about them as well.
  await sql`
    INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
    SELECT DISTINCT cast(${reference} as text), sha256, account_id, cast(${now} as bigint) FROM files
    WHERE blob_id = ${blobId} AND deleted_because = 'takedown'
    ON CONFLICT (reference, sha256, account_id) DO UPDATE SET restored_at = NULL`.execute(tx);
}

/** Runs in the transaction that takes an owner's last file. */
function tellAndCount(context: Context, { sha256 }: Bytes, reference: string): TellOwner {
  return async (tx, owner, withheld) => {
    const now = context.clock.now();
    await tx
      .insertInto('takedowns')
      .values({ reference, sha256, account_id: owner.id, taken_down_at: now })
      .onConflict((conflict) =>
        conflict.columns(['reference', 'sha256', 'account_id']).doUpdateSet({ taken_down_at: now, restored_at: null }),
      )
      .execute();
    // Other cases may have opened on the same bytes just now, and these files are down for them as well.
    await sql`
      INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
      SELECT reference, sha256, ${owner.id}, cast(${now} as bigint) FROM takedown_cases
      WHERE sha256 = ${sha256} AND closed_at IS NULL
      ON CONFLICT (reference, sha256, account_id) DO NOTHING`.execute(tx);
    await queueLetter({ ...context, db: tx }, takedownLetter(context, owner.email, reference, withheld));
  };
}
