import type { Context } from '../../context.ts';
import type { Actor } from '../record-action.ts';

/** Kinds of faults; docs/operations.md explains each and what to do. */
export type FindingKind =
  | 'database-damaged'
  | 'wrong-usage'
  | 'wrong-count'
  | 'bytes-missing'
  | 'bytes-unreadable'
  | 'bytes-wrong-size'
  | 'bytes-damaged';

export interface Finding {
  readonly kind: FindingKind;
  /** The id of the blob or account. */
  readonly subject: string;
  /** One sentence or two for an operator. */
  readonly says: string;
  readonly repaired: boolean;
}

/** A possible fault. The server keeps running, so it is checked again before it is reported. */
export interface Suspicion extends Omit<Finding, 'repaired'> {
  readonly again: () => Promise<boolean>;
  /** Contains the damage, with or without --repair. Returns a sentence about it, or null when the fault is gone. */
  readonly contain?: () => Promise<string | null>;
  /** Repairs the fault without loss; returns false when there was nothing to do. */
  readonly mend?: () => Promise<boolean>;
}

export type Checked = 'accounts' | 'blobs';

export interface Inspection {
  readonly context: Context;
  readonly actor: Actor;
  /** True if the bytes are read and hashed too. */
  readonly scrub: boolean;
  readonly signal: AbortSignal;
  readonly suspect: (suspicion: Suspicion) => Promise<void>;
  /** Receives after each page the number of further items checked. */
  readonly checked: (what: Checked, more: number) => void;
}

/** Rows read at once, which bounds the memory of a check. */
export const pageSize = 1000;

/** Reads rows in the order of their ids; each page begins after the last id of the one before. */
export async function* pagesById<Row extends { readonly id: string }>(
  signal: AbortSignal,
  read: (after: Row['id']) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  for (let after: Row['id'] = ''; ;) {
    signal.throwIfAborted();
    const page = await read(after);
    if (page.length > 0) yield page;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}
