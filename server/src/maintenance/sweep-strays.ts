import type { Context } from '../context.ts';
import type { BlobId, StoredBlob } from '../engines/blobs/blobs.ts';
import { hours } from '../lib/clock.ts';
import { batchSize } from './in-batches.ts';
import type { Job, JobRun } from './job.ts';
import { checkStorage } from './service-id.ts';

/** Longer than any upload is on its way from its bytes to its row. */
export const youngestStray = hours(24);
/** The rest is found on the next day. */
const mostAtOnce = 100_000;
/** Without any rows all bytes are strays: then the database is the wrong one, and a small site has no other brake. */
const unremarkable = 10;

/**
 * Finds bytes without a row, which a process that was killed left behind, and gives each a row of a blob that no file
 * uses: the purge takes them a day later. An upload that is still about to write its row, whatever the clocks say, is then
 * refused by this one, and cannot end with a file whose bytes go. A storage that belongs to another service is left alone.
 */
export const sweepStrays: Job = {
  name: 'sweep-strays',
  pattern: '23 2 * * *',
  async run(run) {
    await checkStorage(run.context);
    const { strays, found, listed } = await findStrays(run);
    run.brake.check(found, listed, unremarkable);
    if (!run.dryRun)
      for (let from = 0; from < strays.length; from += batchSize) {
        run.signal.throwIfAborted();
        await adoptStrays(run.context, strays.slice(from, from + batchSize));
      }
    return { strays: strays.length, bytes: strays.reduce((sum, { size }) => sum + size, 0) };
  },
};

interface Found {
  /** Those that this run adopts, `mostAtOnce` of them at most. */
  readonly strays: readonly Stray[];
  /** How many there are in all: the limit is about these. */
  readonly found: number;
  /** How many blobs are stored. */
  readonly listed: number;
}

type Stray = Pick<StoredBlob, 'id' | 'size'>;

async function findStrays({ context, signal }: JobRun): Promise<Found> {
  const until = context.clock.now() - youngestStray;
  const strays: Stray[] = [];
  let [found, listed] = [0, 0];
  for await (const batch of batchesOf(context.blobs.list())) {
    signal.throwIfAborted();
    listed += batch.length;
    const old = batch.filter(({ storedAt }) => storedAt <= until);
    const known = await knownAmong(context, old);
    const unknown = old.filter(({ id }) => !known.has(id)).map(({ id, size }) => ({ id, size }));
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
  return new Set(rows.map((row) => row.id as BlobId));
}

/** The place of the digest has to be unique and nobody's: nobody uploads bytes with such a digest. */
export async function adoptStrays(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  strays: readonly Stray[],
): Promise<void> {
  const now = clock.now();
  await db
    .insertInto('blobs')
    .values(
      strays.map(({ id, size }) => ({
        id,
        sha256: `stray ${id}`,
        size,
        used_by: 0,
        unused_since: now,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
