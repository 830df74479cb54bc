/** Time without a byte after which the user sees a notice. */
const stalledAfterMs = 10_000;
/** Time without a byte after which the connection counts as dead. A browser would take minutes to notice. */
const deadAfterMs = 45_000;

/**
 * Patience for one attempt. A browser reports progress when the operating system accepts more bytes. On a connection of
 * a few kilobytes a second, behind large buffers, that may happen once a minute, so each attempt after one that was
 * given up gets twice the time.
 */
export const patienceOf = (triesBefore: number): number => deadAfterMs * 2 ** triesBefore;

export interface StallWatch {
  readonly moved: () => void;
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
  moved();
  return { moved, end };
}
