/**
 * A clock that jumps makes everything look old at once. Rules that delete wait a day, so that an operator can correct
 * it.
 */
import type { Context } from '../context.ts';
import { clockSkew, days } from '../lib/clock.ts';

const heldFor = days(1);
const clockJump = 'clock jump';

type Parts = Pick<Context, 'db' | 'clock'>;

/** Records that the clock of a process has jumped to its current time. */
export async function noteClockJump({ db, clock }: Parts): Promise<void> {
  const at = clock.now();
  await db
    .insertInto('service_facts')
    .values({ name: clockJump, at })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ at }))
    .execute();
}

/**
 * Returns whether the clock of any process jumped within the last day. A jump recorded in the future has been undone
 * since.
 */
export async function hasClockJumped({ db, clock }: Parts): Promise<boolean> {
  const now = clock.now();
  const jump = await db
    .selectFrom('service_facts')
    .select('at')
    .where('name', '=', clockJump)
    .where('at', '>', now - heldFor)
    .where('at', '<=', now + clockSkew)
    .executeTakeFirst();
  return jump !== undefined;
}
