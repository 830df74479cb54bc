/** Orders and results of the client that requests one URL at a fixed rate. */
export interface OpenLoopOrders {
  readonly url: string;
  readonly requestsPerSecond: number;
  readonly seconds: number;
  /** Length of the body in bytes. */
  readonly size: number;
}

export interface OpenLoopAnswer {
  /** Time from the moment at which each request was due to its last byte, in milliseconds. */
  readonly latencies: readonly number[];
}
