import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from '../harness/children.ts';
import { type Engine, openStore } from '../harness/engine.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { compareSpeeds, interleave, stateRate } from '../harness/measure.ts';
import { createAccounts } from '../harness/new-accounts.ts';
import { startPeer } from '../harness/plain-peer.ts';
import type { Bench, Line, Row } from '../harness/row.ts';
import { accountsForSmallUploads, uploadRate } from '../harness/small-uploads.ts';
import { syncAndCommit } from '../harness/sync-and-commit.ts';

const goals = {
  SQLite: { one: { atLeast: 450 }, eight: { atLeast: 900 } },
  PostgreSQL: { one: { atLeast: 250 }, eight: { atLeast: 500 } },
} as const;
const ways = [
  { way: 'one', what: 'one after the other', atOnce: 1 },
  { way: 'eight', what: '8 at a time', atOnce: 8 },
] as const;

export const smallUploads: Row = {
  number: 16,
  title: '10 KB uploads',
  async run(bench) {
    return [...(await runOn('SQLite', bench)), ...(await runOn('PostgreSQL', bench))];
  },
};

async function runOn(engine: Engine, { quick, folder: rowFolder }: Bench): Promise<Line[]> {
  const folder = join(rowFolder, engine);
  const files = quick ? 100 : 500;
  await using store = await openStore(engine, join(folder, 'data'), { durable: true });
  const accounts = await createAccounts(store, accountsForSmallUploads);
  await using server = await startHoldfast(store.dataDir, store.environment);
  await mkdir(join(folder, 'peer'));
  await using peer = await startPeer('syncing-server', join(folder, 'peer'));
  const rateOf =
    ({ url }: { readonly url: string }, atOnce: number) =>
    () =>
      uploadRate(url, accounts, { uploads: files, atOnce });
  for (const each of [server, peer]) await rateOf(each, 8)();

  const rates = await interleave(
    quick ? 3 : 7,
    {
      one: rateOf(server, 1),
      eight: rateOf(server, 8),
      peerOne: rateOf(peer, 1),
      peerEight: rateOf(peer, 8),
      alone: () => syncAndCommit(join(folder, 'alone'), files),
    },
    async () => void (await runProgram('sync', [])),
  );
  const peers = { one: rates.peerOne, eight: rates.peerEight };
  return ways.flatMap(({ way, what }) => {
    const line = {
      what: `${engine}: 10 KB uploads, ${what}`,
      moved: `${files} new files each round`,
      ours: { name: 'Node', samples: rates[way] },
      checked: 'status and link of each; 20 of each round were read back and hashed',
    };
    return [
      stateRate({
        ...line,
        goal: goals[engine][way],
        against: { name: 'files, syncs and SQLite commits alone, one after the other', samples: rates.alone },
      }),
      compareSpeeds({
        ...line,
        unit: 'files/s',
        goal: engine === 'SQLite' ? { atLeast: 1.5 } : null,
        against: { name: 'a plain node:http server that syncs', samples: peers[way] },
      }),
    ];
  });
}
