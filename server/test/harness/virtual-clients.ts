/** Simulated download clients in virtual time: each takes the bytes it is granted as soon as it may. */
import type { Pace } from '../../src/delivery/send-response.ts';
import type { Timing } from '../../src/delivery/throttle.ts';

export interface World extends Timing {
  /** Advances the time and runs everything that happens meanwhile. */
  run(ms: number): void;
  /** Starts an endless download. With a null pace it runs at `lineSpeed`, in bytes per second. */
  download(open: () => (Pace & Disposable) | null, lineSpeed?: number): VirtualClient;
}

export interface VirtualClient {
  /** Bytes sent up to now. */
  sent: number;
  /** Time of the last of them, in milliseconds. */
  sentAt: number;
  /** Leaves as a real client does, during a wait, a read or a write. */
  stop(): void;
}

/** The most that a real response requests in one piece. */
const chunk = 256 * 1024;
/** Time to read the bytes between a grant and the write. */
const readMs = 0.5;

export function openWorld(): World {
  let now = 1_000;
  const events = new Set<{ readonly at: number; readonly act: () => void }>();
  /** Of those at one time, the one that was scheduled first. */
  const first = () => {
    let found: { readonly at: number; readonly act: () => void } | undefined;
    for (const event of events) if (!found || event.at < found.at) found = event;
    return found;
  };
  const schedule = (at: number, act: () => void) => {
    const event = { at, act };
    events.add(event);
    return () => void events.delete(event);
  };
  const world: World = {
    now: () => now,
    // Timers fire a little late, as real ones do.
    after: (ms, act) => schedule(now + Math.ceil(ms) + 1, act),
    run(ms) {
      const end = now + ms;
      for (let next = first(); next && next.at <= end; next = first()) {
        events.delete(next);
        now = Math.max(now, next.at);
        next.act();
      }
      now = end;
    },
    download(open, lineSpeed = Infinity) {
      const pace = open();
      let unsent = 0;
      let cancel = () => {};
      const client: VirtualClient = {
        sent: 0,
        sentAt: now,
        stop() {
          cancel();
          if (unsent > 0) pace?.giveBack(unsent);
          pace?.[Symbol.dispose]();
        },
      };
      const request = () => {
        const leave = pace?.queue(chunk, read);
        if (!pace) read(chunk);
        else if (unsent === 0 && leave) cancel = leave;
      };
      const read = (bytes: number) => {
        unsent = bytes;
        cancel = schedule(now + readMs, () => {
          unsent = 0;
          client.sent += bytes;
          client.sentAt = now;
          cancel = schedule(now + (bytes / lineSpeed) * 1_000, request);
        });
      };
      request();
      return client;
    },
  };
  return world;
}
