import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { averageMbps, type Measured } from './run-speed-test.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { speedTestLimits } from '@holdfast/contract/src/limits.ts';

export interface SpeedTestState {
  readonly level: PlanLevel | null;
  readonly phase: 'idle' | 'running' | 'done' | 'canceled' | 'failed';
  readonly measured: Measured | null;
  readonly problem: string;
  readonly results: Readonly<Partial<Record<PlanLevel, number>>>;
}

export type SpeedTestEvent =
  | { readonly type: 'started'; readonly level: PlanLevel }
  | { readonly type: 'read'; readonly measured: Measured }
  | { readonly type: 'ended'; readonly measured: Measured }
  | { readonly type: 'canceled' }
  | { readonly type: 'failed'; readonly problem: string };

export const untested: SpeedTestState = { level: null, phase: 'idle', measured: null, problem: '', results: {} };

export function nextState(state: SpeedTestState, event: SpeedTestEvent): SpeedTestState {
  if (event.type === 'started') return { ...state, level: event.level, phase: 'running', measured: null, problem: '' };
  // Late events of a finished run do not concern what is on screen.
  if (state.phase !== 'running' || state.level === null) return state;
  switch (event.type) {
    case 'read':
      return { ...state, measured: event.measured };
    case 'ended': {
      const results = { ...state.results, [state.level]: averageMbps(event.measured) };
      return { ...state, phase: 'done', measured: event.measured, results };
    }
    case 'canceled':
      return { ...state, phase: 'canceled', measured: null };
    case 'failed':
      return { ...state, phase: 'failed', measured: null, problem: event.problem };
  }
}

/** Explains a failed run and what to do about it. */
export function failureWords(error: unknown): string {
  if (!(error instanceof CallFailed) || error.problem === 'no-response')
    return 'The server did not respond, or the connection was lost. Check your connection, then measure again.';
  if (error.status === 429) return `${limitWords} ${tryAgain(error.retryAfterSeconds)}`;
  return `The server could not run the test (status ${error.status}). Try again later.`;
}

const { atOnce, perHour } = speedTestLimits;
export const limitWords = `Limit: ${perHour} tests an hour per IP address, ${atOnce} at once.`;

function tryAgain(seconds: number | undefined): string {
  if (seconds === undefined) return 'Try again later.';
  if (seconds < 90) return `Try again in ${seconds} seconds.`;
  return `Try again in ${Math.ceil(seconds / 60)} minutes.`;
}
