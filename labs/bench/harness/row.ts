import type { Machine } from './machine.ts';

/** A row of the table: how it is run, and its results. */
export interface Row {
  readonly number: number;
  readonly title: string;
  readonly run: (bench: Bench) => Promise<readonly Line[]>;
}

export interface Bench {
  /** Fewer repetitions and less data, to try a change instead of quoting figures. */
  readonly quick: boolean;
  /** An empty folder for this row, deleted when the row ends. */
  readonly folder: string;
}

/** One figure. The goal applies to `value`. */
export interface Line {
  readonly what: string;
  readonly moved: string;
  readonly ours: string;
  readonly against: string;
  /** Null if this machine lacks what the line needs; the reason is part of `against`. */
  readonly value: number | null;
  readonly unit: '×' | 'MB' | 'KB' | 'ms' | '%' | '/s';
  /** Spread between the rounds or the connections. */
  readonly spread: string;
  /** Null if the figure only helps to interpret the others. */
  readonly goal: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** How the received bytes were checked. */
  readonly checked: string;
  /** All measurements by contender, in the order of the rounds. */
  readonly samples: Readonly<Record<string, readonly number[]>>;
}

/** A line with a figure. */
export type MeasuredLine = Line & { readonly value: number };

export interface RowResult {
  readonly number: number;
  /** Date and time as ISO 8601. */
  readonly measuredAt: string;
  readonly machine: Machine;
  readonly lines: readonly Line[];
  /** Reason why the row has no figures, otherwise null. */
  readonly failed: string | null;
}

/** The same line without its figure, and with the reason instead of what it is compared with. */
export function notMeasured(line: Line, reason: string): Line {
  return { ...line, against: reason, value: null, spread: '–' };
}
