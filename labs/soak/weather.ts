/** Whether a fault is at work: while one is, a request may be cut or refused, but its answer must still be right. */
export interface Weather {
  /** Returns whether no fault has been at work since `time`. */
  isCalmSince(time: number): boolean;
  /** Runs `fault`, and returns when it has ended. */
  during<T>(fault: () => Promise<T>): Promise<T>;
}

export function createWeather(): Weather {
  let active = 0;
  let endedAt = -Infinity;
  return {
    isCalmSince: (time) => active === 0 && endedAt < time,
    async during(fault) {
      active += 1;
      try {
        return await fault();
      } finally {
        active -= 1;
        endedAt = performance.now();
      }
    },
  };
}
