import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { useEffect, useReducer, useRef } from 'react';
import { failureWords } from './failure-words.ts';
import { runSpeedTest } from './run-speed-test.ts';
import { nextState, untested } from './speed-test-state.ts';

/** One run at a time, which ends with the page. */
export function useSpeedTest() {
  const [state, dispatch] = useReducer(nextState, untested);
  const running = useRef<AbortController>(null);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (level: PlanLevel) => {
    running.current?.abort();
    const run = new AbortController();
    running.current = run;
    dispatch({ type: 'started', level });
    try {
      const measured = await runSpeedTest({
        level,
        signal: run.signal,
        onReading: (reading) => run.signal.aborted || dispatch({ type: 'read', measured: reading }),
      });
      if (!run.signal.aborted) dispatch({ type: 'ended', measured });
    } catch (error) {
      if (!run.signal.aborted) dispatch({ type: 'failed', problem: failureWords(error) });
    }
  };
  const cancel = () => {
    running.current?.abort();
    dispatch({ type: 'canceled' });
  };
  return { state, start, cancel };
}
