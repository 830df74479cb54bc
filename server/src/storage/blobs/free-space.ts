import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { seconds } from '../../lib/clock.ts';
import { freeBytes, leftToDatabase } from '../db/sqlite-reserve.ts';
import type { BlobStore } from './blobs.ts';

const heldFor = seconds(1);

export function openFreeSpace(
  blobs: Pick<BlobStore, 'space'>,
  { minFreeSpace: { bytes, percent }, database }: Pick<Config, 'minFreeSpace' | 'database'>,
  log: Pick<Logger, 'error' | 'info'>,
  ofDatabase = () => (database.engine === 'sqlite' ? freeBytes(dirname(database.path)) : Infinity),
) {
  let asked: ReturnType<typeof find> | null = null;
  let askedAt = 0;
  let known: string | null = null;
  const find = async () => {
    const { free, total } = (await blobs.space()) ?? { free: Infinity, total: 0 };
    const needed = Math.min(bytes, (total * percent) / 100);
    const forDatabase = ofDatabase() - leftToDatabase;
    const tooLittle =
      free < needed
        ? `${inGB(free)} are free and MIN_FREE_SPACE is ${inGB(needed)}`
        : forDatabase < 0
          ? `the disk of the database has only ${inGB(forDatabase + leftToDatabase)} free`
          : null;
    const problem = tooLittle && `uploads are refused, because ${tooLittle}`;
    if (problem !== null && known === null) log.error(`ALARM: ${problem}`);
    if (problem === null && known !== null) log.info('uploads are accepted again, because there is enough free space');
    known = problem;
    return { free, room: Math.min(free - needed, forDatabase), problem };
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
