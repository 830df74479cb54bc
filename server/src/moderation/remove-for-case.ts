import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { queueEmail } from '../email/queue-email.ts';
import { takedownEmail } from '../email/templates.ts';
import { type Bytes, removeBytesEverywhere, type TellOwner } from './remove-bytes-everywhere.ts';

export interface TakenDown {
  readonly files: number;
  readonly accounts: number;
}

/** The case must be open already. */
export function removeForCase(context: Context, bytes: Bytes, reference: string): Promise<TakenDown> {
  return removeBytesEverywhere(context, bytes, 'takedown', reference, tellAndCount(context, bytes, reference));
}

/** Runs in the transaction that removes an owner's last file. */
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
    await sql`
      INSERT INTO takedowns (reference, sha256, account_id, taken_down_at)
      SELECT reference, sha256, ${owner.id}, cast(${now} as bigint) FROM takedown_cases
      WHERE sha256 = ${sha256} AND closed_at IS NULL
      ON CONFLICT (reference, sha256, account_id) DO NOTHING`.execute(tx);
    await queueEmail({ ...context, db: tx }, takedownEmail(context, owner.email, reference, withheld));
  };
}
