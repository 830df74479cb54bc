import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Clock } from '../../lib/clock.ts';
import { seconds } from '../../lib/clock.ts';

/** A connection that is gone may not be noticed for long, and its client comes back at once. */
const longestSilence = seconds(2);

interface Turn {
  readonly heard: () => void;
  /** The next request waits for the end from now on. */
  readonly received: () => void;
}

/** One request at a time sends bytes of an upload. One that has fallen silent gives way to the next one. */
export function createTurns({ monotonic }: Pick<Clock, 'monotonic'>) {
  const held = new Map<string, { heardAt: number; readonly stop: () => void; readonly ended: Promise<void> }>();
  return async <T>(id: string, stop: () => void, work: (turn: Turn) => Promise<T>): Promise<T> => {
    for (let other = held.get(id); other; other = held.get(id)) {
      if (monotonic() - other.heardAt < longestSilence)
        throw new Failure('UPLOAD_BUSY', undefined, { retryAfterSeconds: 1 });
      other.stop();
      await other.ended;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    const own = { heardAt: monotonic(), stop, ended: promise };
    held.set(id, own);
    try {
      return await work({
        heard: () => (own.heardAt = Math.max(own.heardAt, monotonic())),
        received: () => (own.heardAt = -Infinity),
      });
    } finally {
      held.delete(id);
      resolve();
    }
  };
}
