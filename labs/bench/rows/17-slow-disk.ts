import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from '../harness/compile.ts';
import { openStore } from '../harness/engine.ts';
import { finestLoopClock, type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import { interleave, median, stateRate } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import { type Line, notMeasured, type Row } from '../harness/row.ts';
import { accountsForSmallUploads, uploadRate } from '../harness/small-uploads.ts';

const ways = [
  { way: 'one', what: 'one after the other', atOnce: 1, goal: { atLeast: 30 } },
  { way: 'eight', what: '8 at a time', atOnce: 8, goal: { atLeast: 150 } },
] as const;
type Way = (typeof ways)[number]['way'];
const longestP99 = { atMost: 10 };

/** On such a disk a server that syncs in its event loop stops every download for each upload. */
export const slowDisk: Row = {
  number: 17,
  title: '10 KB uploads to a disk whose syncs take 10 ms longer',
  async run({ quick, folder }) {
    const compiled = await compile('slow-sync', folder, ['-shared', '-fPIC', '-ldl']);
    if (compiled.missing !== null) {
      const { missing } = compiled;
      const lines = linesOf({ one: [], eight: [] }, { one: [], eight: [] }, 0);
      return lines.map((line) => notMeasured({ ...line, moved: '–', ours: '–' }, missing));
    }
    const files = quick ? 50 : 200;
    await using store = await openStore('SQLite', join(folder, 'data'));
    const accounts = await createAccounts(store, accountsForSmallUploads);
    await using server = await startHoldfast(store.dataDir, {
      ...store.environment,
      ...finestLoopClock,
      LD_PRELOAD: compiled.path,
    });
    await insistOnPreload(server, compiled.path);
    const upload = (atOnce: number) => uploadRate(server.url, accounts, { uploads: files, atOnce });
    // The first upload into each of the 256 folders makes it; a server that runs for half a minute has all of them.
    await uploadRate(server.url, accounts, { uploads: 2_000, atOnce: 16 });

    const loops: Record<Way, number[]> = { one: [], eight: [] };
    const measure = (way: Way, atOnce: number) => async () => {
      await server.loopDelay();
      const rate = await upload(atOnce);
      loops[way].push((await server.loopDelay()).p99);
      return rate;
    };
    const rates = await interleave(quick ? 3 : 5, { one: measure('one', 1), eight: measure('eight', 8) });
    return linesOf(rates, loops, files);
  },
};

type Samples = Readonly<Record<Way, readonly number[]>>;

function linesOf(rates: Samples, loops: Samples, files: number): Line[] {
  const moved = `${files} new files each round`;
  const checked = 'status and link of each; 20 of each round were read back and hashed';
  return [
    ...ways.map(({ way, what, goal }) =>
      stateRate({
        what: `10 KB uploads, syncs 10 ms slower, ${what}`,
        moved,
        goal,
        checked,
        ours: { name: 'Node', samples: rates[way] },
      }),
    ),
    ...ways.map(({ way, what }): Line => {
      const p99 = loops[way];
      return {
        what: `event loop delay meanwhile, p99, ${what}`,
        moved,
        ours: `median p99 ${median(p99).toFixed(1)} ms`,
        against: '–',
        value: Math.max(...p99),
        unit: 'ms',
        spread: `${Math.min(...p99).toFixed(1)}–${Math.max(...p99).toFixed(1)} ms of ${p99.length} rounds`,
        goal: longestP99,
        checked,
        samples: { p99 },
      };
    }),
  ];
}

/** Throws unless the server has loaded the library: the loader only warns about one that it cannot load. */
async function insistOnPreload({ pid }: Holdfast, library: string): Promise<void> {
  if (!(await readFile(`/proc/${pid}/maps`, 'utf8')).includes(library))
    throw new Error('the server runs without the slow syncs');
}
