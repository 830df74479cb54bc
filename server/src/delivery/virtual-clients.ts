/** Clients that download in a time that a test moves: each takes what it is given as soon as it may. */
import type { Pace } from '../http/send-answer.ts';

export interface World {
  readonly now: () => number;
  /** Moves the time on, with everything that happens meanwhile. */
  run(ms: number): void;
  /** Starts an endless download; null paces are as fast as `lineSpeed`, in bytes per second. */
  download(open: () => (Pace & Disposable) | null, lineSpeed?: number): VirtualClient;
  /** Does something again and again. */
  every(ms: number, act: () => void): void;
}

export interface VirtualClient {
  /** Bytes so far. */
  sent: number;
  stop(): void;
}

const chunk = 256 * 1024;

export function openWorld(): World {
  let now = 1_000;
  let events: { at: number; act: () => void }[] = [];
  const at = (time: number, act: () => void) => void events.push({ at: time, act });
  const world: World = {
    now: () => now,
    run(ms) {
      const end = now + ms;
      for (;;) {
        const next = events.reduce((first, each) => (each.at < first.at ? each : first), {
          at: Infinity,
          act: () => {},
        });
        if (next.at > end) break;
        events = events.filter((each) => each !== next);
        now = Math.max(now, next.at);
        next.act();
      }
      now = end;
    },
    every(ms, act) {
      const again = () => {
        act();
        at(now + ms, again);
      };
      at(now + ms, again);
    },
    download(open, lineSpeed = Infinity) {
      const pace = open();
      let stopped = false;
      const client = {
        sent: 0,
        stop() {
          stopped = true;
          pace?.[Symbol.dispose]();
        },
      };
      const next = () => {
        if (stopped) return;
        const { bytes, waitMs } = pace?.take(chunk) ?? { bytes: chunk, waitMs: 0 };
        // Timers fire a little late, as real ones do.
        const wait = waitMs === 0 ? 0 : Math.ceil(waitMs) + 1;
        at(now + wait, () => {
          if (stopped) return;
          client.sent += bytes;
          at(now + (bytes / lineSpeed) * 1_000, next);
        });
      };
      next();
      return client;
    },
  };
  return world;
}
