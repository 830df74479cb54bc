/** Orders and results of the client that uploads many small files. */
export interface SmallOrders {
  readonly origin: string;
  /** Keys of the accounts, used in turn. */
  readonly apiKeys: readonly string[];
  readonly uploads: number;
  readonly atOnce: number;
  /** Size of each file in bytes. */
  readonly size: number;
  /** Number of files to download and hash afterwards. */
  readonly readBack: number;
}

export interface SmallAnswer {
  /** From the first request to the last response. */
  readonly seconds: number;
  readonly files: readonly { readonly link: string; readonly sha256: string }[];
  /** Requests that were answered with 429, and sent again after their `Retry-After`. */
  readonly refused: number;
}
