import type { Caller } from '../accounts/identify.ts';
import type { Context } from '../context.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Transaction } from '../engines/database/database.ts';
import type { AccountRow, FileRow } from '../engines/database/schema.ts';
import { searchTextOf } from '../lib/search-text.ts';
import type { Part } from '../http/multipart.ts';
import { newRowId } from '../lib/row-id.ts';
import { linkOf } from './links.ts';
import { nameCandidates } from './names.ts';
import { type Received, receiveForm } from './receive-form.ts';
import { takeRoom } from './space.ts';

/**
 * Stores the file of a form and answers its public link. When it resolves, bytes and row survive the loss of power;
 * when it rejects, nothing is left behind.
 * @throws {Failure} an UPLOAD_… code, AUTH_INVALID_KEY or AUTH_REQUIRED.
 */
export async function upload(context: Context, caller: Caller, parts: AsyncIterable<Part>): Promise<string> {
  const received = await receiveForm(context, caller.account, parts);
  return linkOf(context, caller.account, await keep(context, caller, received));
}

/** The row comes last, so no row ever points at missing bytes. */
async function keep(
  context: Context,
  caller: Caller,
  received: Received,
): Promise<Pick<FileRow, 'name' | 'extension'>> {
  let committing = false;
  try {
    const file = await context.db.transaction().execute(async (tx) => {
      const now = context.clock.now();
      await takeRoom(tx, caller, received.size, now);
      const blobId = await shareBlob(tx, received, now);
      const name = await insertFile(tx, caller.account, received, blobId, now);
      committing = true;
      return { name, extension: received.extension, blobId };
    });
    if (file.blobId !== received.blobId) await removeSpare(context, received.blobId);
    return file;
  } catch (error) {
    // A commit whose outcome is unknown may have made the row: then the bytes stay, and the sweep finds out.
    if (!committing) await context.blobs.remove(received.blobId);
    throw error;
  }
}

/** The blob that holds these bytes: the one just written, or an equal one that was there before. */
async function shareBlob(tx: Transaction, { blobId, sha256, size }: Received, now: number): Promise<string> {
  const row = await tx
    .insertInto('blobs')
    .values({ id: blobId, sha256, size, used_by: 1, unused_since: null, created_at: now })
    .onConflict((conflict) =>
      conflict.column('sha256').doUpdateSet((eb) => ({ used_by: eb('blobs.used_by', '+', 1), unused_since: null })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

async function insertFile(
  tx: Transaction,
  account: AccountRow,
  received: Received,
  blobId: string,
  now: number,
): Promise<string> {
  for (const name of nameCandidates(account.preferred_filename_length)) {
    const inserted = await tx
      .insertInto('files')
      .values({
        id: newRowId(now),
        account_id: account.id,
        name,
        original_name: received.originalName,
        search_text: searchTextOf(name, received.originalName),
        extension: received.extension,
        size: received.size,
        sha256: received.sha256,
        blob_id: blobId,
        uploaded_at: now,
      })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returning('name')
      .executeTakeFirst();
    if (inserted) return inserted.name;
  }
  throw new Error('unreachable: there is always a longer name');
}

/** The upload is done: a failure to tidy up is no reason to say that it failed. */
async function removeSpare({ blobs, log }: Context, id: BlobId): Promise<void> {
  await blobs.remove(id).catch((error: unknown) => log.warn({ err: error, blob: id }, 'spare bytes were left behind'));
}
