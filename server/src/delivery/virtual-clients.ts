/** Clients that download in a time that a test moves: each takes what it is given as soon as it may. */
import type { Pace } from '../http/send-answer.ts';
import { createHeap } from './heap.ts';
import type { Timing } from './timing.ts';

export interface World extends Timing {
  /** Moves the time on, with everything that happens meanwhile. */
  run(ms: number): void;
  /** Starts an endless download; null paces are as fast as `lineSpeed`, in bytes per second. */
  download(open: () => (Pace & Disposable) | null, lineSpeed?: number): VirtualClient;
}

export interface VirtualClient {
  /** Bytes so far. */
  sent: number;
  /** When the last of them went, in milliseconds. */
  sentAt: number;
  /** Leaves as a real client does, in the middle of a wait, a read or a write. */
  stop(): void;
}

/** The most that a real response asks for in one piece. */
const chunk = 256 * 1024;
/** Between a grant and the write the bytes are read. */
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
