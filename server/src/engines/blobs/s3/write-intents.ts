import type { Logger } from 'pino';
import { hours, minutes } from '../../../lib/clock.ts';
import { logSometimes } from '../../../lib/log-sometimes.ts';
import type { Database } from '../../database/database.ts';
import type { BlobId } from '../blobs.ts';

/** Writes that have begun. A row of the database tells of each, so that nothing of it is forgotten in the store. */
export interface WriteIntents extends Disposable {
  /** Notes a write before its first byte. */
  begin(id: BlobId): Promise<void>;
  /** The write has ended, and there may be an object: the row stays until a blob has its id. */
  leave(id: BlobId): void;
  /** Nothing of these writes is left. */
  forget(ids: readonly BlobId[]): Promise<void>;
  /** Returns up to a thousand writes without a blob whose process has not renewed them for an hour. */
  abandoned(): Promise<BlobId[]>;
}

const renewEvery = minutes(1);
const abandonedAfter = hours(1);
const atOnce = 1_000;

interface Parts {
  readonly db: Database;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn'>;
}

export function openWriteIntents({ db, now, log }: Parts): WriteIntents {
  const active = new Set<BlobId>();
  const logFailure = logSometimes(log, 'a note on a write to the store could not be changed');
  const renew = async () => {
    if (active.size === 0) return;
    await db
      .updateTable('blob_writes')
      .set({ touched_at: now() })
      .where('id', 'in', [...active])
      .execute();
  };
  const renewing = setInterval(() => void renew().catch(logFailure), renewEvery).unref();
  const forget = async (ids: readonly BlobId[]) => {
    if (ids.length > 0) await db.deleteFrom('blob_writes').where('id', 'in', ids).execute();
  };
  return {
    async begin(id) {
      active.add(id);
      try {
        // A copy may be written to the place of a blob again.
        await db
          .insertInto('blob_writes')
          .values({ id, touched_at: now() })
          .onConflict((conflict) => conflict.column('id').doUpdateSet({ touched_at: now() }))
          .execute();
      } catch (error) {
        active.delete(id);
        throw error;
      }
    },
    leave: (id) => void active.delete(id),
    async forget(ids) {
      for (const id of ids) active.delete(id);
      await forget(ids).catch(logFailure);
    },
    async abandoned() {
      const old = await db
        .selectFrom('blob_writes')
        .leftJoin('blobs', 'blobs.id', 'blob_writes.id')
        .select(['blob_writes.id as id', 'blobs.id as blob'])
        .where('touched_at', '<', now() - abandonedAfter)
        .orderBy('touched_at')
        .limit(atOnce)
        .execute();
      await forget(old.filter(({ blob }) => blob !== null).map(({ id }) => id));
      return old.filter(({ blob, id }) => blob === null && !active.has(id)).map(({ id }) => id);
    },
    [Symbol.dispose]: () => clearInterval(renewing),
  };
}
