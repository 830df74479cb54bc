import { Failure } from '@holdfast/contract/src/errors.ts';
import type { BlobId, WrittenBytes } from '../engines/blobs/blobs.ts';
import { isFilePart, type Part, readField } from '../http/multipart.ts';
import type { ByteReader } from '../lib/byte-reader.ts';
import type { EarlyRefusal } from './upload-limits.ts';
import { createHash } from 'node:crypto';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';

/** The name of the file in a form, and the size and digest of its bytes. */
export interface FileOfForm extends WrittenBytes {
  readonly originalName: string;
  readonly extension: string;
  /** The SHA-1 that the form says, which is not checked yet; null if it says none. Lower-case hexadecimal. */
  readonly promisedSha1: string | null;
}

/** A file whose bytes are stored but whose row is not yet inserted. */
export interface Received extends FileOfForm {
  readonly blobId: BlobId;
}

/** Reads all bytes of a file. */
export type StoreBytes = (source: ByteReader) => Promise<WrittenBytes>;

/** Stores nothing, for a form that is only read and hashed. */
export const storeNothing: StoreBytes = async (source) => {
  const hash = createHash('sha256');
  const into = Buffer.allocUnsafe(64 * 1024);
  let size = 0;
  for (let count; (count = await source.read(into)) > 0; size += count) hash.update(into.subarray(0, count));
  return { size, sha256: hash.digest('hex') };
};

/** Fields with a digest of the file, and the number of its hexadecimal digits. */
const digestFields = { sha_256: 64, sha_1: 40 } as const;
type DigestField = keyof typeof digestFields;

/**
 * Reads a form to its end, stores the bytes of its file and compares their SHA-256. Digests may come before or after the
 * file; other fields are ignored. When it rejects, the file may be stored already.
 * @throws {Failure} an UPLOAD_… code.
 */
export async function receiveForm(
  store: StoreBytes,
  refuse: EarlyRefusal,
  parts: AsyncIterable<Part>,
): Promise<FileOfForm> {
  let file: Omit<FileOfForm, 'promisedSha1'> | null = null;
  const promised: Record<DigestField, string | null> = { sha_256: null, sha_1: null };
  for await (const part of parts) {
    if (isFilePart(part)) {
      const body = await bodyOfFile(part);
      if (body === null) continue;
      if (file) throw new Failure('UPLOAD_INVALID', 'Send one file in each request.');
      file = await receiveFile(store, refuse, part.filename ?? '', body);
    } else if (part.name === 'sha_256' || part.name === 'sha_1') {
      if (promised[part.name] !== null) throw new Failure('UPLOAD_INVALID', `Send one '${part.name}' at most.`);
      promised[part.name] = readDigest(part.name, await readField(part));
    }
  }
  if (!file) throw new Failure('UPLOAD_NO_FILE');
  compareDigest('sha_256', promised.sha_256, file.sha256);
  return { ...file, promisedSha1: promised.sha_1 };
}

/** @throws {Failure} UPLOAD_DIGEST_MISMATCH, if a digest was promised that the file does not have. */
export function compareDigest(field: DigestField, promised: string | null, found: string): void {
  if (promised !== null && promised !== found)
    throw new Failure('UPLOAD_DIGEST_MISMATCH', `The file that arrived does not match its ${field}. Upload it again.`);
}

/**
 * Returns null for a file input without a selected file, which a browser sends with an empty name and no bytes. Bytes
 * without a name are a file.
 */
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

async function receiveFile(
  store: StoreBytes,
  refuse: EarlyRefusal,
  filename: string,
  body: ByteReader,
): Promise<Omit<FileOfForm, 'promisedSha1'>> {
  const originalName = cleanOriginalName(filename);
  const extension = extensionOf(originalName);
  await refuse.type(extension);
  let received = 0;
  const counted: ByteReader = {
    async read(into) {
      const count = await body.read(into);
      received += count;
      await refuse.size(received);
      return count;
    },
  };
  return { ...(await store(counted)), originalName, extension };
}

function readDigest(field: DigestField, text: string): string | null {
  const digest = text.trim().toLowerCase();
  if (digest === '') return null;
  const digits = digestFields[field];
  if (digest.length !== digits || !/^[0-9a-f]+$/.test(digest))
    throw new Failure('UPLOAD_INVALID', `'${field}' must be ${digits} hexadecimal digits.`);
  return digest;
}
