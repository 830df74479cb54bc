import { type BlobId, BlobsNotRemoved, type BlobUnreadable, type StoredBlob } from '../storage/blobs/blobs.ts';
import type { Context } from '../context.ts';
import { checkStorage } from '../storage/blobs/storage-owner.ts';
import { days } from '../lib/clock.ts';
import type { Job, JobRun } from './job.ts';
import { batchSize } from '../storage/db/batches.ts';

/** Uploads write their bytes before the row; none takes nearly as long. */
const youngestStray = days(7);
const oldestUnfinished = days(1);
const mostAtOnce = 100_000;
/** With an older database stored files look like strays, and a small site has no other deletion limit. */
const unremarkable = 10;

export const sweepStrays: Job = {
  name: 'sweep-strays',
  pattern: '23 2 * * *',
  deletesByAge: true,
  hasDeletionLimit: true,
  async run(run) {
    const { context, dryRun, signal, deletionLimit, passOver } = run;
    await checkStorage(context);
    const unfinished = dryRun
      ? null
      : context.blobs.sweepUnfinished(context.clock.now() - oldestUnfinished, isUpload(context));
    await unfinished?.catch((error: unknown) => passOver('unfinished uploads', error));
    const { strays, found, listed } = await findStrays(run);
    deletionLimit.check(found, listed, unremarkable);
    const doomed = dryRun ? [] : strays.map(({ id }) => id);
    for (let from = 0; from < doomed.length; from += batchSize) {
      signal.throwIfAborted();
      await context.blobs.remove(...doomed.slice(from, from + batchSize)).catch((error: unknown) => {
        if (!(error instanceof BlobsNotRemoved)) throw error;
        for (const [id, reason] of error.reasons) passOver(`blob ${id}`, reason);
      });
    }
    return { strays: strays.length, bytes: strays.reduce((sum, { size }) => sum + size, 0) };
  },
};

/** An upload that resumes may have begun days ago. */
const isUpload =
  ({ db }: Pick<Context, 'db'>) =>
  async (id: BlobId): Promise<boolean> =>
    (await db.selectFrom('uploads').select('id').where('blob_id', '=', id).executeTakeFirst()) !== undefined;

async function findStrays({ context, signal, passOver }: JobRun) {
  const until = context.clock.now() - youngestStray;
  const strays: StoredBlob[] = [];
  let [found, listed, old] = [0, 0, new Map<BlobId, StoredBlob>()];
  const settle = async () => {
    signal.throwIfAborted();
    const ids = [...old.keys()];
    const known = await context.db.selectFrom('blobs').select('id').where('id', 'in', ids).execute();
    const uploads = context.db.selectFrom('uploads').select('blob_id as id').where('file_name', 'is', null);
    for (const { id } of [...known, ...(await uploads.where('blob_id', 'in', ids).execute())]) old.delete(id);
    found += old.size;
    strays.push(...[...old.values()].slice(0, mostAtOnce - strays.length));
    old = new Map();
  };
  const onUnreadable = (error: BlobUnreadable) => passOver('the list of blobs', error);
  for await (const blob of context.blobs.list(undefined, onUnreadable)) {
    listed += 1;
    if (blob.storedAt <= until) old.set(blob.id, blob);
    if (old.size === batchSize) await settle();
  }
  if (old.size > 0) await settle();
  return { strays, found, listed };
}
