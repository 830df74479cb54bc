import type { Context } from '../../context.ts';
import type { BlobId, StoredBlob } from '../../engines/blobs/blobs.ts';
import { hours } from '../../lib/clock.ts';
import { adoptStrays, type Stray } from '../adopt-strays.ts';
import { batchSize } from '../in-batches.ts';
import type { Job, JobRun } from '../job.ts';
import { forgetOldKills, readKills } from '../processes.ts';
import { checkStorage } from '../../engines/blobs/storage-owner.ts';

/** Longer than any upload takes from writing its bytes to writing its row. */
const youngestStray = hours(24);
/** Most strays that one run adopts; the rest is found the next day. */
const mostAtOnce = 100_000;
/** With a wrong or older database stored files look like strays, and a small site has no other deletion limit. */
const unremarkable = 10;

/**
 * Finds bytes without a row, left behind by a killed process, and gives each a row as a blob that no file uses; the
 * purge deletes them a day later. An upload that has yet to write its row, whatever the clocks say, conflicts with this
 * row and is refused, so it cannot end as a file whose bytes are deleted. A storage that belongs to another service is
 * left alone. Strays from a time when a process was killed are expected; of others only as many as the deletion limit
 * permits.
 */
export const sweepStrays: Job = {
  name: 'sweep-strays',
  pattern: '23 2 * * *',
  deletesByAge: true,
  async run(run) {
    await checkStorage(run.context);
    const { strays, unexplained, listed } = await findStrays(run);
    run.deletionLimit.check(unexplained, listed, unremarkable);
    if (!run.dryRun) {
      for (let from = 0; from < strays.length; from += batchSize) {
        run.signal.throwIfAborted();
        await adoptStrays(run.context, strays.slice(from, from + batchSize));
      }
      await forgetOldKills(run.context);
    }
    return { strays: strays.length, bytes: strays.reduce((sum, { size }) => sum + size, 0) };
  },
};

interface Found {
  /** The strays that this run adopts, at most `mostAtOnce`. */
  readonly strays: readonly Stray[];
  /** Number of strays from times when no process was killed: the deletion limit checks them. */
  readonly unexplained: number;
  /** Number of stored blobs. */
  readonly listed: number;
}

async function findStrays({ context, signal }: JobRun): Promise<Found> {
  const until = context.clock.now() - youngestStray;
  const strays: Stray[] = [];
  const wasKilledAt = await readKills(context);
  let [unexplained, listed] = [0, 0];
  for await (const batch of batchesOf(context.blobs.list())) {
    signal.throwIfAborted();
    listed += batch.length;
    const old = batch.filter(({ storedAt }) => storedAt <= until);
    const known = await knownAmong(context, old);
    const unknown = old.filter(({ id }) => !known.has(id));
    unexplained += unknown.filter(({ storedAt }) => !wasKilledAt(storedAt)).length;
    strays.push(...unknown.slice(0, mostAtOnce - strays.length).map(({ id, size }) => ({ id, size })));
  }
  return { strays, unexplained, listed };
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
