import { plans } from '@holdfast/contract/src/plans.ts';
import { formatSize } from '../../lib/format.ts';
import { formatMbps } from './format-mbps.ts';
import { averageMbps } from './speed-meter.ts';
import type { SpeedTestState } from './speed-test-state.ts';

/** The state of the test in a sentence; a failure has a box of its own. */
export function statusWords({ level, phase, measured }: SpeedTestState): string {
  if (level === null) return 'Choose a plan to measure.';
  const { name } = plans[level];
  if (phase === 'running') return `Measuring ${name}...`;
  if (phase === 'canceled') return `The measurement of ${name} was canceled.`;
  if (phase !== 'done' || !measured) return '';
  const { bytes, seconds } = measured;
  const mbps = formatMbps(averageMbps(measured));
  return `${name}: ${mbps} Mbps on average, ${formatSize(bytes)} in ${seconds.toFixed(1)}\u00a0s.`;
}
