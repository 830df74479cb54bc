import { readdir, readFile } from 'node:fs/promises';

export interface Sample {
  /** Seconds since the first one. */
  readonly at: number;
  readonly rssMb: number;
  readonly descriptors: number;
}

export interface Samples {
  readonly all: readonly Sample[];
  take(): Promise<void>;
}

/**
 * Memory and descriptors of a process that listens on `port`, as Linux counts them. The connections of clients do not
 * count: after a burst of calls there are more of them for a minute.
 */
export function sampleProcess(pid: number, port: number): Samples {
  const begun = performance.now();
  const all: Sample[] = [];
  return {
    all,
    async take() {
      const [, pages] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ');
      const descriptors = (await readdir(`/proc/${pid}/fd`)).length - (await connectionsTo(port));
      all.push({ at: (performance.now() - begun) / 1000, rssMb: (Number(pages) * 4096) / 1e6, descriptors });
    },
  };
}

/** Connections that a process still has, whatever their clients have done. */
async function connectionsTo(port: number): Promise<number> {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8')));
  const rows = tables.flatMap((table) => table.trim().split('\n').slice(1)).map((row) => row.trim().split(/\s+/));
  // ESTABLISHED and CLOSE_WAIT.
  return rows.filter(([, address, , state]) => address?.endsWith(local) && (state === '01' || state === '08')).length;
}

export interface Trend {
  readonly first: number;
  readonly last: number;
  /** Growth in a minute, by least squares over the second half. */
  readonly slope: number;
  readonly isFlat: boolean;
}

/**
 * Compares the medians of the third and the last quarter: caches fill and the heap finds its size in the first half.
 * Growth below `slack` is not told from noise.
 */
export function trendOf(samples: readonly Sample[], what: 'rssMb' | 'descriptors', slack: number): Trend {
  const half = samples.slice(Math.floor(samples.length / 2));
  const middle = Math.floor(half.length / 2);
  const [first, last] = [median(half.slice(0, middle), what), median(half.slice(middle), what)];
  return { first, last, slope: slopeOf(half, what) * 60, isFlat: last - first <= slack };
}

function median(samples: readonly Sample[], what: 'rssMb' | 'descriptors'): number {
  const sorted = samples.map((sample) => sample[what]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

function slopeOf(samples: readonly Sample[], what: 'rssMb' | 'descriptors'): number {
  const mean = (pick: (sample: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length;
  const [at, value] = [mean((one) => one.at), mean((one) => one[what])];
  const above = samples.reduce((sum, one) => sum + (one.at - at) * (one[what] - value), 0);
  const below = samples.reduce((sum, one) => sum + (one.at - at) ** 2, 0);
  return below === 0 ? 0 : above / below;
}
