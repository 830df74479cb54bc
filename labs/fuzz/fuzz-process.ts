import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { BrokenPromise } from '../load/broken-promise.ts';
import { checkKept, checkStorage, tempFiles } from '../load/check-kept.ts';
import { newDraft, uploadDraft } from '../load/kept-files.ts';
import { addUploaders, type Place } from '../../server/test/harness/place.ts';
import { openRequests } from '../load/request.ts';
import { startService } from '../../server/test/harness/real-process.ts';
import { fuzz } from './fuzz.ts';

export interface Fuzzed {
  readonly statuses: ReadonlyMap<number, number>;
  /** Megabytes after a tenth of the requests, and after all of them. */
  readonly rss: readonly [number, number];
  readonly descriptors: readonly [number, number];
}

/** Milliseconds in which the connections of the last requests have to be closed. */
const settling = 60_000;

/**
 * Starts a server, sends it mutated requests, and checks that it is as before: the process, its descriptors, the temp
 * files, the storage, and a file that was there before.
 * @throws {BrokenPromise}
 */
export async function fuzzService(
  place: Place,
  { requests: count, seed, progress }: { requests: number; seed: number; progress?: (sent: number) => void },
): Promise<Fuzzed> {
  await using service = await startService(place);
  const [uploader] = await addUploaders(place, 1);
  if (!uploader) throw new Error('there is no account');
  using requests = openRequests(place.port);
  const sent = await uploadDraft(requests, newDraft(uploader, 1_000));
  if (!('file' in sent)) throw new Error(sent.text);
  const known = { port: place.port, apiKey: uploader.apiKey, name: sent.file.name };
  const options = { seed, folder: place.folder, ...(progress && { progress }) };
  const warm = await fuzz(known, { ...options, requests: Math.ceil(count / 10) });
  const before = await measure(service.pid);
  const rest = await fuzz(known, { ...options, seed: seed + 1, requests: count - Math.ceil(count / 10) });
  if (service.fell !== null) throw new BrokenPromise(`A mutated request ended the process: ${service.fell}.`);
  await settle(place, service.pid, before.descriptors);
  const after = await measure(service.pid);
  await checkKept(requests, [sent.file]);
  await checkStorage(place);
  const statuses = new Map(warm);
  for (const [status, times] of rest) statuses.set(status, (statuses.get(status) ?? 0) + times);
  return { statuses, rss: [before.rss, after.rss], descriptors: [before.descriptors, after.descriptors] };
}

async function measure(pid: number) {
  const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
  return { rss: (Number(pages) * 4096) / 1e6, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}

/** Waits until no temp file is left, and no more descriptors are open than before. */
async function settle(place: Place, pid: number, descriptors: number): Promise<void> {
  const begun = performance.now();
  for (;;) {
    const [left, open] = [(await tempFiles(place)).length, (await measure(pid)).descriptors];
    if (left === 0 && open <= descriptors + 20) return;
    if (performance.now() - begun > settling)
      throw new BrokenPromise(`After the requests ${left} temp files and ${open} descriptors are left.`);
    await delay(200);
  }
}
