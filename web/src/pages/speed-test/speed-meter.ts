/** What a download says about speed: bytes and times in, readings out. Times are in milliseconds. */
export interface Reading {
  /** Since the first answer. */
  readonly seconds: number;
  /** All that had come by then. */
  readonly bytes: number;
  /** The speed of the last second. */
  readonly mbps: number;
}

export interface Measured {
  readonly startedAt: number;
  readonly seconds: number;
  readonly bytes: number;
  readonly readings: readonly Reading[];
}

/** At most 4 readings a second. Each looks back over four, or the gaps between pieces would be all there is to see. */
const readingSeconds = 0.25;
const lookBack = 4;

export const startMeasuring = (at: number): Measured => ({ startedAt: at, seconds: 0, bytes: 0, readings: [] });

/** Bytes that came, or none to let a silence count. */
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
