import { PageTitle } from '../../ui/PageTitle.tsx';
import { limitWords } from './failure-words.ts';
import { Region } from './Region.tsx';
import { Result } from './Result.tsx';
import { runSeconds } from './run-speed-test.ts';
import { Tiers } from './Tiers.tsx';
import { useSpeedTest } from './use-speed-test.ts';

export function SpeedTestPage() {
  const { state, start, cancel } = useSpeedTest();
  return (
    <div className="mx-auto w-full max-w-[1200px] px-4 py-12 sm:px-6 md:py-16">
      <PageTitle className="text-title-l tracking-[-0.035em]">Speed Test</PageTitle>
      <p className="mt-4 mb-6 max-w-[56ch] text-[18px] leading-7 text-muted">
        What a download gets on each plan, between this server and you.
      </p>
      <Region />
      <div className="mt-8 grid items-start gap-6 lg:grid-cols-[minmax(0,1.35fr)_minmax(0,1fr)]">
        <Tiers state={state} onStart={(level) => void start(level)} onCancel={cancel} />
        <Result state={state} onCancel={cancel} />
      </div>
      <div className="mt-6 max-w-[76ch] space-y-2 text-m text-muted">
        <p>
          These speeds are maximums; the actual speed varies with your connection and the way between. The free speed
          changes dynamically with the load.
        </p>
        <p>
          A measurement downloads for {runSeconds} seconds, or the whole 250MB where that is sooner, and keeps nothing.{' '}
          {limitWords}
        </p>
      </div>
    </div>
  );
}
