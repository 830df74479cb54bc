/** What a row of the table is: how it is run, and what it says. */
export interface Row {
  readonly number: number;
  readonly title: string;
  readonly run: (bench: Bench) => Promise<readonly Line[]>;
}

export interface Bench {
  /** Fewer repetitions and less data: to try a change, not to quote. */
  readonly quick: boolean;
  /** An empty folder of this row's own. It goes away when the row ends. */
  readonly folder: string;
}

/** One figure. `value` is what the goal is about. */
export interface Line {
  readonly what: string;
  readonly moved: string;
  readonly ours: string;
  readonly against: string;
  readonly value: number;
  readonly unit: '×' | 'MB' | 'KB' | 'ms' | '%';
  /** Between the rounds or the connections. */
  readonly spread: string;
  /** Null for a figure that only helps to read the others. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** How the bytes that arrived were checked. */
  readonly checked: string;
  /** Everything that was measured, by contender, in the order of the rounds. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

export function isMet({ value, goal }: Pick<Line, 'value' | 'goal'>): boolean | null {
  if (goal === null) return null;
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}
