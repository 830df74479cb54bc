/** All tries of one upload send the same `Idempotency-Key`: its file is stored once, and each try returns its link. */
import { Failure } from '@holdfast/contract/src/errors.ts';
import { uploadKey } from '@holdfast/contract/src/files.ts';
import type { Context } from '../context.ts';
import type { Database, Transaction } from '../engines/database/database.ts';
import { type Bound, rowsOf } from '../engines/database/statement.ts';
import { days } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';

declare const keyBrand: unique symbol;
/** SHA-256 of the account's id and the header, so that the keys of different accounts never collide. */
export type UploadKey = string & { readonly [keyBrand]: true };

export const uploadKeyCountsFor = days(1);

/**
 * Reads the header; returns null if there is none.
 * @throws {Failure} INVALID_INPUT.
 */
export function readUploadKey(accountId: string, header: unknown): UploadKey | null {
  if (header === undefined) return null;
  const { success, data, error } = uploadKey.safeParse(header);
  if (!success) throw new Failure('INVALID_INPUT', error.issues[0]?.message);
  return sha256Hex(`${accountId}\n${data}`) as UploadKey;
}

/** A file that an earlier try has stored. */
export interface StoredUpload {
  readonly fileId: string;
  readonly size: number;
}

export async function findStoredUpload(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  key: UploadKey,
): Promise<StoredUpload | undefined> {
  const now = clock.now();
  return fileOfKey(db, key)
    .where('stored_at', '>', now - uploadKeyCountsFor)
    .where('stored_at', '<', now + uploadKeyCountsFor)
    .executeTakeFirst();
}

/**
 * Claims the key for a file that this transaction inserts next.
 * @returns the upload that another try has stored, or null if the key was free.
 */
export async function takeUploadKey(
  tx: Transaction,
  key: UploadKey,
  fileId: string,
  now: number,
): Promise<StoredUpload | null> {
  const [taken] = await rowsOf(tx, takingUploadKey(tx, key, fileId, now));
  return taken ? null : fileOfKey(tx, key).executeTakeFirstOrThrow();
}

/**
 * The statement that claims the key and returns it, or nothing if it is taken. Of all tries that commit at once, in any
 * process, only one claims the key. A row more than a day in the future was written before the clock was set back.
 */
export const takingUploadKey = (tx: Transaction, key: UploadKey, fileId: string, now: number): Bound<{ key: string }> =>
  tx
    .insertInto('upload_keys')
    .values({ key, file_id: fileId, stored_at: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ file_id: fileId, stored_at: now })
        .where((eb) =>
          eb.or([
            eb('upload_keys.stored_at', '<=', now - uploadKeyCountsFor),
            eb('upload_keys.stored_at', '>=', now + uploadKeyCountsFor),
          ]),
        ),
    )
    .returning('key')
    .compile();

const fileOfKey = (db: Database, key: UploadKey) =>
  db
    .selectFrom('upload_keys')
    .innerJoin('files', 'files.id', 'upload_keys.file_id')
    .select(['files.id as fileId', 'files.size'])
    .where('key', '=', key);

const lanesOf = new WeakMap<Context, Map<UploadKey, Promise<unknown>>>();

/** Runs the tries of one key one after the other in this process, so that the second sees the result of the first. */
export async function inTurn<T>(context: Context, key: UploadKey | null, work: () => Promise<T>): Promise<T> {
  if (key === null) return work();
  const lanes = lanesOf.get(context) ?? new Map<UploadKey, Promise<unknown>>();
  lanesOf.set(context, lanes);
  const mine = (lanes.get(key) ?? Promise.resolve()).then(work, work);
  lanes.set(key, mine);
  try {
    return await mine;
  } finally {
    if (lanes.get(key) === mine) lanes.delete(key);
  }
}
