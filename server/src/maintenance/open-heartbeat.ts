import { uptime } from 'node:os';
import type { Context } from '../context.ts';
import { hours, minutes, seconds } from '../lib/clock.ts';
import { noteClockJump } from './clock-jump.ts';
import { noteRunning } from './running-time.ts';

const beatEvery = minutes(1);
/** A leap second, or a clock that is put right after a minute without network, is no jump. */
const smallestJump = hours(1);

export interface Heartbeat extends AsyncDisposable {
  /** Says at once that this process runs, and looks at the clock. It never rejects. */
  beat(): Promise<void>;
}

type Parts = Pick<Context, 'db' | 'clock' | 'log'>;

/**
 * Says now and every minute that the service runs. `sinceBoot` measures time by something that no setting of the clock
 * moves, in milliseconds; where both go apart, the clock has jumped. The time that a machine sleeps has to count in it.
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
        'ALARM: the clock jumped: auto-delete and dormancy wait a day',
      );
      await noteClockJump(context);
    }
    bootedAt = seen;
    await noteRunning(context);
  };
  const beat = () =>
    (last = last.then(look).catch((error: unknown) => log.warn({ err: error }, 'no heartbeat was noted')));
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
