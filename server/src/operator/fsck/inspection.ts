import type { Context } from '../../context.ts';
import type { Actor } from '../audit.ts';

/** docs/operations.md explains each kind and what to do. */
export interface Finding {
  readonly kind:
    | 'database-damaged'
    | 'wrong-usage'
    | 'wrong-count'
    | 'bytes-missing'
    | 'bytes-unreadable'
    | 'bytes-wrong-size'
    | 'bytes-damaged';
  readonly subject: string;
  readonly says: string;
  readonly repaired: boolean;
}

/** A possible fault. The server keeps running, so it is checked again before it is reported. */
export interface Suspicion extends Omit<Finding, 'repaired'> {
  readonly again: () => Promise<boolean>;
  /** Contains the damage, with or without --repair. Returns a sentence about it, or null when the fault is gone. */
  readonly contain?: () => Promise<string | null>;
  readonly mend?: () => Promise<boolean>;
}

export interface Inspection {
  readonly context: Context;
  readonly actor: Actor;
  readonly scrub: boolean;
  readonly signal: AbortSignal;
  readonly checked: (what: 'accounts' | 'blobs') => void;
}
