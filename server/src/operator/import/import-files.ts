/** Stores the files of a folder in an account as uploads do, so plan, quota and scanner decide about each. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Caller } from '../../accounts/identify.ts';
import type { Context } from '../../context.ts';
import type { Part } from '../../http/multipart.ts';
import { readerOf } from '../../lib/byte-reader.ts';
import { sha256Hex } from '../../lib/derive-key.ts';
import { messageOf } from '../../lib/message-of.ts';
import type { AccountRow } from '../../storage/db/schema.ts';
import { findFileOfKey, readUploadKey } from '../../uploads/idempotency-key.ts';
import { upload } from '../../uploads/keep.ts';

interface ImportOptions {
  readonly account: AccountRow;
  readonly signal: AbortSignal;
  /** By its path in the folder; a file without a name is left out. */
  readonly nameOf?: (path: string) => string | undefined;
  readonly tell: (failed: { readonly path: string; readonly reason: string }) => Promise<void>;
  readonly progress: (done: number) => void;
}

export async function importFiles(context: Context, folder: string, options: ImportOptions) {
  const { account, signal, nameOf = basename, tell, progress } = options;
  if (account.verified_at === null) throw new Failure('ACCOUNT_NOT_VERIFIED');
  const caller: Caller = { account, by: 'key', sessionId: null, confirmedAt: 0 };
  const done = { stored: 0, storedBefore: 0, failed: 0 };
  for (const path of await filesIn(folder)) {
    signal.throwIfAborted();
    const name = nameOf(path);
    if (name === undefined) continue;
    try {
      done[await importOne(context, caller, { path, name, at: join(folder, path) })] += 1;
    } catch (error) {
      if (!concernsOneFile(error)) throw error;
      done.failed += 1;
      await tell({ path, reason: messageOf(error) });
    }
    progress(done.stored + done.storedBefore + done.failed);
  }
  return done;
}

interface Imported {
  readonly path: string;
  readonly name: string;
  readonly at: string;
}

async function importOne(context: Context, caller: Caller, { path, name, at }: Imported) {
  const sha256 = await digestOf(at);
  // A repeated run comes to the same key, however the first one ended.
  const key = readUploadKey(caller.account.id, `import ${sha256Hex(path)} ${sha256}`) ?? '';
  const before = await findFileOfKey(context.db, key);
  if (before?.deleted_at === null) return 'storedBefore';
  await upload(context, caller, formOf(at, name, sha256), { key });
  return 'stored';
}

/** Hidden files belong to programs, and a link may lead anywhere. */
async function filesIn(folder: string): Promise<string[]> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  return found
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !/(?:^|\/)\./.test(path))
    .toSorted();
}

async function digestOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    throw new Failure('UPLOAD_INTERRUPTED', messageOf(error), { cause: error });
  }
  return hash.digest('hex');
}

/** The file may be written to meanwhile: its digest is compared. */
async function* formOf(path: string, filename: string, sha256: string): AsyncGenerator<Part> {
  yield { name: 'sha_256', filename: null, body: readerOf([Buffer.from(sha256)]) };
  const bytes = createReadStream(path);
  try {
    yield { name: 'file', filename, body: readerOf(bytes) };
  } finally {
    bytes.destroy();
  }
}

/** Others may be smaller, readable or allowed. Without a database, a storage or the account none would be stored. */
const concernsOneFile = (error: unknown): boolean =>
  error instanceof Failure && error.code.startsWith('UPLOAD_') && error.code !== 'UPLOAD_STORAGE_FULL';
