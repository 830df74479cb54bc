/** Repetitions of contenders side by side, and what is said about them. */
import type { Line } from './row.ts';

/**
 * Runs every contender once in each round and answers what each measured. Another one starts each round, so that
 * noise, caches and a warm processor favour nobody.
 */
export async function interleave<Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
  beforeEachRound: () => Promise<void> = async () => {},
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const samples = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (let round = 0; round < rounds; round += 1) {
    await beforeEachRound();
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) samples[name].push(await contenders[name]());
  }
  return samples;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

interface Comparison extends Pick<Line, 'what' | 'moved' | 'goal' | 'checked'> {
  /** What the samples count each second. */
  readonly unit: 'MB/s' | 'requests/s';
  readonly ours: Contender;
  readonly against: Contender;
}

interface Contender {
  readonly name: string;
  readonly samples: readonly number[];
}

/** Our speed as a share of a contender's: the median of the rounds' ratios, since both halves of a round share its noise. */
export function compareSpeeds({ what, moved, goal, checked, unit, ours, against }: Comparison): Line {
  const ratios = ours.samples.map((speed, round) => speed / (against.samples[round] ?? Number.NaN));
  const speed = ({ name, samples }: Contender) => `${name} ${Math.round(median(samples))} ${unit}`;
  return {
    what,
    moved,
    ours: speed(ours),
    against: speed(against),
    value: median(ratios),
    unit: '×',
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} of ${ratios.length} rounds`,
    goal,
    checked,
    samples: { [ours.name]: ours.samples, [against.name]: against.samples },
  };
}
