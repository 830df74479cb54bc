import type { Context } from '../context.ts';
import type { BlobId, StoredBlob } from '../storage/blobs/blobs.ts';
import { checkStorage } from '../storage/blobs/storage-owner.ts';
import { days } from '../lib/clock.ts';
import { batchSize } from './in-batches.ts';
import type { Job, JobRun } from './job.ts';

/** Uploads write their bytes before the row; none takes nearly as long. */
const youngestStray = days(7);
/** Most strays that one run removes; the rest is found the next day. */
const mostAtOnce = 100_000;
/** With an older database stored files look like strays, and a small site has no other deletion limit. */
const unremarkable = 10;

/** Removes bytes that have had no row for a week: their upload was killed, or its commit failed. */
export const sweepStrays: Job = {
  name: 'sweep-strays',
  pattern: '23 2 * * *',
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, signal, deletionLimit } = run;
    await checkStorage(context);
    const { strays, found, listed } = await findStrays(run);
    deletionLimit.check(found, listed, unremarkable);
    const doomed = dryRun ? [] : strays.map(({ id }) => id);
    for (let from = 0; from < doomed.length; from += batchSize) {
      signal.throwIfAborted();
      await context.blobs.remove(...doomed.slice(from, from + batchSize));
    }
    return { strays: strays.length, bytes: strays.reduce((sum, { size }) => sum + size, 0) };
  },
};

async function findStrays({ context, signal }: JobRun) {
  const until = context.clock.now() - youngestStray;
  const strays: StoredBlob[] = [];
  let [found, listed] = [0, 0];
  for await (const batch of batchesOf(context.blobs.list())) {
    signal.throwIfAborted();
    listed += batch.length;
    const old = batch.filter(({ storedAt }) => storedAt <= until);
    const known = await knownAmong(context, old);
    const unknown = old.filter(({ id }) => !known.has(id));
    found += unknown.length;
    strays.push(...unknown.slice(0, mostAtOnce - strays.length));
  }
  return { strays, found, listed };
}

async function* batchesOf(list: AsyncIterable<StoredBlob>): AsyncGenerator<readonly StoredBlob[]> {
  let batch: StoredBlob[] = [];
  for await (const blob of list) {
    batch.push(blob);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

async function knownAmong({ db }: Context, blobs: readonly StoredBlob[]): Promise<ReadonlySet<BlobId>> {
  if (blobs.length === 0) return new Set();
  const ids = blobs.map(({ id }) => id);
  const rows = await db.selectFrom('blobs').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map((row) => row.id));
}
