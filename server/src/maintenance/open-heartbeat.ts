import type { Context } from '../context.ts';
import { minutes } from '../lib/clock.ts';
import { createClockCheck } from './check-clock.ts';
import { createProgramCheck } from './check-program.ts';
import { createClockComparison, isClockNear } from './clocks-apart.ts';
import { type MachineClock, openMachineClock } from './machine-clock.ts';
import { openProcessNote } from './processes.ts';
import { noteRunning } from './running-time.ts';

const beatEvery = minutes(1);

export interface Heartbeat extends AsyncDisposable {
  /**
   * Records at once that this process runs, and checks the clock. It never rejects; if it returns false, the clock may
   * have jumped unrecorded.
   */
  beat(): Promise<boolean>;
  /** Whether this process may run jobs, as far as the last beat found out. */
  mayRunJobs(): boolean;
}

type Parts = Pick<Context, 'db' | 'clock' | 'clockDifference' | 'log' | 'unsettled' | 'readOnly'>;

/** Checks the clock and records that the service runs, now and every minute. */
export function openHeartbeat(context: Parts, machine: MachineClock = openMachineClock()): Heartbeat {
  const { log } = context;
  const clock = createClockCheck(context, machine);
  const compareClocks = createClockComparison(context);
  const program = createProgramCheck(context);
  const process = openProcessNote(context);
  let last: Promise<unknown> = Promise.resolve();
  const look = async () => {
    compareClocks();
    // First, because it compares the clock with the last record.
    await clock.check();
    await noteRunning(context);
    await context.readOnly.check();
    await process.renew();
    await program.check();
  };
  const lookQuietly = async () => {
    try {
      await look();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat could not be written');
      return false;
    }
  };
  const beat = () => {
    const beaten = last.then(lookQuietly);
    last = beaten;
    return beaten;
  };
  const timer = setInterval(() => void beat(), beatEvery).unref();
  void beat();
  return {
    beat,
    mayRunJobs: () => isClockNear(context) && !program.isOutdated(),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
      await process
        .end()
        .catch((error: unknown) => log.warn({ err: error }, 'the end of a process could not be noted'));
    },
  };
}
