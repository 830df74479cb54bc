import { setTimeout as delay } from 'node:timers/promises';
import type { FaultyLine, LineState } from './faulty-line.ts';
import type { SmallDisk } from './small-disk.ts';

export interface Fault {
  readonly name: string;
  /** Ends when what it broke works again; the service may still have to recover. */
  run(): Promise<void>;
}

export interface Breakable {
  readonly disk: SmallDisk | null;
  /** By name. */
  readonly lines: Readonly<Record<string, FaultyLine>>;
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const between = (from: number, to: number): number => from + Math.random() * (to - from);

export function faultsOf({ disk, lines, kill, stop }: Breakable): readonly Fault[] {
  const states: readonly LineState[] = ['gone', 'hung', 'slow'];
  const ofLines = Object.entries(lines).flatMap(([name, line]) =>
    states.map((state) => ({
      name: `${name} ${state}`,
      async run() {
        await line.set(state);
        await delay(between(2_000, 12_000));
        await line.set('well');
      },
    })),
  );
  const ofDisk = disk === null ? [] : [{ name: 'disk full', run: () => fillFor(disk, between(2_000, 8_000)) }];
  const killed = { name: 'killed', run: kill };
  return [killed, ...ofDisk, killed, { name: 'stopped and started', run: stop }, ...ofLines, killed];
}

async function fillFor(disk: SmallDisk, ms: number): Promise<void> {
  await disk.fill();
  await delay(ms);
  await disk.empty();
}
