import type { Context } from '../context.ts';
import { minutes } from '../lib/clock.ts';
import { createProgramCheck } from './check-program.ts';
import { noteHeartbeat } from './clock-guard.ts';
import { openProcessNote } from './processes.ts';

const beatEvery = minutes(1);

export interface Heartbeat extends AsyncDisposable {
  /** Records that this process runs. It never rejects; if it returns false, the clock may have jumped unrecorded. */
  beat(): Promise<boolean>;
  /** Whether this process may run jobs, as far as the last beat found out. */
  mayRunJobs(): boolean;
}

type Parts = Pick<Context, 'db' | 'clock' | 'log' | 'readOnly'>;

/** Checks the clock and records that the service runs, now and every minute. */
export function openHeartbeat(context: Parts): Heartbeat {
  const { log } = context;
  const program = createProgramCheck(context);
  const process = openProcessNote(context);
  let last: Promise<unknown> = Promise.resolve();
  const look = async () => {
    try {
      await noteHeartbeat(context);
      await context.readOnly.check();
      await process.renew();
      await program.check();
      return true;
    } catch (error) {
      log.warn({ err: error }, 'the heartbeat could not be written');
      return false;
    }
  };
  const beat = () => {
    const beaten = last.then(look);
    last = beaten;
    return beaten;
  };
  const timer = setInterval(() => void beat(), beatEvery).unref();
  void beat();
  return {
    beat,
    mayRunJobs: () => !program.isOutdated(),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
      await process
        .end()
        .catch((error: unknown) => log.warn({ err: error }, 'the end of a process could not be noted'));
    },
  };
}
