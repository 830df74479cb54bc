/** The blob port: storage for the bytes of files. A blob is written once under a random id and never changed. */
import type { ByteReader } from '../../lib/byte-reader.ts';

declare const blobId: unique symbol;
/** 32 lower-case hexadecimal characters: safe as a path on every filesystem and as an object key. */
export type BlobId = string & { readonly [blobId]: true };

/**
 * What a method has changed when it resolves survives a power loss. Each method may throw `BlobsUnavailable` when a later
 * try may succeed, and those that write `StorageFull`.
 */
export interface BlobStore extends AsyncDisposable {
  /**
   * Stores all bytes of `source` under a new id, or under that of a blob whose bytes are lost. `accept` is called with
   * their size and digest before the blob takes its place. When `source` or `accept` throws or storing fails, it rejects
   * with that error and leaves nothing behind, and `source` is no longer read.
   */
  write(id: BlobId, source: ByteReader, accept?: (written: WrittenBytes) => void): Promise<WrittenBytes>;
  /**
   * Opens the bytes from `start` to `end`, both inclusive, for reading in order.
   * @throws {BlobMissing} when there is no such blob.
   */
  open(id: BlobId, start: number, end: number): Promise<BlobReader>;
  /** @throws {BlobMissing} when there is no such blob. */
  size(id: BlobId): Promise<number>;
  /**
   * Moves the bytes of `from` to `to`, whose own may be lost or damaged, without space for another copy. A reader gets the
   * old bytes or the new ones, whole. When it rejects, the bytes are at one of the two places, and `to` has its old bytes
   * or the new ones.
   * @throws {BlobMissing} when there is no `from`.
   */
  replace(from: BlobId, to: BlobId): Promise<void>;
  /**
   * Moves damaged bytes out of a blob's place, which is empty from then on, for an operator to inspect. It does nothing
   * when the bytes there are missing or have another `version`.
   * @returns the new location; null when it did nothing.
   */
  setAside(id: BlobId, version: string): Promise<string | null>;
  /** Removes the bytes of at most a thousand blobs. It is idempotent. */
  remove(...ids: readonly BlobId[]): Promise<void>;
  /** Returns where a blob is for other programs: its path below the folder, or its key. */
  pathOf(id: BlobId): string;
  /**
   * Returns an address at which the storage itself delivers the bytes for `lasts` milliseconds to everyone who has it,
   * with these headers instead of its own; null if other programs read the bytes from the disk.
   */
  link(id: BlobId, lasts: number, headers?: LinkHeaders): Promise<URL | null>;
  /**
   * Lists all completely stored blobs in the order of their ids, beginning with the first one after `after`, in limited
   * memory. Blobs written or removed in the meantime may or may not be included.
   */
  list(after?: BlobId): AsyncIterable<StoredBlob>;
  /** Removes writes that have not moved since `before`, in milliseconds since the epoch, and returns their number. */
  sweepUnfinished(before: number): Promise<number>;
  /** Stores a few bytes and removes them: only a write proves that there is space and permission. */
  probe(): Promise<void>;
  /** Returns the space of the storage in bytes, that which others use included; null if it has no limit. */
  space(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Returns the id of the service whose database this storage belongs to, or null if it has none yet. */
  serviceId(): Promise<string | null>;
  /**
   * Writes that id into a storage that has none, and returns the one that the storage has then: of several services that
   * do this at once, all get the same one, unless an S3 store ignores conditions.
   */
  claimFor(id: string): Promise<string>;
  /** Replaces that id: a reader sees either of them whole. */
  markService(id: string): Promise<void>;
}

export interface WrittenBytes {
  /** In bytes. */
  readonly size: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
}

export interface LinkHeaders {
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
}

export interface StoredBlob {
  readonly id: BlobId;
  readonly size: number;
  /** Milliseconds since the epoch, by the storage's own clock. */
  readonly storedAt: number;
}

export interface BlobReader extends ByteReader, AsyncDisposable {
  /** Size of the whole blob as stored, so that damage is detected before the first byte is sent. */
  readonly size: number;
  /** Distinguishes these bytes from any others written to the blob's place; damage does not change it. */
  readonly version: string;
  /** @throws {BlobMissing} when the blob ends before its range does, so that a short body never looks whole. */
  read(into: Uint8Array): Promise<number>;
}

export class StorageFull extends Error {
  override readonly name = 'StorageFull';

  constructor(cause: unknown) {
    super('The blob storage is full', { cause });
  }
}

export class BlobsUnavailable extends Error {
  override name = 'BlobsUnavailable';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';

  constructor(id: BlobId, cause?: unknown) {
    super(`The bytes of blob ${id} are missing or short`, { cause });
  }
}
