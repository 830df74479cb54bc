/** Context and reporting of fsck checks. */
import type { Actor } from '../record-action.ts';
import type { BlobMemory } from '../../engines/blobs/blob-memory.ts';
import type { Context } from '../../context.ts';

/** Kinds of faults; docs/operations.md explains each and what to do. */
export type FindingKind =
  | 'bytes-missing'
  | 'bytes-wrong-size'
  | 'bytes-damaged'
  | 'stray-bytes'
  | 'unfinished-write'
  | 'not-purged'
  | 'wrong-count'
  | 'wrong-unused-since'
  | 'wrong-usage'
  | 'blob-missing'
  | 'blob-differs'
  | 'owner-closed'
  | 'withheld-servable'
  | 'name-twice'
  | 'index-damaged'
  | 'database-damaged'
  | 'other-storage'
  | 'readable-by-others';

export interface Finding {
  readonly kind: FindingKind;
  /** The id of the blob or account, or the name of the file. */
  readonly subject: string;
  /** One sentence for an operator. */
  readonly says: string;
  readonly repaired: boolean;
}

/** A possible fault. The server keeps running, so it is checked again before it is reported. */
export interface Suspicion extends Omit<Finding, 'repaired'> {
  /** Returns whether the fault is still there. */
  readonly again: () => Promise<boolean>;
  /**
   * Contains the damage, with or without --repair. Returns a sentence about it for the operator, or null when the fault
   * is gone.
   */
  readonly contain?: () => Promise<string | null>;
  /** Repairs the fault without loss, in a transaction that checks again; returns false when there was nothing to do. */
  readonly mend?: () => Promise<boolean>;
}

export interface Inspection {
  readonly context: Context;
  readonly actor: Actor;
  readonly memory: BlobMemory;
  /** True if the bytes are read and hashed too. */
  readonly scrub: boolean;
  readonly signal: AbortSignal;
  readonly suspect: (suspicion: Suspicion) => Promise<void>;
  /** Receives a sentence about something that could not be checked here, which is not a finding. */
  readonly notChecked: (says: string) => void;
  /** Receives after each page the number of further items checked. */
  readonly checked: (what: Checked, more: number) => void;
}

export type Checked = 'blobs' | 'stored' | 'accounts' | 'files';

/** Rows read at once, which bounds the memory of a check. */
export const pageSize = 1000;
