import { typeRefusal } from '@holdfast/contract/src/accepted-types.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';
import type { Context } from '../context.ts';
import { newBlobId } from '../storage/blobs/blob-id.ts';
import { type BlobId, BlobsUnavailable, StorageFull, type WrittenBytes } from '../storage/blobs/blobs.ts';
import { isDatabaseFull } from '../storage/db/database.ts';
import { isFilePart, type Part, readField } from '../http/multipart.ts';
import type { ByteReader } from '../lib/byte-reader.ts';
import { type Known, type Limits, limitsOf, readLimits, refuseSize, refuseType } from './plan-limits.ts';

export interface FileOfForm extends WrittenBytes {
  readonly originalName: string;
  readonly extension: string;
  readonly promisedSha1: string | null;
}

/** Its bytes are stored, its row is not inserted yet. */
export interface Received extends FileOfForm {
  readonly blobId: BlobId;
}

const formOverheadBytes = 64 * 1024;
/** Others fill the storage too. */
const lookEvery = 16 * 1024 * 1024;

/**
 * Ends as soon as the plan, the quota or the storage forbids the upload. When it rejects, nothing is left behind.
 * `formBytes`: the size of the form, null if unknown. `gone`: its client has left.
 */
export async function receive(
  context: Pick<Context, 'db' | 'config' | 'blobs' | 'log'>,
  account: Known,
  parts: AsyncIterable<Part>,
  { formBytes = null, gone }: { readonly formBytes?: number | null; readonly gone?: AbortSignal },
): Promise<Received> {
  const { blobs } = context;
  let limits = limitsOf(context, account);
  const judge = async (refuse: (known: Limits) => void) => {
    try {
      refuse(limits);
    } catch {
      limits = await readLimits(context, account);
      refuse(limits);
    }
  };
  const counted = (body: ByteReader): ByteReader => {
    let received = 0;
    let nextLook = lookEvery;
    return {
      async read(into) {
        const count = await body.read(into);
        received += count;
        admitted.note(count);
        if (received > Math.min(limits.plan.maxFileSize, limits.freeBytes))
          await judge((known) => refuseSize(known, received));
        if (received >= nextLook) {
          nextLook = received + lookEvery;
          if ((await blobs.freeSpace.room()) < 0) throw new Failure('UPLOAD_STORAGE_FULL');
        }
        return count;
      },
    };
  };
  const fileBytes = Math.max(0, (formBytes ?? 0) - formOverheadBytes);
  if (fileBytes > Math.min(limits.plan.maxFileSize, limits.freeBytes))
    await judge((known) => refuseSize(known, fileBytes));
  const underWay = await blobs.freeSpace.admit(fileBytes);
  if (!underWay) throw new Failure('UPLOAD_STORAGE_FULL');
  using admitted = underWay;
  const blobId = newBlobId();
  const store = async (filename: string, body: ByteReader): Promise<WrittenBytes> => {
    const extension = extensionOf(filename);
    if (typeRefusal(limits.plan, extension) !== undefined) await judge(({ plan }) => refuseType(plan, extension));
    return blobs.write(blobId, counted(body), undefined, gone).catch((error: unknown) => {
      throw gone?.aborted ? new Failure('UPLOAD_INTERRUPTED', undefined, { cause: error }) : storageFailure(error);
    });
  };
  try {
    return { ...(await readForm(parts, store)), blobId };
  } catch (error) {
    await removeBytes(context, blobId);
    throw error;
  }
}

export function storageFailure(error: unknown): unknown {
  if (error instanceof BlobsUnavailable) return new Failure('UNAVAILABLE', undefined, { cause: error });
  if (error instanceof StorageFull || isDatabaseFull(error))
    return new Failure('UPLOAD_STORAGE_FULL', undefined, { cause: error });
  return error;
}

/** Bytes that cannot be removed are left to the sweep. */
export async function removeBytes({ blobs, log }: Pick<Context, 'blobs' | 'log'>, blobId: BlobId): Promise<void> {
  await blobs
    .remove(blobId)
    .catch((error: unknown) => log.warn({ err: error, blob: blobId }, 'unneeded bytes could not be removed'));
}

type Store = (originalName: string, source: ByteReader) => Promise<WrittenBytes>;

export const digestFields = ['sha_256', 'sha_1'] as const;
type DigestField = (typeof digestFields)[number];
const digestDigits = { sha_256: 64, sha_1: 40 } as const satisfies Record<DigestField, number>;

/** Digests may come before or after the file; other fields are ignored. */
export async function readForm(parts: AsyncIterable<Part>, store: Store): Promise<FileOfForm> {
  let file: Omit<FileOfForm, 'promisedSha1'> | null = null;
  const promised = new Map<DigestField, string | null>();
  for await (const part of parts) {
    const field = digestFields.find((name) => name === part.name);
    if (isFilePart(part)) {
      const body = await bodyOfFile(part);
      if (body === null) continue;
      if (file) throw new Failure('UPLOAD_INVALID', 'Send one file in each request.');
      const originalName = cleanOriginalName(part.filename ?? '');
      file = { ...(await store(originalName, body)), originalName, extension: extensionOf(originalName) };
    } else if (field) {
      if (promised.get(field)) throw new Failure('UPLOAD_INVALID', `Send one '${field}' at most.`);
      promised.set(field, readDigest(field, await readField(part)));
    }
  }
  if (!file) throw new Failure('UPLOAD_NO_FILE');
  compareDigest('sha_256', promised.get('sha_256') ?? null, file.sha256);
  return { ...file, promisedSha1: promised.get('sha_1') ?? null };
}

export function compareDigest(field: DigestField, promised: string | null, found: string): void {
  if (promised !== null && promised !== found)
    throw new Failure('UPLOAD_DIGEST_MISMATCH', `The file that arrived does not match its ${field}. Upload it again.`);
}

function readDigest(field: DigestField, text: string): string | null {
  const digest = text.trim().toLowerCase();
  if (digest === '') return null;
  const digits = digestDigits[field];
  if (digest.length !== digits || !/^[0-9a-f]+$/.test(digest))
    throw new Failure('UPLOAD_INVALID', `'${field}' must be ${digits} hexadecimal digits.`);
  return digest;
}

/** A browser sends an empty name and no bytes for an input without a file. Bytes without a name are a file. */
async function bodyOfFile({ filename, body }: Part): Promise<ByteReader | null> {
  if (filename !== '') return body;
  const first = new Uint8Array(1);
  let unread = await body.read(first);
  if (unread === 0) return null;
  return {
    async read(into) {
      if (unread === 0) return body.read(into);
      into.set(first);
      unread = 0;
      return 1;
    },
  };
}
