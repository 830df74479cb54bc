import { Failure } from '@holdfast/contract/src/errors.ts';
import type { BlobId, WrittenBytes } from '../engines/blobs/blobs.ts';
import type { IsFile, Part } from '../http/multipart.ts';
import type { ByteReader } from '../lib/byte-reader.ts';
import type { EarlyRefusal } from './upload-limits.ts';
import { createHash } from 'node:crypto';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';

/** The name of the file in a form, and the size and digest of its bytes. */
export interface FileOfForm extends WrittenBytes {
  readonly originalName: string;
  readonly extension: string;
}

export const isFilePart: IsFile = ({ name, filename }) => filename !== null && name === 'file';

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

/**
 * Reads a form to its end and stores the bytes of its file. `sha_256` may come before or after the file; other fields
 * are ignored. When it rejects, the file may be stored already.
 * @throws {Failure} an UPLOAD_… code.
 */
export async function receiveForm(
  store: StoreBytes,
  refuse: EarlyRefusal,
  parts: AsyncIterable<Part>,
): Promise<FileOfForm> {
  let file: FileOfForm | null = null;
  let promisedDigest: string | null = null;
  for await (const part of parts) {
    if (isFilePart(part)) {
      const body = await bodyOfFile(part);
      if (body === null) continue;
      if (file) throw new Failure('UPLOAD_INVALID', 'Send one file in each request.');
      file = await receiveFile(store, refuse, part.filename ?? '', body);
    } else if (part.name === 'sha_256') {
      if (promisedDigest !== null) throw new Failure('UPLOAD_INVALID', "Send one 'sha_256' at most.");
      promisedDigest = readDigest(await readText(part.body));
    }
  }
  if (!file) throw new Failure('UPLOAD_NO_FILE');
  if (promisedDigest !== null && promisedDigest !== file.sha256) throw new Failure('UPLOAD_DIGEST_MISMATCH');
  return file;
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
): Promise<FileOfForm> {
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

const maxFieldBytes = 1024;

async function readText(body: ByteReader): Promise<string> {
  const text = Buffer.alloc(maxFieldBytes + 1);
  let length = 0;
  for (let count; (count = await body.read(text.subarray(length))) > 0;) {
    length += count;
    if (length > maxFieldBytes) throw new Failure('UPLOAD_INVALID', 'A field of the form is too long.');
  }
  return text.toString('utf8', 0, length);
}

function readDigest(text: string): string | null {
  const digest = text.trim().toLowerCase();
  if (digest === '') return null;
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Failure('UPLOAD_INVALID', "'sha_256' must be 64 hexadecimal digits.");
  return digest;
}
