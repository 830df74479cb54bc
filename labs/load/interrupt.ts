import { checkKept, checkStorage } from './check-kept.ts';
import type { CutDisk } from './cut-disk.ts';
import type { KeptFile } from './kept-files.ts';
import { addUploaders, type Place } from '../../server/test/harness/place.ts';
import { openRequests } from './request.ts';
import { type Service, startService } from '../../server/test/harness/real-process.ts';
import { inject } from './strace.ts';
import { uploadUntilCut } from './upload-until-cut.ts';

const accounts = 13;

interface Rounds {
  readonly rounds: number;
  /** Called after each round with the number of uploads acknowledged up to now. */
  readonly progress?: (round: number, acknowledged: number) => void;
}

/**
 * Kills the server `rounds` times under 52 uploads at once, and after each restart compares every upload that was
 * acknowledged. Returns their number.
 * @throws {BrokenPromise}
 */
export function killUnderUploads(place: Place, rounds: Rounds): Promise<number> {
  return interrupt(place, rounds, { strike: (service) => service.kill(), async recover() {}, isSudden: true });
}

/**
 * Does the same with the power of the disk, on which the data folder of the place has to be. With `isSyncing` false
 * every sync succeeds without being made.
 */
export async function cutPower(place: Place, disk: CutDisk, isSyncing: boolean, rounds: Rounds): Promise<number> {
  return interrupt(place, rounds, {
    prepare: isSyncing ? undefined : ({ pid }) => inject(pid, { calls: 'fsync,fdatasync', fault: 'retval=0' }),
    async strike(service) {
      await disk.cut();
      await service.kill();
    },
    recover: () => disk.recover(),
    isSudden: false,
  });
}

interface Blow {
  readonly prepare?: ((service: Service) => Promise<AsyncDisposable>) | undefined;
  readonly strike: (service: Service) => Promise<void>;
  /** Called when the process has ended. */
  readonly recover: () => Promise<void>;
  /**
   * False if responses that arrive during the strike do not count: while ext4 shuts down, a sync that has begun may
   * succeed although its transaction is dropped.
   */
  readonly isSudden: boolean;
}

async function interrupt(place: Place, { rounds, progress = () => {} }: Rounds, blow: Blow): Promise<number> {
  const kept: KeptFile[] = [];
  await (await startService(place)).stop();
  const uploaders = await addUploaders(place, accounts);
  for (let round = 1; round <= rounds; round += 1) {
    {
      using requests = openRequests(place.port);
      await using service = await startService(place);
      await using _prepared = (await blow.prepare?.(service)) ?? null;
      const uploading = uploadUntilCut(requests, uploaders, kept);
      await uploading.acknowledged(20 + Math.floor(Math.random() * 200));
      const before = kept.length;
      await blow.strike(service);
      await uploading.ended;
      if (!blow.isSudden) kept.length = before;
    }
    await blow.recover();
    await check(place, kept);
    progress(round, kept.length);
  }
  return kept.length;
}

async function check(place: Place, kept: readonly KeptFile[]): Promise<void> {
  await using _service = await startService(place);
  using requests = openRequests(place.port);
  await checkKept(requests, kept);
  await checkStorage(place);
}
