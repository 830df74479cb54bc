import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { speedTestPath } from '@holdfast/contract/src/public-files.ts';

/** Long enough to measure a plan's speed, without downloading more than that needs. */
export const runSeconds = 10;
const answerSeconds = 15;

export interface SpeedTestRun {
  readonly level: PlanLevel;
  readonly signal: AbortSignal;
  readonly onReading: (measured: Measured) => void;
}

export const testFileLink = (level: PlanLevel): string => `${speedTestPath}?tier=${level}`;

/**
 * Downloads the test file for ten seconds, or completely if that is faster.
 * @throws {CallFailed} when the server refused, did not respond or broke off.
 */
export async function runSpeedTest({ level, signal, onReading }: SpeedTestRun): Promise<Measured> {
  try {
    const body = await ask(level, signal);
    const measured = await measure(body, onReading);
    if (measured.bytes === 0) throw new CallFailed('no-response', 0);
    return measured;
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof CallFailed ? error : new CallFailed('no-response', 0, { cause: error });
  }
}

async function ask(level: PlanLevel, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
  const giveUp = new AbortController();
  const waiting = setTimeout(() => giveUp.abort(), answerSeconds * 1000);
  const answer = await fetch(testFileLink(level), {
    credentials: 'omit',
    cache: 'no-store',
    signal: AbortSignal.any([signal, giveUp.signal]),
  }).finally(() => clearTimeout(waiting));
  if (answer.ok && answer.body) return answer.body;
  await answer.body?.cancel();
  const wait = Number(answer.headers.get('Retry-After') ?? '');
  throw new CallFailed('refused', answer.status, wait > 0 ? { retryAfterSeconds: wait } : {});
}

async function measure(body: ReadableStream<Uint8Array>, onReading: SpeedTestRun['onReading']): Promise<Measured> {
  const reader = body.getReader();
  let measured = startMeasuring(performance.now());
  // A canceled reader reports that it is done, and the browser closes the connection.
  const timeUp = setTimeout(() => void reader.cancel(), runSeconds * 1000);
  try {
    for (;;) {
      const { value } = await reader.read();
      const { readings } = measured;
      measured = addBytes(measured, value?.length ?? 0, performance.now());
      if (value === undefined) return measured;
      if (measured.readings !== readings) onReading(measured);
    }
  } finally {
    clearTimeout(timeUp);
  }
}

/** Speed at one moment of a download. Here and below, times are in milliseconds unless their name says otherwise. */
export interface Reading {
  readonly seconds: number;
  readonly bytes: number;
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
