import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { useEffect, useReducer, useRef } from 'react';
import { regionProblem, useRegion } from '../../api/client/server-info.ts';
import { site } from '../../lib/site.ts';
import { Button } from '../../ui/Button.tsx';
import { PageTitle } from '../../ui/PageTitle.tsx';
import { failureWords, limitWords } from './speed-test-state.ts';
import { Result } from './Result.tsx';
import { runSeconds, runSpeedTest } from './run-speed-test.ts';
import { nextState, untested } from './speed-test-state.ts';
import { Tiers } from './Tiers.tsx';

export function SpeedTestPage() {
  const { state, start, cancel } = useSpeedTest();
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-12 sm:px-6 md:py-16">
      <PageTitle className="text-title-l tracking-[-0.035em]">Speed Test</PageTitle>
      <p className="mt-4 mb-6 max-w-[56ch] text-[18px] leading-7 text-muted">
        How fast files{site.pricing && ' of each plan'} download to you.
      </p>
      <Region />
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <Tiers state={state} onStart={(level) => void start(level)} onCancel={cancel} />
        <Result state={state} onCancel={cancel} />
      </div>
      <div className="mt-6 max-w-[76ch] space-y-2 text-m text-muted">
        <p>
          {site.pricing ? 'These speeds are maximums; the' : 'The'} actual speed varies with your connection and route.
          {site.pricing && ' The free speed changes dynamically with the load.'}
        </p>
        <p>
          A test downloads for up to {runSeconds} seconds (250MB at most) and saves nothing. {limitWords}
        </p>
      </div>
    </div>
  );
}

/** Runs one test at a time, and aborts it when the page is left. */
function useSpeedTest() {
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

/** Region of the server that runs the test. */
function Region() {
  const { data: region, error, isFetching, refetch } = useRegion();
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <output className="block">
        <span className="text-muted">You are connected to:</span>{' '}
        <strong className="font-semibold">{region ?? (isFetching ? 'Checking...' : 'Unknown Region')}</strong>
        {error && !isFetching && <span className="block text-s text-muted">{regionProblem(error)}</span>}
      </output>
      {error && !isFetching && <Button onClick={() => void refetch()}>Try again</Button>}
    </div>
  );
}
