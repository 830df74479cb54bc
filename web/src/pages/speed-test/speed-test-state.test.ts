import { expect, test } from 'vitest';
import { addBytes, startMeasuring } from './speed-meter.ts';
import { nextState, type SpeedTestEvent, untested } from './speed-test-state.ts';

const measured = addBytes(startMeasuring(0), 1_000_000, 2000);
const after = (...events: readonly SpeedTestEvent[]) => events.reduce(nextState, untested);

test('a run that ends leaves its average beside the plan', () => {
  const state = after({ type: 'started', level: 'free' }, { type: 'read', measured }, { type: 'ended', measured });
  expect(state).toMatchObject({ level: 'free', phase: 'done', results: { free: 4 } });
});

test('a canceled run leaves no result, and the ones before it stay', () => {
  const state = after(
    { type: 'started', level: 'free' },
    { type: 'ended', measured },
    { type: 'started', level: 'power' },
    { type: 'read', measured },
    { type: 'canceled' },
  );
  expect(state).toMatchObject({ level: 'power', phase: 'canceled', measured: null, results: { free: 4 } });
});

test('a run that was canceled has nothing more to say', () => {
  const canceled = after({ type: 'started', level: 'free' }, { type: 'canceled' });
  expect(nextState(canceled, { type: 'ended', measured })).toBe(canceled);
  expect(nextState(canceled, { type: 'failed', problem: 'late' })).toBe(canceled);
});

test('a new run takes the problem of the last one away', () => {
  const failed = after({ type: 'started', level: 'free' }, { type: 'failed', problem: 'no' });
  expect(failed).toMatchObject({ phase: 'failed', problem: 'no' });
  expect(nextState(failed, { type: 'started', level: 'free' })).toMatchObject({ phase: 'running', problem: '' });
});
