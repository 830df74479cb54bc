/** The blob port: where the bytes of files live. A blob is written once under a random id and never changed. */

declare const blobId: unique symbol;
/** 32 lower-case hexadecimal characters: safe as a path on every filesystem and as an object key. */
export type BlobId = string & { readonly [blobId]: true };

export interface BlobStore extends AsyncDisposable {
  /**
   * Stores everything that `source` yields under a new id. When it resolves, the bytes survive the loss of power.
   * When `source` throws or storing fails, it rejects with that error and nothing is left behind.
   * @throws {StorageFull} when there is no space left.
   */
  write(id: BlobId, source: AsyncIterable<Buffer>): Promise<void>;
  /**
   * The bytes from `start` to `end`, both inclusive, as chunks that the reader may keep.
   * @throws {BlobMissing} before the first chunk when there are no such bytes; a blob that is
   * shorter than the range throws when it ends, so that a short body never looks whole.
   */
  read(id: BlobId, start: number, end: number): AsyncIterable<Buffer>;
  /** Removes the bytes. Removing what is not there is no error. */
  remove(id: BlobId): Promise<void>;
}

export class StorageFull extends Error {
  constructor(cause: unknown) {
    super('The blob storage is full', { cause });
    this.name = 'StorageFull';
  }
}

export class BlobMissing extends Error {
  constructor(id: BlobId, cause?: unknown) {
    super(`The bytes of blob ${id} are missing or short`, { cause });
    this.name = 'BlobMissing';
  }
}
