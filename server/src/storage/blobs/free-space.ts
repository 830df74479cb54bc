import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { seconds } from '../../lib/clock.ts';
import type { BlobStore } from './blobs.ts';

const heldFor = seconds(1);

export function openFreeSpace(
  blobs: Pick<BlobStore, 'space'>,
  least: Config['minFreeSpace'],
  log: Pick<Logger, 'error' | 'info'>,
) {
  let asked: Promise<Found> | null = null;
  let askedAt = 0;
  let wasShort = false;
  const look = (): Promise<Found> => {
    const now = performance.now();
    if (asked && now - askedAt < heldFor) return asked;
    askedAt = now;
    return (asked = find(blobs, least).then(noteChange));
  };
  const noteChange = (found: Found): Found => {
    const isShort = found.room < 0;
    if (isShort && !wasShort) log.error(`ALARM: ${problemOf(found)}`);
    if (!isShort && wasShort) log.info('uploads are accepted again, because there is enough free space');
    wasShort = isShort;
    return found;
  };
  return {
    /** Negative when too little is free already. */
    room: async () => (await look()).room,
    free: async () => (await look()).free,
    problem: async () => problemOf(await look()),
  };
}

type Found = Awaited<ReturnType<typeof find>>;

async function find(blobs: Pick<BlobStore, 'space'>, { bytes, percent }: Config['minFreeSpace']) {
  const { free, total } = (await blobs.space()) ?? { free: Infinity, total: 0 };
  const needed = Math.min(bytes, (total * percent) / 100);
  return { room: free - needed, free, needed };
}

function problemOf({ room, free, needed }: Found): string | null {
  const inGB = (size: number) => `${(size / 1e9).toFixed(2)} GB`;
  return room < 0 ? `uploads are refused, because ${inGB(free)} are free and MIN_FREE_SPACE is ${inGB(needed)}` : null;
}
