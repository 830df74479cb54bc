import { hours } from '../lib/clock.ts';

/** Bytes outside the plan's speed, so that a preview is there in time. */
export interface Burst {
  level(): number;
  take(bytes: number): void;
}

export interface PreviewBursts {
  of(client: string, fileId: string): Burst | null;
}

const lastsFor = hours(1);
/** About 10 MB. */
const mostPairs = 50_000;

/** Each client gets `bytes` of each file, and more only when it has taken none of them for an hour. */
export function createPreviewBursts(
  bytes: number,
  timing: { now(): number } = performance,
  most = mostPairs,
): PreviewBursts {
  const entries = new Map<string, { left: number; usedAt: number }>();
  const forgetUnused = () => {
    for (const [key, { usedAt }] of entries) {
      if (timing.now() - usedAt < lastsFor) return;
      entries.delete(key);
    }
  };
  return {
    of(client, fileId) {
      if (bytes === 0) return null;
      forgetUnused();
      const key = `${client} ${fileId}`;
      const known = entries.get(key);
      if (!known && entries.size >= most) return null;
      const entry = known ?? { left: bytes, usedAt: timing.now() };
      entries.set(key, entry);
      const isKnown = () => entries.get(key) === entry;
      return {
        // Its holder may outlive the entry.
        level: () => (isKnown() ? entry.left : 0),
        take(taken) {
          entry.left -= taken;
          entry.usedAt = timing.now();
          if (!isKnown()) return;
          entries.delete(key);
          entries.set(key, entry);
        },
      };
    },
  };
}
