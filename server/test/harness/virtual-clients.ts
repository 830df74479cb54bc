/** Simulated download clients in virtual time: each takes the bytes it is granted as soon as it may. */
import type { Pace } from '../../src/http/bytes/send-response.ts';
import { createHeap } from '../../src/delivery/heap.ts';
import type { Timing } from '../../src/delivery/timing.ts';

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
  let count = 0;
  const events = createHeap<{ at: number; order: number; act: () => void }>(
    (a, b) => a.at < b.at || (a.at === b.at && a.order < b.order),
  );
  const schedule = (at: number, act: () => void) => {
    const event = { at, order: (count += 1), act };
    events.add(event);
    return () => events.remove(event);
  };
  const world: World = {
    now: () => now,
    // Timers fire a little late, as real ones do.
    after: (ms, act) => schedule(now + Math.ceil(ms) + 1, act),
    run(ms) {
      const end = now + ms;
      for (let next = events.first(); next && next.at <= end; next = events.first()) {
        events.remove(next);
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
