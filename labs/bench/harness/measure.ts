/** Repeats contenders side by side and compares the results. */
import type { Line, MeasuredLine } from './row.ts';

/**
 * Runs every contender once in each round and returns the measurements of each. A different one starts each round, so
 * that noise, caches and a warm processor favor none of them.
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
  readonly ours: Contender;
  readonly against: Contender;
}

interface Contender {
  readonly name: string;
  readonly samples: readonly number[];
}

/** Compares our speed with a contender's, as a share; `unit` is the unit of the samples. */
export function compareSpeeds({
  unit,
  ...line
}: Comparison & { readonly unit: 'MB/s' | 'requests/s' | 'files/s' }): MeasuredLine {
  return compare(line, (speed) => `${Math.round(speed)} ${unit}`);
}

/** Compares our time with a contender's, as a multiple. The samples are milliseconds. */
export function compareTimes(line: Comparison): MeasuredLine {
  return compare(line, (ms) => `${ms.toFixed(ms < 1 ? 3 : 1)} ms`);
}

/** States how many files a second we store. */
export function stateRate({ ours: { name, samples }, ...line }: Omit<Comparison, 'against'>): MeasuredLine {
  return {
    ...line,
    ours: `${name} ${Math.round(median(samples))} files/s`,
    against: '–',
    value: median(samples),
    unit: '/s',
    spread: `${Math.round(Math.min(...samples))}–${Math.round(Math.max(...samples))} of ${samples.length} rounds`,
    samples: { [name]: samples },
  };
}

/** Compares by the median of the rounds' ratios, because both halves of a round share its noise. */
function compare(
  { what, moved, goal, checked, ours, against }: Comparison,
  amount: (value: number) => string,
): MeasuredLine {
  const ratios = ours.samples.map((value, round) => value / (against.samples[round] ?? Number.NaN));
  const textOf = ({ name, samples }: Contender) => `${name} ${amount(median(samples))}`;
  return {
    what,
    moved,
    ours: textOf(ours),
    against: textOf(against),
    value: median(ratios),
    unit: '×',
    spread: `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)} of ${ratios.length} rounds`,
    goal,
    checked,
    samples: { [ours.name]: ours.samples, [against.name]: against.samples },
  };
}
