import { clsx } from 'clsx';

export interface ProgressBarProps {
  /** From 0 to 1. */
  readonly value: number;
  readonly label: string;
  /** A tall one can be read as a measure. */
  readonly height?: keyof typeof heights;
  readonly tone?: 'sea' | 'buoy';
}

export function ProgressBar({ value, label, height = 'thin', tone = 'sea' }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 1000) / 10;
  return (
    <progress
      aria-label={label}
      max={100}
      value={percent}
      className={clsx(bar, heights[height], tone === 'sea' ? '[--bar:var(--sea)]' : '[--bar:var(--buoy)]')}
    />
  );
}

const heights = { hairline: 'h-0.5', thin: 'h-1', tall: 'h-2.5' } as const;

// Browser engines use different pseudo-elements for the track and the bar.
const bar =
  'block w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken ' +
  '[&::-moz-progress-bar]:bg-(--bar) [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-(--bar)';
