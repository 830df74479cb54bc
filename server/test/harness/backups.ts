/** Backups as the operator's commands make and restore them. */
import type { BlobId } from '../../src/storage/blobs/blobs.ts';
import { backUp, type BackUpOptions } from '../../src/operator/backup/back-up.ts';
import { findBackup } from '../../src/operator/backup/manifest.ts';
import { restoreBackup } from '../../src/operator/backup/restore.ts';
import { call } from './calls.ts';
import type { TestServer } from './start-server.ts';

/** Of both servers. */
export const secret = { SECRET_KEY: 'the same secret key on both servers' };

const { signal } = new AbortController();
const actor = { operator: 'ada', action: 'restore' };

const ignore = () => {};

export async function backUpInto(root: string, { context, clock }: TestServer, options: Partial<BackUpOptions> = {}) {
  clock.advance(1);
  return backUp(context, root, { signal, withBytes: true, keepDays: 30, onRows: ignore, onBlobs: ignore, ...options });
}

export const restoreFrom = async (
  root: string,
  { context }: Pick<TestServer, 'context'>,
  onRows: () => void = ignore,
) => restoreBackup(context, await findBackup(root), { actor, signal, onRows, onBlobs: ignore });

export const fetched = async (server: TestServer, name: string) => {
  const { status, text } = await call(server, `/file/${name}?no-count=true`);
  return status === 200 ? text : status;
};

export async function blobOf({ context: { db } }: TestServer, name: string): Promise<BlobId> {
  const file = await db.selectFrom('files').select('blob_id').where('name', '=', name).executeTakeFirstOrThrow();
  return file.blob_id;
}
