/** What a check of fsck works with, and how it says what it found. */
import type { Actor } from '../../accounts/record-action.ts';
import type { Memory } from '../../accounts/close-account.ts';
import type { Context } from '../../context.ts';

/** What can be wrong; docs/operations.md says what each means and what to do. */
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
  | 'other-storage';

export interface Finding {
  readonly kind: FindingKind;
  /** The id of the blob or account, or the name of the file. */
  readonly subject: string;
  /** One sentence for an operator. */
  readonly says: string;
  readonly repaired: boolean;
}

/** Something that looks wrong. The server goes on working, so it is looked at again before it is told. */
export interface Suspicion extends Omit<Finding, 'repaired'> {
  /** Whether it still is as it was seen. */
  readonly again: () => Promise<boolean>;
  /**
   * Keeps it from doing harm, with or without --repair. Returns a sentence about that for the operator, or null when it
   * is no longer so.
   */
  readonly contain?: () => Promise<string | null>;
  /** Puts it right without losing anything, in a transaction that looks once more; false when there was nothing to do. */
  readonly mend?: () => Promise<boolean>;
}

export interface Inspection {
  readonly context: Context;
  readonly actor: Actor;
  readonly memory: Memory;
  /** Whether the bytes are read and hashed too. */
  readonly scrub: boolean;
  readonly signal: AbortSignal;
  readonly suspect: (suspicion: Suspicion) => Promise<void>;
  /** Told in a sentence what could not be checked here, which is no finding. */
  readonly notChecked: (says: string) => void;
  /** Told after each page how many more of something were looked at. */
  readonly checked: (what: Checked, more: number) => void;
}

export type Checked = 'blobs' | 'stored' | 'accounts' | 'files';

/** How many rows are read at once: what a check holds in memory, however many there are. */
export const pageSize = 1000;
