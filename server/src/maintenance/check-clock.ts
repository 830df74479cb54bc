/** Compares the system clock with clocks that nobody can set, and with the times in the database. */
import type { Context } from '../context.ts';
import { readFact, writeFact } from '../engines/database/service-facts.ts';
import { days, hours, seconds, smallestJump } from '../lib/clock.ts';
import { holdForJump, holdForStop, readClockHold } from './clock-hold.ts';
import { type MachineClock, openMachineClock } from './machine-clock.ts';
import { lastHeartbeat, noteRunning } from './running-time.ts';

/** After a shorter stop the jobs wait too, but it is too common for an alarm. */
const alarmingStop = days(1);
/** The time server moves a clock by less than this in a minute; without a difference nothing is written. */
const smallestNote = seconds(10);
const bootFacts = 'boot ';
/** Machines start often, so facts about earlier starts are deleted. */
const bootsKeptFor = days(400);

type Parts = Pick<Context, 'db' | 'clock' | 'log'>;

export interface ClockCheck {
  /** Raises the alarm if the clock has jumped since the last call, or at the first call since the last process ran. */
  check(): Promise<void>;
}

export function createClockCheck(context: Parts, machine: MachineClock = openMachineClock()): ClockCheck {
  const bootedNow = () => context.clock.now() - machine.sinceBoot();
  let bootedAt: number | null = null;
  return {
    async check() {
      const seen = bootedNow();
      const by = bootedAt === null ? await jumpSinceLastProcess(context, machine.boot, seen) : seen - bootedAt;
      if (Math.abs(by) > smallestJump) await raiseAlarm(context, by);
      if (machine.boot !== null) await noteBoot(context, machine.boot, seen);
      bootedAt = seen;
    },
  };
}

/** For a command, which may run while no server does. */
export const checkClockOnce = (context: Parts): Promise<void> => createClockCheck(context).check();

/**
 * For a server that starts, before it serves: it finds a jump before its start, or an earlier process has found it, and
 * sessions do not end by it.
 */
export async function checkClockAtStart(context: Parts, machine?: MachineClock): Promise<void> {
  await createClockCheck(context, machine).check();
  // So that the heartbeat does not find the same jump again.
  await noteRunning(context);
  const hold = await readClockHold(context);
  if (hold?.cause === 'jump' && hold.by > smallestJump) context.clock.beganAfterJump(hold.by, hold.left);
}

/**
 * If the machine has not been restarted since, its own clock tells exactly. Otherwise a clock that is behind the last
 * time in the database is wrong for certain, and nobody can tell one that is ahead from a service that was off.
 */
async function jumpSinceLastProcess(context: Parts, boot: string | null, bootedAt: number): Promise<number> {
  const last = await lastHeartbeat(context.db);
  if (last === null) return 0;
  const since = context.clock.now() - last;
  const noted = boot === null ? null : await readFact(context.db, bootFacts + boot);
  if (noted && Math.abs(bootedAt - noted.at) > smallestJump) return bootedAt - noted.at;
  if (since < 0) return since;
  if (noted === null && since > smallestJump && (await holdForStop(context, since))) reportStop(context, since);
  return 0;
}

const untilWhen = "jobs that delete what is old hold still for 24 hours of running, or until 'holdfast clock accept'";

function reportStop({ log }: Parts, off: number): void {
  const facts = { offHours: Math.round(off / hours(1)) };
  if (off > alarmingStop)
    log.error(facts, `ALARM: after a restart the clock is far past the last time in the database: ${untilWhen}`);
  else log.info(facts, `the service was off, or the clock is ahead: ${untilWhen}`);
}

async function raiseAlarm(context: Parts, by: number): Promise<void> {
  context.log.error({ jumpedBySeconds: Math.round(by / seconds(1)) }, `ALARM: the clock jumped: ${untilWhen}`);
  await holdForJump(context, by);
}

async function noteBoot({ db }: Parts, boot: string, bootedAt: number): Promise<void> {
  const name = bootFacts + boot;
  const noted = await readFact(db, name);
  if (noted && Math.abs(noted.at - bootedAt) < smallestNote) return;
  await writeFact(db, name, { value: '', at: bootedAt });
  await db
    .deleteFrom('service_facts')
    .where('name', 'like', `${bootFacts}%`)
    .where('at', '<', bootedAt - bootsKeptFor)
    .execute();
}
