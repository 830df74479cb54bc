import { sortColumns } from '@holdfast/contract/src/limits.ts';
import type { Engine } from '../harness/engine.ts';
import { type AskedPage, type FileLists, openFileLists } from '../harness/file-lists.ts';
import { compareTimes, interleave, median } from '../harness/measure.ts';
import type { Bench, Line, MeasuredLine, Row } from '../harness/row.ts';

const limit = 200;

/** The page to request, and the most time it may take as a multiple of the small account's first page. */
const places = [
  { place: 'page 1', pageOf: () => 1, goal: { atMost: 1.5 } },
  { place: 'the last page', pageOf: (pages: number) => pages, goal: { atMost: 3 } },
  { place: 'the page in the middle', pageOf: (pages: number) => Math.ceil(pages / 2), goal: { atMost: 20 } },
] as const;

/** Number of matches in the seeded account with the index `at`, see `seedLists`. */
const searches = [
  { search: 'nowhere', finds: 'nothing', found: () => 0 },
  {
    search: 'Summer ZIP',
    finds: 'a third',
    found: (files: number, at: number) => Math.ceil((files - ((3 - at) % 3)) / 3),
  },
  { search: 'summer', finds: 'everything', found: (files: number) => files },
] as const;

export const fileList: Row = {
  number: 9,
  title: 'get-file-list of 200 rows',
  async run(bench) {
    return [...(await runOn('SQLite', bench)), ...(await runOn('PostgreSQL', bench))];
  },
};

async function runOn(engine: Engine, { quick, folder }: Bench): Promise<Line[]> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000];
  const total = quick ? 100_000 : 1_000_000;
  await using lists = await openFileLists(engine, folder, sizes, total);
  return await fileListLines(engine, lists, { total, rounds: quick ? 3 : 9 });
}

/** Measures the lists of the accounts, the smallest first, in a table of `total` files. */
export async function fileListLines(
  engine: Engine,
  lists: FileLists,
  { total, rounds }: { readonly total: number; readonly rounds: number },
): Promise<Line[]> {
  const sizes = lists.accounts.map(({ files }) => files);
  const samples = await interleave(rounds, contendersOf(lists));
  const stalls = await searchStalls(lists, rounds);
  const moved = `200 rows of ${total.toLocaleString('en')} in the table`;
  const contender = (name: string) => ({ name, samples: samples[name] ?? [] });
  const lineOf = (what: string, goal: Line['goal'], ours: string, against: string) =>
    compareTimes({
      what: `${engine}: ${what}`,
      goal,
      moved,
      ours: contender(ours),
      against: contender(against),
      checked: 'each answer had as many rows as its page and the right total',
    });
  const [small = 0, ...larger] = sizes;
  const worst = (lines: readonly MeasuredLine[]) => lines.toSorted((a, b) => b.value - a.value).slice(0, 1);
  return [
    ...places.flatMap(({ place, goal }) =>
      worst(
        larger.flatMap((files) =>
          sortColumns.map((column) =>
            lineOf(
              `${place}, the worst sort and size`,
              goal,
              nameOf(files, column, place),
              nameOf(small, column, 'page 1'),
            ),
          ),
        ),
      ),
    ),
    ...searches.map(({ search, finds }) =>
      lineOf(`search that finds ${finds}`, null, nameOf(sizes.at(-1) ?? 0, search), nameOf(small, search)),
    ),
    {
      what: `${engine}: search in ${(sizes.at(-1) ?? 0).toLocaleString('en')} files, the longest stall of the event loop`,
      moved: `${stalls.length} searches, ${moved}`,
      ours: `median ${median(stalls).toFixed(1)} ms`,
      against: '–',
      value: Math.max(...stalls),
      unit: 'ms',
      spread: `${Math.min(...stalls).toFixed(1)}–${Math.max(...stalls).toFixed(1)} ms`,
      goal: { atMost: 5 },
      checked: 'each answer had as many rows as its page and the right total',
      samples: { stalls },
    },
  ];
}

/** Searches in the largest account, with the files in the order of their index and in another one. */
async function searchStalls({ accounts, stall }: FileLists, rounds: number): Promise<number[]> {
  const at = accounts.length - 1;
  const largest = accounts[at];
  if (!largest) throw new Error('unreachable: there are accounts');
  const stalls: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const { search, found } of searches)
      for (const column of ['upload_time', 'size'] as const)
        stalls.push(await stall(largest, { column, page: 1, limit, search, total: found(largest.files, at) }));
  return stalls;
}

const nameOf = (files: number, ...asked: readonly string[]) =>
  `${files.toLocaleString('en')} files, ${asked.join(', ')}`;

function contendersOf({ accounts, ask }: FileLists): Record<string, () => Promise<number>> {
  const all: [string, () => Promise<number>][] = [];
  for (const [at, account] of accounts.entries()) {
    const { files } = account;
    const add = (name: string, page: Omit<AskedPage, 'limit'>) =>
      all.push([name, () => quickest(() => ask(account, { ...page, limit }))]);
    for (const column of sortColumns)
      for (const { place, pageOf } of places)
        add(nameOf(files, column, place), { column, page: pageOf(files / limit), search: '', total: files });
    for (const { search, found } of searches)
      add(nameOf(files, search), { column: 'upload_time', page: 1, search, total: found(files, at) });
  }
  return Object.fromEntries(all);
}

/** Takes the fastest of three: other load on the machine only ever makes a call slower, and a call is short. */
async function quickest(ask: () => Promise<number>): Promise<number> {
  return Math.min(await ask(), await ask(), await ask());
}
