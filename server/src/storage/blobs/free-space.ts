import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { seconds } from '../../lib/clock.ts';
import type { BlobStore } from './blobs.ts';

const heldFor = seconds(1);

export function openFreeSpace(
  blobs: Pick<BlobStore, 'space'>,
  { bytes, percent }: Config['minFreeSpace'],
  log: Pick<Logger, 'error' | 'info'>,
) {
  let asked: ReturnType<typeof find> | null = null;
  let askedAt = 0;
  let known: string | null = null;
  const find = async () => {
    const { free, total } = (await blobs.space()) ?? { free: Infinity, total: 0 };
    const needed = Math.min(bytes, (total * percent) / 100);
    const problem =
      free < needed
        ? `uploads are refused, because ${inGB(free)} are free and MIN_FREE_SPACE is ${inGB(needed)}`
        : null;
    if (problem !== null && known === null) log.error(`ALARM: ${problem}`);
    if (problem === null && known !== null) log.info('uploads are accepted again, because there is enough free space');
    known = problem;
    return { free, room: free - needed, problem };
  };
  const look = () => {
    const now = performance.now();
    if (asked && now - askedAt < heldFor) return asked;
    askedAt = now;
    return (asked = find());
  };
  return {
    /** Negative when too little is free already. */
    room: async () => (await look()).room,
    free: async () => (await look()).free,
    problem: async () => (await look()).problem,
  };
}

const inGB = (size: number) => `${(size / 1e9).toFixed(2)} GB`;
