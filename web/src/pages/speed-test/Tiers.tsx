import { type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import { Card } from '../../ui/Card.tsx';
import type { SpeedTestState } from './speed-test-state.ts';
import { Tier } from './Tier.tsx';

export interface TiersProps {
  readonly state: SpeedTestState;
  readonly onStart: (level: PlanLevel) => void;
  readonly onCancel: () => void;
}

/** One row for each plan: measure it here, or fetch its test file. */
export function Tiers({ state: { level: newest, phase, results }, onStart, onCancel }: TiersProps) {
  const running = phase === 'running' ? newest : null;
  return (
    <Card className="lg:order-last">
      <ul aria-label="Plans" className="divide-y divide-line">
        {planLevels.map((level) => (
          <Tier
            key={level}
            level={level}
            result={results[level]}
            running={running === level}
            blocked={running !== null && running !== level}
            onPress={() => (running === level ? onCancel() : onStart(level))}
          />
        ))}
      </ul>
    </Card>
  );
}
