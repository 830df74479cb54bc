import { dirname } from 'node:path';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { seconds } from '../../lib/clock.ts';
import { freeBytes, leftToDatabase } from '../db/sqlite-reserve.ts';
import type { BlobStore } from './blobs.ts';

const heldFor = seconds(1);

export interface AdmittedUpload extends Disposable {
  /** It may receive more than its declared size. */
  note(receivedBytes: number): void;
}

export function openFreeSpace(
  blobs: Pick<BlobStore, 'space'>,
  { minFreeSpace: { bytes, percent }, database }: Pick<Config, 'minFreeSpace' | 'database'>,
  log: Pick<Logger, 'error' | 'info'>,
  ofDatabase = () => (database.engine === 'sqlite' ? freeBytes(dirname(database.path)) : Infinity),
) {
  let asked: ReturnType<typeof find> | null = null;
  let askedAt = 0;
  let known: string | null = null;
  /** Bytes of all uploads: admitted, received, and received when the storage was last asked. */
  const uploads = { admitted: 0, received: 0, receivedThen: 0 };
  const find = async () => {
    const { received } = uploads;
    const { free, total } = (await blobs.space()) ?? { free: Infinity, total: 0 };
    uploads.receivedThen = received;
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
  const freeSpace = {
    /** Negative when too little is free already. */
    room: async () => (await look()).room,
    /** Admits an upload of this size, unless those under way leave no room for it. */
    async admit(declared: number): Promise<AdmittedUpload | null> {
      const room = await freeSpace.room();
      if (declared > room - (uploads.admitted - uploads.receivedThen)) return null;
      uploads.admitted += declared;
      let left = declared;
      return {
        note(received) {
          uploads.received += received;
          uploads.admitted += Math.max(0, received - left);
          left = Math.max(0, left - received);
        },
        [Symbol.dispose]: () => void (uploads.admitted -= left),
      };
    },
    free: async () => (await look()).free,
    problem: async () => (await look()).problem,
  };
  return freeSpace;
}

const inGB = (size: number) => `${(size / 1e9).toFixed(2)} GB`;
