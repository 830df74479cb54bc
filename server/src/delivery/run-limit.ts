import { type Clock, hours, minutes } from '../lib/clock.ts';

export interface RunLimit {
  /** Starts a run of a client, or returns when the client may try again. */
  start(client: string): { end(): void } | { readonly retryAfterSeconds: number };
}

interface Runs {
  running: number;
  startedAt: number[];
}

/** Wait for a client whose other runs are still going, since their end cannot be predicted. */
const untilOneEndsSeconds = 10;
/** Interval between sweeps of expired entries. */
const sweepEvery = minutes(10);

/** Limits the number of runs per client, in parallel and per hour. */
export function openRunLimit(
  limits: { readonly atOnce: number; readonly perHour: number },
  clock: Pick<Clock, 'monotonic'>,
): RunLimit {
  const byClient = new Map<string, Runs>();
  const recent = ({ startedAt }: Runs) => startedAt.filter((time) => clock.monotonic() - time < hours(1));
  let sweptAt = clock.monotonic();
  const sweep = () => {
    sweptAt = clock.monotonic();
    for (const [client, runs] of byClient) if (runs.running === 0 && recent(runs).length === 0) byClient.delete(client);
  };
  return {
    start(client) {
      if (clock.monotonic() - sweptAt > sweepEvery) sweep();
      const runs = byClient.get(client) ?? { running: 0, startedAt: [] };
      runs.startedAt = recent(runs);
      const [oldest] = runs.startedAt;
      if (oldest !== undefined && runs.startedAt.length >= limits.perHour)
        return { retryAfterSeconds: Math.ceil((oldest + hours(1) - clock.monotonic()) / 1000) };
      if (runs.running >= limits.atOnce) return { retryAfterSeconds: untilOneEndsSeconds };
      runs.running += 1;
      runs.startedAt.push(clock.monotonic());
      byClient.set(client, runs);
      return { end: () => void (runs.running -= 1) };
    },
  };
}
