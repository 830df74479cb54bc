import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { averageMbps, type Measured } from './speed-meter.ts';

export interface SpeedTestState {
  /** The plan of the newest run; null before the first. */
  readonly level: PlanLevel | null;
  readonly phase: 'idle' | 'running' | 'done' | 'canceled' | 'failed';
  readonly measured: Measured | null;
  /** Why the run failed. */
  readonly problem: string;
  /** What was measured on this page, in Mbps. */
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
  // What a run says after it was over belongs to nothing that is on the screen.
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
