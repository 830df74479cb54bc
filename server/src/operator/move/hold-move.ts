import { randomUUID } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from '../../context.ts';
import { placesOf, readMove } from '../../engines/database/moves.ts';
import type { MoveRow } from '../../engines/database/schema.ts';
import { minutes, seconds } from '../../lib/clock.ts';
import { UnusableMove } from './unusable-move.ts';

/** A command that has not renewed its hold for this long was killed. */
const holdFor = seconds(10);
const renewEvery = seconds(2);
/** A hold that ends later was written by a clock that has been set back since. */
const farAhead = minutes(5);

type Parts = Pick<Context, 'db' | 'clock'>;

export interface HeldMove extends AsyncDisposable {
  /** Names this command in `holder`. */
  readonly holder: string;
  readonly row: MoveRow;
  /** @throws {UnusableMove} when another command may work on the move by now. */
  readonly confirm: () => Promise<void>;
  /** Aborts when the caller's signal does, and when another command may work on the move. */
  readonly signal: AbortSignal;
}

export interface HoldOptions {
  readonly signal: AbortSignal;
  /** Is told before it waits for the hold of a command that was killed, or still runs. */
  readonly onWait: () => void;
}

/**
 * Begins a move of `service` to `places`, or goes on with it, and keeps other commands from doing so meanwhile.
 * @throws {UnusableMove} when another command works on it, or it is nearly done and leads to other places.
 */
export async function holdMove(
  { db, clock }: Parts,
  begin: Pick<MoveRow, 'service'> & Places,
  options: HoldOptions,
): Promise<HeldMove> {
  const now = clock.now();
  await db
    .insertInto('moves')
    .values({ direction: 'out', stage: 'copying', stage_since: now, ...begin })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const held = await holdBegun({ db, clock }, options);
  try {
    refuseOtherPlaces(held.row, begin);
    await db.updateTable('moves').set(begin).where('direction', '=', 'out').execute();
    return held;
  } catch (error) {
    await held[Symbol.asyncDispose]();
    throw error;
  }
}

type Places = Pick<MoveRow, 'database_to' | 'bytes_to'>;

/** Until its last step, a move can be directed to other places. */
export function refuseOtherPlaces(begun: MoveRow | null, places: Places): void {
  if (!begun || begun.stage === 'copying') return;
  if (begun.database_to === places.database_to && begun.bytes_to === places.bytes_to) return;
  throw new UnusableMove(
    `The last step of a move to ${placesOf(begun)} has begun. Name the same places again, or give --cancel.`,
  );
}

/**
 * Keeps other commands from working on a move that has begun.
 * @throws {UnusableMove} when there is none, or another command works on it.
 */
export async function holdBegun({ db, clock }: Parts, { signal, onWait }: HoldOptions): Promise<HeldMove> {
  const holder = randomUUID();
  const mine = () => db.updateTable('moves').where('direction', '=', 'out').where('holder', '=', holder);
  const take = async () => {
    const now = clock.now();
    const taken = await db
      .updateTable('moves')
      .set({ holder, held_until: now + holdFor })
      .where('direction', '=', 'out')
      .where((eb) => eb.or([eb('held_until', '<=', now), eb('held_until', '>', now + farAhead)]))
      .executeTakeFirst();
    return Number(taken.numUpdatedRows) > 0;
  };
  const startedAt = performance.now();
  for (let told = false; !(await take()); told = true) {
    if (!(await readMove(db, 'out'))) throw new UnusableMove('This service is not being moved.');
    if (performance.now() - startedAt > holdFor + renewEvery)
      throw new UnusableMove("Another 'holdfast move' works on this service. Stop it first, or wait for its end.");
    if (!told) onWait();
    await wait(seconds(1), undefined, { signal });
  }
  const row = await readMove(db, 'out');
  if (!row) throw new UnusableMove('This service is not being moved.');
  const lost = new AbortController();
  let heldUntil = performance.now() + holdFor;
  const confirm = async () => {
    const asked = performance.now();
    const renewed = await mine()
      .set({ held_until: clock.now() + holdFor })
      .executeTakeFirst();
    if (Number(renewed.numUpdatedRows) === 0) lost.abort(new UnusableMove("Another 'holdfast move' has taken over."));
    lost.signal.throwIfAborted();
    heldUntil = asked + holdFor;
  };
  const timer = setInterval(() => {
    void confirm().catch((error: unknown) => {
      // A short outage of the database does not cost the hold before it ends.
      if (performance.now() > heldUntil) lost.abort(error);
    });
  }, renewEvery);
  return {
    holder,
    row,
    confirm,
    signal: AbortSignal.any([signal, lost.signal]),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await mine()
        .set({ holder: '', held_until: 0 })
        .execute()
        // It ends by itself.
        .catch(() => {});
    },
  };
}
