import { Failure } from '@holdfast/contract/src/errors.ts';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { IsFile, Part } from '../http/multipart.ts';
import type { EarlyRefusal } from './upload-limits.ts';
import { hashWhileStoring } from './hash-while-storing.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';

/** The name of the file in a form, and the size and digest of its bytes. */
export interface FileOfForm {
  readonly originalName: string;
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

export const isFilePart: IsFile = ({ name, filename }) => filename !== null && name === 'file';

/** A file whose bytes are stored but whose row is not yet inserted. */
export interface Received extends FileOfForm {
  readonly blobId: BlobId;
}

/** Consumes all bytes of a file, slab by slab. */
export type StoreBytes = (source: AsyncIterable<Buffer>) => Promise<void>;

/** Stores nothing, for a form that is only read and hashed. */
export const storeNothing: StoreBytes = async (source) => {
  for await (const _ of source);
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
async function bodyOfFile({ filename, body }: Part): Promise<AsyncIterable<Buffer> | null> {
  if (filename !== '') return body;
  const chunks = body[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return null;
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
}

async function receiveFile(
  store: StoreBytes,
  refuse: EarlyRefusal,
  filename: string,
  body: AsyncIterable<Buffer>,
): Promise<FileOfForm> {
  const originalName = cleanOriginalName(filename);
  const extension = extensionOf(originalName);
  await refuse.type(extension);
  let size = 0;
  let sha256 = '';
  async function* counted() {
    for await (const chunk of body) {
      size += chunk.length;
      await refuse.size(size);
      yield chunk;
    }
  }
  await store(hashWhileStoring(counted(), (digest) => (sha256 = digest)));
  return { originalName, extension, size, sha256 };
}

const maxFieldBytes = 1024;

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxFieldBytes) throw new Failure('UPLOAD_INVALID', 'A field of the form is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function readDigest(text: string): string | null {
  const digest = text.trim().toLowerCase();
  if (digest === '') return null;
  if (!/^[0-9a-f]{64}$/.test(digest)) throw new Failure('UPLOAD_INVALID', "'sha_256' must be 64 hexadecimal digits.");
  return digest;
}
