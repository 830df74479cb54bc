import type { ByteReader } from '../../lib/byte-reader.ts';
import { messageOf } from '../../lib/message-of.ts';
import { OperatorError } from '../../lib/operator-error.ts';

declare const blobId: unique symbol;
/** 32 lower-case hexadecimal characters: safe as a path on every filesystem and as an object key. */
export type BlobId = string & { readonly [blobId]: true };

/** Changes survive a power loss once their method has resolved. `BlobsUnavailable`: a later try may succeed. */
export interface BlobStore extends AsyncDisposable {
  /**
   * Calls `accept` before the blob takes its place. If that, the source or storing fails, it rejects with that error,
   * leaves nothing behind, and no longer reads `source`. `gone` ends the wait for a storage that takes long.
   */
  write(
    id: BlobId,
    source: ByteReader,
    accept?: (written: WrittenBytes) => void,
    gone?: AbortSignal,
  ): Promise<WrittenBytes>;
  /** Bytes are there, missing (`BlobMissing`), or there and lost to the storage (`BlobUnreadable`). */
  open(id: BlobId, start: number, end: number): Promise<BlobReader>;
  size(id: BlobId): Promise<number>;
  /** Moves bytes over those of `to`. A reader gets the old or the new ones, whole, and no failure loses both. */
  replace(from: BlobId, to: BlobId): Promise<void>;
  /** Moves damaged bytes away for an operator, and returns where to; null if there are none of this `version`. */
  setAside(id: BlobId, version: string): Promise<string | null>;
  /** @throws {BlobsNotRemoved} after it has tried all of them. */
  remove(...ids: readonly BlobId[]): Promise<void>;
  /** For other programs: its path below the folder, or its key. */
  pathOf(id: BlobId): string;
  /** Returns an address at which the storage delivers the bytes itself for `lasts` milliseconds; null if it does not. */
  link(id: BlobId, lasts: number, headers: LinkHeaders): Promise<URL | null>;
  /** The same for a cache in front, which keeps the bytes for `kept` milliseconds. It may have been given out before. */
  linkForCache(id: BlobId, lasts: number, kept: number): Promise<URL | null>;
  /** In the order of their ids, from the first one after `after` on. What cannot be read is told, or else thrown. */
  list(after?: BlobId, onUnreadable?: (error: BlobUnreadable) => void): AsyncIterable<StoredBlob>;
  readonly unfinished: UnfinishedBlobs;
  /** Removes writes that have not moved since `before`, and returns their number. `isKept` names unfinished blobs. */
  sweepUnfinished(before: number, isKept?: (id: BlobId) => Promise<boolean>): Promise<number>;
  /** Only a write proves that there is space and permission. */
  probe(): Promise<void>;
  space(): Promise<{ readonly free: number; readonly total: number } | null>;
  /** Null if it has none. */
  serviceId(): Promise<string | null>;
  /**
   * Differs when that changes, or when another storage is mounted in its place. Right after an answer of the storage it
   * costs less than to wait for one.
   */
  markVersion(): string | null;
  /** The same for bytes that were just written: a commit must not wait. */
  holds(id: BlobId, size: number): boolean;
  /** Writes that id unless there is one: of several services, one wins. */
  claimFor(id: string): Promise<string>;
  markService(id: string): Promise<void>;
}

/** Bytes of a blob that arrive in pieces, for hours and through several processes. */
export interface UnfinishedBlobs {
  /** Returns the place of no bytes. */
  begin(id: BlobId): Promise<string>;
  /**
   * Appends what `source` brings. `onStored` gets states that survive a power loss, the last one with all that came, also
   * from a source that then fails, and resolves to false while the earlier state must stay. Another process may append at
   * the same time: that of which `onStored` rejects loses.
   */
  append(
    unfinished: Unfinished,
    source: ByteReader,
    onStored: (unfinished: Unfinished) => Promise<boolean>,
  ): Promise<void>;
  /** Makes it a blob. It may be repeated. @throws {BlobMissing} if other bytes than those of this state are there. */
  finish(unfinished: Unfinished): Promise<WrittenBytes>;
  /** Removes what is not a blob yet. */
  discard(unfinished: Pick<Unfinished, 'id' | 'place' | 'size'>): Promise<void>;
}

export interface Unfinished {
  readonly id: BlobId;
  /** Where the storage has the bytes. Only the storage reads it. */
  readonly place: string;
  readonly size: number;
  readonly total: number;
}

export interface WrittenBytes {
  readonly size: number;
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
  readonly size: number;
  /** Differs for any other bytes in the blob's place; damage does not change it. */
  readonly version: string;
  /** It throws when the blob ends before its range does. */
  read(into: Uint8Array): Promise<number>;
}

export class StorageFull extends Error {
  override readonly name = 'StorageFull';

  constructor(cause: unknown) {
    super('The blob storage is full', { cause });
  }
}

export class BlobsUnavailable extends OperatorError {
  override name = 'BlobsUnavailable';

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
  }
}

/** Bytes that were written before are hidden under a new mount, or are on a disk that was unmounted. */
export class StorageReplaced extends BlobsUnavailable {
  override name = 'StorageReplaced';

  constructor() {
    super('The storage was mounted or unmounted during an upload.');
  }
}

export class BlobMissing extends Error {
  override readonly name = 'BlobMissing';

  constructor(id: BlobId, cause?: unknown) {
    super(`The bytes of blob ${id} are missing or short`, { cause });
  }
}

export class BlobUnreadable extends Error {
  override readonly name = 'BlobUnreadable';

  constructor(what: string, cause: unknown) {
    super(`${what} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** Other blobs of the storage may be whole. */
export const isOfBytes = (error: unknown): boolean => error instanceof BlobMissing || error instanceof BlobUnreadable;

export const bytesAlarm = (error: unknown): string =>
  `ALARM: stored bytes ${error instanceof BlobUnreadable ? 'cannot be read' : 'are missing or short'}`;

export class BlobsNotRemoved extends OperatorError {
  override readonly name = 'BlobsNotRemoved';
  readonly reasons: ReadonlyMap<BlobId, unknown>;

  constructor(reasons: ReadonlyMap<BlobId, unknown>) {
    const [[id, cause] = []] = reasons;
    const others = reasons.size > 1 ? ` and ${reasons.size - 1} others` : '';
    super(`The bytes of blob ${id}${others} could not be removed: ${messageOf(cause)}.`, { cause });
    this.reasons = reasons;
  }
}
