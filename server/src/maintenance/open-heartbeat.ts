import { uptime } from 'node:os';
import type { Context } from '../context.ts';
import { hours, minutes, seconds } from '../lib/clock.ts';
import { noteClockJump } from './clock-jump.ts';
import { noteRunning } from './running-time.ts';

const beatEvery = minutes(1);
/** Smaller steps are not jumps: a leap second, or a clock corrected after a minute without network. */
const smallestJump = hours(1);

export interface Heartbeat extends AsyncDisposable {
  /** Records at once that this process runs, and checks the clock. It never rejects. */
  beat(): Promise<void>;
}

type Parts = Pick<Context, 'db' | 'clock' | 'log'>;

/**
 * Records now and every minute that the service runs. `sinceBoot` measures time in milliseconds with a clock that
 * cannot be set; when the two diverge, the system clock has jumped. It must include the time that the machine sleeps.
 */
export function openHeartbeat(context: Parts, sinceBoot: () => number = machineUptime): Heartbeat {
  const { clock, log } = context;
  let bootedAt = clock.now() - sinceBoot();
  let last: Promise<void> = Promise.resolve();
  const look = async () => {
    const seen = clock.now() - sinceBoot();
    const jumpedBy = seen - bootedAt;
    if (Math.abs(jumpedBy) > smallestJump) {
      log.error(
        { jumpedBySeconds: jumpedBy / seconds(1) },
        'ALARM: the clock jumped: auto-delete and dormancy are paused for a day',
      );
      await noteClockJump(context);
    }
    bootedAt = seen;
    await noteRunning(context);
  };
  const beat = () =>
    (last = last.then(look).catch((error: unknown) => log.warn({ err: error }, 'the heartbeat could not be written')));
  const timer = setInterval(() => void beat(), beatEvery).unref();
  void beat();
  return {
    beat,
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await last;
    },
  };
}

const machineUptime = () => seconds(uptime());
