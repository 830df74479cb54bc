export interface Window {
  readonly count: (bytes: number, now: number) => void;
  readonly isOver: (now: number) => boolean;
  readonly mbps: () => number;
}

/**
 * Measures the speed over the seconds after the first byte. The first read opens the window and the last one closes it,
 * so that the size of the pieces does not blur the speed.
 */
export function openWindow(seconds: number): Window {
  let openedAt = Number.NaN;
  let lastAt = Number.NaN;
  let bytes = 0;
  const isOver = (now: number) => now - openedAt > seconds * 1000;
  return {
    count(count, now) {
      if (Number.isNaN(openedAt)) [openedAt, lastAt] = [now, now];
      else if (!(lastAt - openedAt > seconds * 1000)) [bytes, lastAt] = [bytes + count, now];
    },
    isOver,
    mbps: () => (bytes === 0 ? 0 : (bytes * 8) / 1e6 / ((lastAt - openedAt) / 1000)),
  };
}
