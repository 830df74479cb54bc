/** The blob port: storage for the bytes of files. A blob is written once under a random id and never changed. */
import type { ByteReader } from '../../lib/byte-reader.ts';

declare const blobId: unique symbol;
/** 32 lower-case hexadecimal characters: safe as a path on every filesystem and as an object key. */
export type BlobId = string & { readonly [blobId]: true };

export interface BlobStore extends AsyncDisposable {
  /**
   * Stores all bytes of `source` under a new id, or under that of a blob whose bytes are lost. It returns their size and
   * SHA-256, which the engine computes where it handles the bytes anyway, so that no caller has to read them again.
   * `accept` is called with both before the blob takes its place. When it resolves, the bytes survive a power loss. When
   * `source` or `accept` throws or storing fails, it rejects with that error and leaves nothing behind, and `source` is
   * no longer read.
   * @throws {StorageFull} when there is no space left.
   * @throws {BlobsUnavailable} when a later try may succeed.
   */
  write(id: BlobId, source: ByteReader, accept?: (written: WrittenBytes) => void): Promise<WrittenBytes>;
  /**
   * Opens the bytes from `start` to `end`, both inclusive, for reading in order.
   * @throws {BlobMissing} when there is no such blob.
   * @throws {BlobsUnavailable} when a later try may succeed.
   */
  open(id: BlobId, start: number, end: number): Promise<BlobReader>;
  /**
   * Returns the number of stored bytes.
   * @throws {BlobMissing} when there is no such blob.
   */
  size(id: BlobId): Promise<number>;
  /**
   * Moves the bytes of `from` to `to`, whose own may be lost or damaged, and needs no space for another copy. A reader
   * that opens `to` gets the old bytes or the new ones, whole; a reader that had it open continues with the old ones.
   * When it resolves, the change survives a power loss, and `from` no longer exists. When it rejects, the bytes are at
   * one of the two places, and `to` has its old bytes or the new ones.
   * @throws {BlobMissing} when there is no `from`.
   * @throws {StorageFull} when there is no space left.
   */
  replace(from: BlobId, to: BlobId): Promise<void>;
  /**
   * Moves damaged bytes out of a blob's place, which is empty from then on, and keeps them for an operator to inspect.
   * It does nothing when the bytes there are missing or have another `version`. It needs no space for a copy. When it
   * resolves, the change survives a power loss.
   * @returns the new location, for an operator; null when it did nothing.
   * @throws {StorageFull} when there is no space left.
   */
  setAside(id: BlobId, version: string): Promise<string | null>;
  /** Removes the bytes of these blobs, at most a thousand. It is idempotent. */
  remove(...ids: readonly BlobId[]): Promise<void>;
  /** Returns where a blob is within the storage, for other programs: its path below the folder, or its key. */
  pathOf(id: BlobId): string;
  /**
   * Returns an address at which the storage itself delivers the bytes for `lasts` milliseconds to everyone who has it,
   * with these headers instead of its own; null if other programs read the bytes from the disk.
   */
  link(id: BlobId, lasts: number, headers?: LinkHeaders): Promise<URL | null>;
  /**
   * Lists all completely stored blobs in the order of their ids, beginning with the first one after `after`. Memory use
   * does not grow with their number. Blobs written or removed in the meantime may or may not be included.
   */
  list(after?: BlobId): AsyncIterable<StoredBlob>;
  /**
   * Removes unfinished writes of processes that died, and returns their number. A server's own store does this
   * automatically; a dry run only counts.
   */
  sweepUnfinished(options: { readonly dryRun: boolean }): Promise<number>;
  /**
   * Stores a few bytes, durably, and removes them: only a write proves that there is space and permission. It leaves
   * nothing behind, whether it resolves or rejects, and never appears in the list.
   * @throws {StorageFull} when there is no space left.
   */
  probe(): Promise<void>;
  /** Returns the space of the storage in bytes, that which others use included; null if it has no limit. */
  space(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Returns the id of the service whose database this storage belongs to, or null if it has none yet. */
  serviceId(): Promise<string | null>;
  /**
   * Writes that id into a storage that has none, and returns the one that the storage has then: of several services that
   * do this at once, all get the same one, unless an S3 store ignores conditions. When it resolves, the id survives a
   * power loss.
   * @throws {StorageFull} when there is no space left.
   */
  claimFor(id: string): Promise<string>;
  /**
   * Writes that id into the storage and replaces an earlier one: a reader sees either of them whole. It is not a blob
   * and not in the list. When it resolves, the id survives a power loss.
   * @throws {StorageFull} when there is no space left.
   */
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
  /** In bytes. */
  readonly size: number;
  /** The time of the write, in milliseconds since the epoch by the storage's own clock. */
  readonly storedAt: number;
}

export interface BlobReader extends ByteReader, AsyncDisposable {
  /** Size in bytes of the whole blob as stored, so that damage is detected before the first byte is sent. */
  readonly size: number;
  /** Distinguishes these bytes from any others written to the blob's place; damage does not change it. */
  readonly version: string;
  /**
   * Reads the next bytes of the range.
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

export class BlobsUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BlobsUnavailable';
  }
}

export class BlobMissing extends Error {
  constructor(id: BlobId, cause?: unknown) {
    super(`The bytes of blob ${id} are missing or short`, { cause });
    this.name = 'BlobMissing';
  }
}
