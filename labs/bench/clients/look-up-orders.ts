/** Orders and results of the client that requests digests until it is stopped. */
export interface LookUpOrders {
  readonly url: string;
  /** A file with a path in each line. */
  readonly paths: string;
  readonly requestsPerSecond: number;
}

export interface LookUpAnswer {
  /** Time from the moment at which each request was due to its last byte, in milliseconds. */
  readonly latencies: readonly number[];
}
