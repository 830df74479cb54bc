/** The steps of an upload in the order in which they reach the disk, and faults at each of them. */
import { join } from 'node:path';
import { BrokenPromise } from './broken-promise.ts';
import { checkKept, checkStorage, countLive, tempFiles } from './check-kept.ts';
import { type KeptFile, newDraft, uploadDraft } from './kept-files.ts';
import { addUploaders, type Place, type Uploader } from '../../server/test/harness/place.ts';
import { openRequests, type Requests } from './request.ts';
import { type Service, startService } from '../../server/test/harness/real-process.ts';
import { inject, type Injection } from './strace.ts';

export interface Step {
  readonly name: string;
  readonly at: Omit<Injection, 'fault'>;
  /** Which of these calls, from 1. */
  readonly turn: number;
  /** True if only some uploads make this call so often. */
  readonly isOptional?: boolean;
  /** True if the row is committed by then, so that an upload that fails may exist. */
  readonly isCommitted?: boolean;
  /** True if the count is that of an upload whose folder this process has not used yet: then it is started again. */
  readonly isFirst?: boolean;
}

const fsyncs = { calls: 'fsync,fdatasync' };

/** A fault strikes at the beginning of a step, which is the end of the one before it. */
export function stepsOf({ dataDir, environment }: Place): readonly Step[] {
  const log = { path: join(dataDir, 'holdfast.db-wal') };
  const locks = { calls: 'fcntl', path: join(dataDir, 'holdfast.db-shm') };
  const blob: readonly Step[] = [
    { name: 'mkdir of the outer folder', at: { calls: 'mkdir' }, turn: 2, isOptional: true, isFirst: true },
    { name: 'fsync of the outer folder', at: fsyncs, turn: 1, isFirst: true },
    { name: 'fsync of the storage folder', at: fsyncs, turn: 2, isFirst: true },
    { name: 'rename into place', at: { calls: 'rename' }, turn: 1 },
    { name: 'fsync of the file', at: fsyncs, turn: 3, isFirst: true },
    { name: 'fsync of the inner folder', at: fsyncs, turn: 4, isFirst: true },
  ];
  if (environment['DATABASE_URL'] !== undefined) return blob;
  return [
    ...blob,
    { name: 'first page of the commit', at: { calls: 'pwrite64', ...log }, turn: 1 },
    { name: 'a later page of the commit', at: { calls: 'pwrite64', ...log }, turn: 9 },
    { name: 'fsync of the commit', at: { ...fsyncs, ...log }, turn: 1, isCommitted: true },
    // Which of its locks SQLite takes and releases around a commit depends on what it has read before.
    ...[3, 5, 7].map((turn) => ({ name: `lock ${turn} of the commit`, at: locks, turn, isOptional: true })),
  ];
}

/** The steps at which the system can refuse. */
export const canFail = ({ at }: Step): boolean => at.calls !== 'fcntl';

export interface Trial extends AsyncDisposable {
  readonly place: Place;
  readonly service: Service;
  readonly requests: Requests;
  readonly uploader: Uploader;
  readonly kept: KeptFile[];
  /** Number of uploads that failed and may exist. */
  unknown: number;
  /** Starts the process again after it was killed. */
  restart(): Promise<void>;
}

/** One thread for the file system, so that its calls are counted in the order of the upload. */
const oneThread = { UV_THREADPOOL_SIZE: '1' };

export async function openTrial(place: Place): Promise<Trial> {
  let service = await startService(place, oneThread);
  const [uploader] = await addUploaders(place, 1);
  if (!uploader) throw new Error('there is no account');
  const requests = openRequests(place.port);
  return {
    place,
    get service() {
      return service;
    },
    requests,
    uploader,
    kept: [],
    unknown: 0,
    async restart() {
      await service.kill();
      service = await startService(place, oneThread);
    },
    async [Symbol.asyncDispose]() {
      requests[Symbol.dispose]();
      await service.kill();
    },
  };
}

const size = 60_000;

/**
 * Kills the process at a step of an upload, starts it again, and sends the same upload again. Returns whether the step
 * was reached.
 */
export async function killAt(trial: Trial, { at, turn, isFirst = false }: Step): Promise<boolean> {
  if (isFirst) await trial.restart();
  const draft = newDraft(trial.uploader, size);
  const isKilled = await sendUnder(trial, { ...at, fault: `signal=SIGKILL:when=${turn}` }, draft);
  await trial.restart();
  await keep(trial, draft);
  await checkTrial(trial);
  return isKilled === 'no response';
}

/** Lets a step of an upload fail, and sends the same upload again. Returns the status of the failed one. */
export async function failAt(trial: Trial, step: Step, error: 'EIO' | 'ENOSPC'): Promise<number> {
  const { name, at, turn, isFirst = false, isCommitted = false } = step;
  if (isFirst) await trial.restart();
  const draft = newDraft(trial.uploader, size);
  const before = await tempFiles(trial.place);
  const status = await sendUnder(trial, { ...at, fault: `error=${error}:when=${turn}` }, draft);
  if (trial.service.fell !== null)
    throw new BrokenPromise(`The process ended (${trial.service.fell}) after ${error} at the ${name}.`);
  if (status === 'no response') throw new BrokenPromise(`${error} at the ${name} had no response.`);
  if (isCommitted) trial.unknown += 1;
  await keep(trial, draft);
  await checkTrial(trial);
  const left = (await tempFiles(trial.place)).length - before.length;
  if (left > 0) throw new BrokenPromise(`${error} at the ${name} left ${left} temp files.`);
  return status;
}

async function sendUnder(trial: Trial, injection: Injection, draft: ReturnType<typeof newDraft>) {
  await using _injected = await inject(trial.service.pid, injection);
  const sent = await uploadDraft(trial.requests, draft).catch(() => null);
  if (sent === null) return 'no response';
  return 'file' in sent ? 200 : sent.status;
}

/** The bytes of a lost or failed upload are accepted afterwards, once. */
async function keep({ requests, kept }: Trial, draft: ReturnType<typeof newDraft>): Promise<void> {
  const sent = await uploadDraft(requests, draft);
  if (!('file' in sent)) throw new BrokenPromise(`An upload after the fault was refused: ${sent.status} ${sent.text}`);
  kept.push(sent.file);
}

async function checkTrial({ place, requests, kept, unknown }: Trial): Promise<void> {
  await checkKept(requests, kept);
  await checkStorage(place);
  const live = await countLive(place);
  if (live < kept.length || live > kept.length + unknown)
    throw new BrokenPromise(`${kept.length} uploads were acknowledged, ${live} files exist.`);
}
