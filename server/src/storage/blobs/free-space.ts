import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { seconds } from '../../lib/clock.ts';
import type { BlobStore } from './blobs.ts';

/** The space that is left for uploads, so that they are refused before the disk is full. */
export interface FreeSpace {
  /** Returns the bytes that may still be stored; negative when too little is free already, Infinity without a limit. */
  room(): Promise<number>;
  /** Returns the free bytes of the storage; Infinity without a limit. */
  free(): Promise<number>;
  /** Returns why no upload is accepted now; null if uploads are accepted. */
  problem(): Promise<string | null>;
}

/** Uploads that begin in the meantime see the same figure; each of them checks again while its bytes arrive. */
const heldFor = seconds(1);

/** Each change between enough and too little is logged, the latter as an alarm. */
export function openFreeSpace(
  blobs: Pick<BlobStore, 'space'>,
  least: Config['minFreeSpace'],
  log: Pick<Logger, 'error' | 'info'>,
): FreeSpace {
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
    if (isShort && !wasShort) log.error(`ALARM: ${words(found)}`);
    if (!isShort && wasShort) log.info('uploads are accepted again, because there is enough free space');
    wasShort = isShort;
    return found;
  };
  return {
    room: async () => (await look()).room,
    free: async () => (await look()).free,
    async problem() {
      const found = await look();
      return found.room < 0 ? words(found) : null;
    },
  };
}

interface Found {
  readonly room: number;
  readonly free: number;
  readonly needed: number;
}

async function find(blobs: Pick<BlobStore, 'space'>, { bytes, percent }: Config['minFreeSpace']): Promise<Found> {
  const space = await blobs.space();
  if (!space) return { room: Infinity, free: Infinity, needed: 0 };
  const { free, total } = space;
  const needed = Math.min(bytes, (total * percent) / 100);
  return { room: free - needed, free, needed };
}

const words = ({ free, needed }: Found) =>
  `uploads are refused, because ${inGB(free)} are free and MIN_FREE_SPACE is ${inGB(needed)}`;

const inGB = (bytes: number) => `${(bytes / 1e9).toFixed(2)} GB`;
