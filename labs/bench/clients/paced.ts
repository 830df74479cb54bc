/** Orders and results of the client that runs many downloads. */
import type { Connection } from './paced-download.ts';

export interface PacedOrders {
  readonly url: string;
  /** A file with the expected bytes. */
  readonly payload: string;
  readonly connections: readonly Connection[];
  readonly seconds: number;
}

export interface PacedAnswer {
  /** Speed of each connection; 0 for one that received nothing. */
  readonly mbps: readonly number[];
  /** Speed of all connections together, from the first byte of any. */
  readonly totalMbps: number;
  /** Time from connecting to the first byte of the body, for connections that received one. */
  readonly firstByteMs: readonly number[];
  readonly statuses: Readonly<Record<string, number>>;
}
