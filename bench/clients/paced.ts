/** What the client of many downloads is told and what it answers. */
import type { Connection } from './paced-download.ts';

export interface PacedOrders {
  readonly url: string;
  /** A file with the bytes that have to come. */
  readonly payload: string;
  readonly connections: readonly Connection[];
  readonly seconds: number;
}

export interface PacedAnswer {
  /** The speed of each connection; 0 for one that got nothing. */
  readonly mbps: readonly number[];
  /** The speed of all of them together, from the first byte of any. */
  readonly totalMbps: number;
  /** From connecting to the first byte of the body, of those that got one. */
  readonly firstByteMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}
