/** Load that does not wait for its own responses, as visitors do not. */

export interface Running {
  /** Calls that were started; those beyond `most` at once are left out. */
  readonly started: number;
  /** Rejects with the first error of a call; resolves after `stop`. */
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A server that falls behind has so many calls waiting. */
const most = 128;

/** Starts `call` so many times a second. */
export function runAtRate(perSecond: number, call: () => Promise<void>): Running {
  const begun = performance.now();
  const over = Promise.withResolvers<void>();
  const running = new Set<Promise<void>>();
  let started = 0;
  let due = 0;
  const tick = () => {
    const target = ((performance.now() - begun) / 1000) * perSecond;
    for (; due < target; due += 1) {
      if (running.size >= most) continue;
      started += 1;
      const one = call().catch(over.reject);
      running.add(one);
      void one.finally(() => running.delete(one));
    }
  };
  const timer = setInterval(tick, 10);
  over.promise.catch(() => clearInterval(timer));
  return {
    get started() {
      return started;
    },
    ended: over.promise,
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      over.resolve();
      await over.promise;
    },
  };
}

/** Returns how many calls a second are done when `lanes` of them always run. */
export async function measureRate(lanes: number, seconds: number, call: () => Promise<void>): Promise<number> {
  const until = performance.now() + seconds * 1000;
  let done = 0;
  const work = async () => {
    for (; performance.now() < until; done += 1) await call();
  };
  await Promise.all(Array.from({ length: lanes }, work));
  return done / seconds;
}
