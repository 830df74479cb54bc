export interface ProgressBarProps {
  /** From 0 to 1. */
  readonly value: number;
  readonly label: string;
}

export function ProgressBar({ value, label }: ProgressBarProps) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 1000) / 10;
  return <progress aria-label={label} max={100} value={percent} className={bar} />;
}

// Browser engines use different pseudo-elements for the track and the bar.
const bar =
  'block h-1 w-full appearance-none overflow-hidden rounded-full border-0 bg-sunken ' +
  '[&::-moz-progress-bar]:bg-sea [&::-webkit-progress-bar]:bg-sunken [&::-webkit-progress-value]:bg-sea';
