/** Long enough that a batch of a thousand small files does not keep the list and the account on their way. */
const atMostEveryMs = 5000;

export interface Refetch {
  /** Something changed: it is asked for again in a while. */
  readonly soon: () => void;
  /** No more is coming: if anything changed, it is asked for at once. */
  readonly now: () => void;
}

/** Many small changes in a row ask for the truth once in a while and at their end, not once each. */
export function openRefetch(refetch: () => void): Refetch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const now = () => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    refetch();
  };
  return {
    soon() {
      timer ??= setTimeout(now, atMostEveryMs);
    },
    now,
  };
}
