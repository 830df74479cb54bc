/** Token buckets. An unknown one is full; taking is atomic; a call that cannot be counted is refused. */
export interface Counters {
  take(key: string, limit: Limit): Promise<Taken>;
  /** For a call that turned out not to count. */
  giveBack(key: string, limit: Limit): Promise<void>;
}

export interface Limit {
  readonly capacity: number;
  readonly everyMs: number;
}

export interface Taken {
  readonly allowed: boolean;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly retryAfterSeconds: number;
}

/** A bucket is the time when it is full again: taking moves it by `everyMs`, up to that of an empty one. */
export function takenAt(fullAt: number, now: number, { capacity, everyMs }: Limit, allowed: boolean): Taken {
  const missing = Math.max(0, fullAt - now);
  const untilNext = missing + everyMs - capacity * everyMs;
  return {
    allowed,
    remaining: Math.max(0, Math.floor(capacity - missing / everyMs)),
    resetSeconds: Math.ceil(missing / 1000),
    retryAfterSeconds: Math.max(0, Math.ceil(untilNext / 1000)),
  };
}
