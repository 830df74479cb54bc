/**
 * A clock that jumps makes everything look old at once. Jobs that delete what is old hold still until the service has run
 * for a day since the jump, or until an operator has confirmed the clock.
 */
import * as z from 'zod/mini';
import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';
import { days } from '../lib/clock.ts';
import { clockJumpFact, readRunningTime } from './running-time.ts';

const heldFor = days(1);
/** A machine that is switched off every night would otherwise hold all the time. */
const stopsAreKnownFor = days(30);
/** A stop of up to this many times the one that was held is like it. */
const likeness = 2;

type Parts = Pick<Context, 'db' | 'clock'>;

const jumpShape = z.object({
  /** Milliseconds by which the clock moved beside the time that passed, or for which no process ran. */
  by: z.number(),
  /** `stop`: after a restart of the machine, nothing shows whether the service was off or the clock is ahead. */
  cause: z.enum(['jump', 'stop']),
  accepted: z.boolean(),
});
export type ClockJump = z.infer<typeof jumpShape>;

export interface ClockHold extends Pick<ClockJump, 'by' | 'cause'> {
  /** When it began, by the clock after the jump. */
  readonly at: number;
  /** Milliseconds of running until it ends. */
  readonly left: number;
}

/** Returns null while jobs may trust the clock. */
export async function readClockHold(context: Parts): Promise<ClockHold | null> {
  const jump = await readJump(context);
  if (!jump || jump.accepted) return null;
  const { at, by, cause } = jump;
  const running = await readRunningTime(context);
  const left = heldFor - Math.max(0, running.ranSince(at));
  return left > 0 ? { at, by, cause, left } : null;
}

export async function holdForJump(context: Parts, by: number): Promise<void> {
  await writeJump(context, { by, cause: 'jump', accepted: false });
}

/** Returns false, and holds nothing more, if a similar stop was held within the last weeks. */
export async function holdForStop(context: Parts, by: number): Promise<boolean> {
  const last = await readJump(context);
  const isRecent = last?.cause === 'stop' && last.at > context.clock.now() - stopsAreKnownFor;
  if (isRecent && by <= last.by * likeness) return false;
  await writeJump(context, { by, cause: 'stop', accepted: false });
  return true;
}

/** Ends the hold. Returns false if there is none. */
export async function acceptClock(context: Parts): Promise<boolean> {
  const hold = await readClockHold(context);
  if (!hold) return false;
  const { at, by, cause } = hold;
  await writeFact(context.db, clockJumpFact, { value: JSON.stringify({ by, cause, accepted: true }), at });
  return true;
}

async function readJump({ db }: Pick<Context, 'db'>): Promise<(ClockJump & { readonly at: number }) | null> {
  const fact = await readFact(db, clockJumpFact);
  if (!fact) return null;
  // Earlier versions noted only the time of a jump.
  const jump =
    fact.value === '' ? { by: 0, cause: 'jump' as const, accepted: false } : jumpShape.parse(JSON.parse(fact.value));
  return { ...jump, at: fact.at };
}

const writeJump = ({ db, clock }: Parts, jump: ClockJump) =>
  writeFact(db, clockJumpFact, { value: JSON.stringify(jump), at: clock.now() });

/** A command was refused because jobs hold still. */
export class ClockInDoubt extends Error {
  constructor() {
    super(
      "The clock jumped, so nothing is deleted by its age. 'holdfast clock' shows by how much, and 'holdfast clock accept' confirms that it is right now.",
    );
    this.name = 'ClockInDoubt';
  }
}

/** @throws {ClockInDoubt} */
export async function requireTrustedClock(context: Parts): Promise<void> {
  if (await readClockHold(context)) throw new ClockInDoubt();
}
