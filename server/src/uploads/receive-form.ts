import { Failure } from '@holdfast/contract/src/errors.ts';
import { newBlobId } from '../engines/blobs/blob-id.ts';
import { type BlobId, type BlobStore, StorageFull } from '../engines/blobs/blobs.ts';
import type { Part } from '../http/multipart.ts';
import type { EarlyRefusal } from './early-refusal.ts';
import { hashWhileStoring } from './hash-while-storing.ts';
import { cleanOriginalName, extensionOf } from '@holdfast/contract/src/original-name.ts';

/** The name of the file in a form, and the size and digest of its bytes. */
export interface FileOfForm {
  readonly originalName: string;
  readonly extension: string;
  readonly size: number;
  readonly sha256: string;
}

/**
 * A file whose bytes are stored but whose row is not yet inserted. The caller must either keep it or remove its blob.
 */
export interface Received extends FileOfForm {
  readonly blobId: BlobId;
}

/** Storage that discards everything, for a form that is only read and hashed. */
export const nowhere: Storage = {
  async write(_id, source) {
    for await (const _ of source);
  },
  async remove() {},
};

type Storage = Pick<BlobStore, 'write' | 'remove'>;

/**
 * Reads a form to its end and stores its file. `sha_256` may come before or after the file; other fields are ignored.
 * When it rejects, nothing is left behind.
 * @throws {Failure} an UPLOAD_… code.
 */
export async function receiveForm(blobs: Storage, refuse: EarlyRefusal, parts: AsyncIterable<Part>): Promise<Received> {
  let received: Received | null = null;
  let promisedDigest: string | null = null;
  try {
    for await (const part of parts) {
      if (part.filename !== null && part.name === 'file') {
        const body = await bodyOfFile(part);
        if (body === null) continue;
        if (received) throw new Failure('UPLOAD_INVALID', 'Send one file in each request.');
        received = await receiveFile(blobs, refuse, part.filename, body);
      } else if (part.name === 'sha_256') {
        if (promisedDigest !== null) throw new Failure('UPLOAD_INVALID', "Send one 'sha_256' at most.");
        promisedDigest = readDigest(await readText(part.body));
      }
    }
    if (!received) throw new Failure('UPLOAD_NO_FILE');
    if (promisedDigest !== null && promisedDigest !== received.sha256) throw new Failure('UPLOAD_DIGEST_MISMATCH');
    return received;
  } catch (error) {
    if (received) await blobs.remove(received.blobId);
    throw error;
  }
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
  blobs: Storage,
  refuse: EarlyRefusal,
  filename: string,
  body: AsyncIterable<Buffer>,
): Promise<Received> {
  const originalName = cleanOriginalName(filename);
  const extension = extensionOf(originalName);
  await refuse.type(extension);
  const blobId = newBlobId();
  let size = 0;
  let sha256 = '';
  async function* counted() {
    for await (const chunk of body) {
      size += chunk.length;
      await refuse.size(size);
      yield chunk;
    }
  }
  const hashed = hashWhileStoring(counted(), (digest) => (sha256 = digest));
  await blobs.write(blobId, hashed).catch((error: unknown) => {
    throw error instanceof StorageFull ? new Failure('UPLOAD_STORAGE_FULL', undefined, { cause: error }) : error;
  });
  return { blobId, originalName, extension, size, sha256 };
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
