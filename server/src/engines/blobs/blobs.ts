/** The blob port: where the bytes of files live. A blob is written once under a random id and never changed. */

declare const blobId: unique symbol;
/** 32 lower-case hexadecimal characters: safe as a path on every filesystem and as an object key. */
export type BlobId = string & { readonly [blobId]: true };

export interface BlobStore extends AsyncDisposable {
  /**
   * Stores everything that `source` yields under a new id, or under that of a blob whose bytes are lost. A chunk may be
   * changed by the source once the next one is asked for. When it resolves, the bytes survive the loss of power.
   * When `source` throws or storing fails, it rejects with that error and nothing is left behind.
   * @throws {StorageFull} when there is no space left.
   */
  write(id: BlobId, source: AsyncIterable<Buffer>): Promise<void>;
  /**
   * Opens the bytes from `start` to `end`, both inclusive, for reading in order.
   * @throws {BlobMissing} when there is no such blob.
   */
  open(id: BlobId, start: number, end: number): Promise<BlobReader>;
  /**
   * How many bytes are stored.
   * @throws {BlobMissing} when there is no such blob.
   */
  size(id: BlobId): Promise<number>;
  /**
   * Moves the bytes of `from` to the place of `to`, whose own may be lost or damaged, and needs no space for another
   * copy. A reader that opens `to` gets the old bytes or the new ones, whole; one that had it open reads on what was there. When
   * it resolves, it survives the loss of power, and there is no `from`. When it rejects, the bytes are at one of the two
   * places, and `to` has its old ones or the new ones.
   * @throws {BlobMissing} when there is no `from`.
   * @throws {StorageFull} when there is no space left.
   */
  replace(from: BlobId, to: BlobId): Promise<void>;
  /**
   * Takes damaged bytes out of a blob's place, which is empty from then on, and keeps them where only an operator looks.
   * It does nothing when other bytes than those of `version` are there, or none. It needs no space for a copy. When it
   * resolves, it survives the loss of power.
   * @returns where they are now, for an operator; null when it did nothing.
   * @throws {StorageFull} when there is no space left.
   */
  setAside(id: BlobId, version: string): Promise<string | null>;
  /** Removes the bytes. Removing what is not there is no error. */
  remove(id: BlobId): Promise<void>;
  /**
   * Everything that is stored whole, in the order of the ids, beginning with the first one after `after`. It takes no
   * more memory the more there is, and what is written or removed meanwhile may be in it or not.
   */
  list(after?: BlobId): AsyncIterable<StoredBlob>;
  /**
   * Removes what writes of processes that died have left, and answers how many there were. A server's own store does so
   * by itself; a dry run only counts.
   */
  sweepUnfinished(options: { readonly dryRun: boolean }): Promise<number>;
  /**
   * Stores a few bytes, durably, and removes them: only a write shows that there is space and that it is allowed. It
   * leaves nothing behind, whether it resolves or rejects, and nothing of it is ever in the list.
   * @throws {StorageFull} when there is no space left.
   */
  probe(): Promise<void>;
  /** The id of the service whose database this storage belongs to, or null while it has none. */
  serviceId(): Promise<string | null>;
  /**
   * Writes that id into the storage, in the place of an earlier one: a reader sees either of them whole. It is not a blob
   * and not in the list. When it resolves, it survives the loss of power.
   * @throws {StorageFull} when there is no space left.
   */
  markService(id: string): Promise<void>;
}

export interface StoredBlob {
  readonly id: BlobId;
  /** Bytes. */
  readonly size: number;
  /** When it was written, in milliseconds since the epoch by the storage's own clock. */
  readonly storedAt: number;
}

export interface BlobReader extends AsyncDisposable {
  /** Bytes of the whole blob as it is stored, so that a damaged one is known before the first byte is sent. */
  readonly size: number;
  /** Tells these bytes from any others that come to the blob's place; damage does not count. */
  readonly version: string;
  /**
   * Puts the next bytes of the range at the start of `into` and answers how many: 0 after the last one.
   * @throws {BlobMissing} when the blob ends before its range does, so that a short body never looks whole.
   */
  read(into: Uint8Array): Promise<number>;
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
