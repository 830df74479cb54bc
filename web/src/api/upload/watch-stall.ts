/** Time without a byte after which the user sees a notice. */
const stalledAfterMs = 10_000;
/** Time without a byte after which the connection counts as dead. A browser would take minutes to notice. */
const deadAfterMs = 45_000;

/** After the last byte a server with slow disks still has to write a large file: 10 MB a second. */
const syncedPerMs = 10_000;

/**
 * Patience for one attempt. A browser reports progress when the operating system accepts more bytes. On a connection of
 * a few kilobytes a second, behind large buffers, that may happen once a minute, so each attempt after one that was
 * given up gets twice the time.
 */
export const patienceOf = (triesBefore: number): number => deadAfterMs * 2 ** Math.min(triesBefore, 2);

export interface StallWatch {
  readonly moved: () => void;
  /** Everything was sent. From now on only a missing response counts. */
  readonly sent: (bytes: number) => void;
  readonly end: () => void;
}

/**
 * Detects when an upload no longer makes progress. It chains timers instead of comparing clock times, so that a
 * computer that wakes from sleep first finds out whether the connection has survived.
 */
export function watchStall(onStall: () => void, onDead: () => void, patienceMs = deadAfterMs): StallWatch {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => clearTimeout(timer);
  const moved = () => {
    end();
    timer = setTimeout(stall, stalledAfterMs);
  };
  const stall = () => {
    timer = setTimeout(onDead, patienceMs - stalledAfterMs);
    onStall();
  };
  const sent = (bytes: number) => {
    end();
    timer = setTimeout(onDead, patienceMs + bytes / syncedPerMs);
  };
  moved();
  return { moved, sent, end };
}
