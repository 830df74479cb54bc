import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../harness/children.ts';
import { type Engine, openStore } from '../harness/engine.ts';
import { type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave, median } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import { popularName, startPeer } from '../harness/plain-peer.ts';
import type { Line, Row } from '../harness/row.ts';
import { accountsForSmallUploads, uploadRate } from '../harness/small-uploads.ts';

const ways = [
  { way: 'One', what: 'one after the other', goal: { atLeast: 1 } },
  { way: 'Eight', what: '8 at a time', goal: { atLeast: 1.2 } },
] as const;

export const smallUploads: Row = {
  number: 16,
  title: '10 KB uploads',
  async run({ quick, folder }) {
    const files = quick ? 200 : 500;
    await using sqlite = await open('SQLite', join(folder, 'SQLite'));
    await using postgres = await open('PostgreSQL', join(folder, 'PostgreSQL'));
    await using plain = await startPeer('syncing', await newFolder(join(folder, 'plain')));
    await using popular = await startPeer('popular', await newFolder(join(folder, 'popular')));
    const contenders = { sqlite, postgres, plain, popular };
    const { accounts } = sqlite;
    const rateOf = (contender: Contender, atOnce: number) => async () =>
      uploadRate(contender.url, contender.accounts ?? accounts, { uploads: files, atOnce });
    for (const each of Object.values(contenders)) await rateOf(each, 8)();

    const cpu: number[] = [];
    const rates = await interleave(
      quick ? 3 : 5,
      {
        sqliteOne: rateOf(sqlite, 1),
        async sqliteEight() {
          const before = mainThreadMs(sqlite.server);
          const rate = await rateOf(sqlite, 8)();
          cpu.push((mainThreadMs(sqlite.server) - before) / files);
          return rate;
        },
        postgresOne: rateOf(postgres, 1),
        postgresEight: rateOf(postgres, 8),
        plainOne: rateOf(plain, 1),
        plainEight: rateOf(plain, 8),
        popularOne: rateOf(popular, 1),
        popularEight: rateOf(popular, 8),
      },
      async () => void (await runProgram('sync', [])),
    );
    const facts = {
      moved: `${files} new files each round`,
      unit: 'files/s',
      checked: 'status and link of each; 20 of each round were read back and hashed',
    } as const;
    const lines = ways.flatMap(({ way, what, goal }) => {
      const ours = { name: 'Node', samples: rates[`sqlite${way}`] };
      const line = { ...facts, what: `10 KB uploads, ${what}`, ours };
      const against = { name: 'a plain node:http server that syncs', samples: rates[`plain${way}`] };
      return [
        compareSpeeds({ ...line, against, goal }),
        compareSpeeds({ ...line, against: { name: popularName, samples: rates[`popular${way}`] }, goal: null }),
        compareSpeeds({
          ...facts,
          what: `10 KB uploads on PostgreSQL, ${what}`,
          ours: { name: 'Node', samples: rates[`postgres${way}`] },
          against: { name: 'Node on SQLite', samples: ours.samples },
          goal: { atLeast: 0.7 },
        }),
      ];
    });
    return [...lines, lineOfCpu(cpu, facts)];
  },
};

interface Contender {
  readonly url: string;
  readonly accounts?: Awaited<ReturnType<typeof createAccounts>>;
}

async function open(engine: Engine, folder: string) {
  await using opened = new AsyncDisposableStack();
  const store = opened.use(await openStore(engine, join(folder, 'data'), { durable: true }));
  const accounts = await createAccounts(store, accountsForSmallUploads);
  const server = opened.use(await startHoldfast(store.dataDir, store.environment));
  const held = opened.move();
  return { url: server.url, server, accounts, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

async function newFolder(path: string): Promise<string> {
  await mkdir(path, { recursive: true });
  return path;
}

const mainThreadMs = ({ pid }: Holdfast): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

function lineOfCpu(samples: readonly number[], { moved, checked }: Pick<Line, 'moved' | 'checked'>): Line {
  return {
    what: 'processor time of the main thread for an upload of 10 KB, 8 at a time',
    moved,
    checked,
    ours: `${median(samples).toFixed(2)} ms`,
    against: '–',
    value: median(samples),
    unit: 'ms',
    spread: `${Math.min(...samples).toFixed(2)}–${Math.max(...samples).toFixed(2)} ms of ${samples.length} rounds`,
    goal: { atMost: 1.2 },
    samples: { ms: samples },
  };
}
