import { join } from 'node:path';
import { type Engine, openStore, type Store } from '../harness/engine.ts';
import { compareTimes, interleave } from '../harness/measure.ts';
import { openPublicNames, pickSeeded } from '../harness/public-names.ts';
import type { Bench, Line, Row } from '../harness/row.ts';
import { seedStore } from '../harness/seed-store.ts';

export const publicNames: Row = {
  number: 10,
  title: 'look-up of a public name',
  async run(bench) {
    return [...(await runOn('SQLite', bench)), ...(await runOn('PostgreSQL', bench))];
  },
};

/** Inserting ten million rows into PostgreSQL is too slow for a bench: it had not finished after seven minutes. */
const sizes = {
  SQLite: [100_000, 1_000_000, 10_000_000],
  PostgreSQL: [100_000, 1_000_000],
} as const;

async function runOn(engine: Engine, { quick, folder }: Bench): Promise<Line[]> {
  const totals = quick ? [10_000, 100_000] : sizes[engine];
  const count = quick ? 200 : 1_000;
  await using opened = new AsyncDisposableStack();
  const stores: NamedStore[] = [];
  for (const total of totals) {
    const store = opened.use(await openStore(engine, join(folder, `${engine}-${total}`)));
    await seedStore(store, [1_000], total);
    stores.push({ store, total, pick: pickSeeded(total) });
  }
  return await publicNamesLines(engine, stores, { count, rounds: quick ? 3 : 9 });
}

/** Measures look-ups of `count` names in each round; the first store is the one that the others are compared with. */
export async function publicNamesLines(
  engine: Engine,
  [small, ...larger]: readonly NamedStore[],
  { count, rounds }: { readonly count: number; readonly rounds: number },
): Promise<Line[]> {
  if (!small) throw new Error('there is no store to compare with');
  await using opened = new AsyncDisposableStack();
  const samples = await interleave(rounds, await openContenders(opened, [small, ...larger], count));
  const contender = (total: number, way: Way) => ({
    name: `${total.toLocaleString('en')} rows`,
    samples: samples[nameOf(total, way)] ?? [],
  });
  return larger.flatMap(({ total }) =>
    ways.map(({ way, what, goal }) =>
      compareTimes({
        what: `${engine}: ${what}`,
        moved: `${count.toLocaleString('en')} random names each round`,
        goal,
        ours: contender(total, way),
        against: contender(small.total, way),
        checked: 'each answer was the digest of its name',
      }),
    ),
  );
}

export interface NamedStore {
  readonly store: Store;
  /** Number of rows. */
  readonly total: number;
  readonly pick: Parameters<typeof openPublicNames>[1];
}

/**
 * The servers start after all databases are filled, because one that has run for a minute starts maintenance of its
 * files.
 */
async function openContenders(
  opened: AsyncDisposableStack,
  stores: readonly NamedStore[],
  count: number,
): Promise<Record<string, () => Promise<number>>> {
  const contenders: Record<string, () => Promise<number>> = {};
  for (const { store, total, pick } of stores) {
    const names = opened.use(await openPublicNames(store, pick));
    await names.overHttp(count);
    for (const { way } of ways) contenders[nameOf(total, way)] = () => names[way](count);
  }
  return contenders;
}

type Way = 'overHttp' | 'byQuery';

const ways = [
  { way: 'overHttp', what: 'look-up of a public name over HTTP', goal: { atMost: 1.3 } },
  { way: 'byQuery', what: 'its query alone', goal: null },
] as const satisfies readonly { readonly way: Way; readonly what: string; readonly goal: Line['goal'] }[];

const nameOf = (total: number, way: Way) => `${way} of ${total}`;
