/** Computes speed from the bytes and times of a download. Times are in milliseconds unless named otherwise. */
export interface Reading {
  /** Seconds since the response began. */
  readonly seconds: number;
  /** Total bytes received by then. */
  readonly bytes: number;
  /** Speed over the last second. */
  readonly mbps: number;
}

export interface Measured {
  readonly startedAt: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly readings: readonly Reading[];
}

/**
 * At most 4 readings a second. Each covers the last four intervals; a shorter window would mostly show the gaps between
 * chunks.
 */
const readingSeconds = 0.25;
const lookBack = 4;

export const startMeasuring = (at: number): Measured => ({ startedAt: at, seconds: 0, bytes: 0, readings: [] });

/** Adds received bytes, or zero to include a silence. */
export function addBytes(measured: Measured, count: number, at: number): Measured {
  const { startedAt, readings } = measured;
  const seconds = (at - startedAt) / 1000;
  const bytes = measured.bytes + count;
  if (seconds - (readings.at(-1)?.seconds ?? 0) < readingSeconds) return { ...measured, seconds, bytes };
  const from = readings.at(-lookBack) ?? { seconds: 0, bytes: 0 };
  const mbps = speed(bytes - from.bytes, seconds - from.seconds);
  return { startedAt, seconds, bytes, readings: [...readings, { seconds, bytes, mbps }] };
}

export const averageMbps = ({ bytes, seconds }: Pick<Measured, 'bytes' | 'seconds'>): number => speed(bytes, seconds);

const speed = (bytes: number, seconds: number): number => (seconds > 0 ? (bytes * 8) / 1_000_000 / seconds : 0);

/** Three significant figures, which is the precision of such a test: `3.98`, `41.2`, `1,830`. */
export function formatMbps(mbps: number): string {
  if (mbps < 10) return mbps.toFixed(2);
  return mbps < 100 ? mbps.toFixed(1) : Math.round(mbps).toLocaleString('en-US');
}
