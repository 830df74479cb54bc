import { hours } from '../lib/clock.ts';

/** Bytes outside the plan's speed, so that a preview or a player starts in time. */
export interface Burst {
  level(): number;
  take(bytes: number): void;
}

export interface DownloadBursts {
  /** For a response that begins at the byte `start`. `times`: how much more than others this client gets. */
  of(client: string, fileId: string, start: number, times?: number): Burst | null;
}

const lastsFor = hours(1);
/** About 10 MB. */
const mostPairs = 50_000;

/** Each client gets the first `bytes` of each file, and more only when it has taken none of them for an hour. */
export function createDownloadBursts(
  bytes: number,
  timing: { now(): number } = performance,
  most = mostPairs,
): DownloadBursts {
  const entries = new Map<string, { taken: number; usedAt: number }>();
  const forgetUnused = () => {
    for (const [key, { usedAt }] of entries) {
      if (timing.now() - usedAt < lastsFor) return;
      entries.delete(key);
    }
  };
  return {
    of(client, fileId, start, times = 1) {
      let left = times * bytes - start;
      if (left <= 0) return null;
      forgetUnused();
      const key = `${client} ${fileId}`;
      let entry = entries.get(key);
      if (!entry && entries.size >= most) return null;
      return {
        level() {
          const current = entries.get(key);
          // Its holder may outlive the entry.
          return entry && current !== entry ? 0 : Math.min(left, times * bytes - (current?.taken ?? 0));
        },
        take(taken) {
          const current = entries.get(key);
          entry ??= current ?? { taken: 0, usedAt: 0 };
          left -= taken;
          entry.taken += taken;
          entry.usedAt = timing.now();
          if (current && current !== entry) return;
          entries.delete(key);
          entries.set(key, entry);
        },
      };
    },
  };
}
