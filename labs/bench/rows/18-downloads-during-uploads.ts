import { join } from 'node:path';
import type { OpenLoopAnswer, OpenLoopOrders } from '../clients/open-loop.ts';
import { openAccount } from '../harness/account.ts';
import { runClient, runProgram } from '../harness/children.ts';
import { startHoldfast } from '../harness/holdfast.ts';
import { checkDownload, MB } from '../harness/payload.ts';
import { percentile } from '../harness/percentile.ts';
import type { Line, Row } from '../harness/row.ts';
import { storeFile } from '../harness/stored-file.ts';
import { prepareUploads } from '../harness/upload-load.ts';

const requestsPerSecond = 100;
const load = { count: 8, size: 50 * MB };

export const downloadsDuringUploads: Row = {
  number: 18,
  title: 'small downloads while 8 files of 50 MB are uploaded',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'));
    const file = await storeFile(folder, server, 'power', 10_000);
    const accounts = [await openAccount(server, 'power'), await openAccount(server, 'power')] as const;
    const uploads = await prepareUploads(folder, server, accounts, load);
    await checkDownload(file.link, file.sha256);
    const orders: OpenLoopOrders = { url: file.link, requestsPerSecond, seconds: quick ? 3 : 5, size: file.size };
    const request = async () => (await runClient<OpenLoopAnswer>('open-loop-requests', orders)).latencies;
    await uploads.during(request);

    const rounds = quick ? 2 : 5;
    const idle: (readonly number[])[] = [];
    const busy: (readonly number[])[] = [];
    const speeds: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      await runProgram('sync', []);
      idle.push(await request());
      const { result, sets, seconds } = await uploads.during(request);
      busy.push(result);
      speeds.push((sets * load.count * load.size) / MB / seconds);
    }
    const range = `${Math.round(Math.min(...speeds))}–${Math.round(Math.max(...speeds))} MB/s`;
    const moved = `${rounds} × ${orders.seconds} s of ${requestsPerSecond} requests/s`;
    return [
      lineOf(`/file of 10 KB while 8 × 50 MB are uploaded (${range})`, moved, busy, { atMost: 25 }),
      lineOf('/file of 10 KB on an idle server', moved, idle, null),
    ];
  },
};

function lineOf(what: string, moved: string, rounds: readonly (readonly number[])[], goal: Line['goal']): Line {
  const all = rounds.flat();
  const each = rounds.map((round) => percentile(round, 99));
  const value = percentile(all, 99);
  return {
    what: `${what}, p99`,
    moved,
    ours: `p50 ${percentile(all, 50).toFixed(1)}, p99 ${value.toFixed(1)}, max ${Math.max(...all).toFixed(1)} ms`,
    against: '–',
    value,
    unit: 'ms',
    spread: `p99 ${Math.min(...each).toFixed(1)}–${Math.max(...each).toFixed(1)} ms of ${rounds.length} rounds`,
    goal,
    checked: 'status and length of each; the server verified the digest of each upload',
    samples: { latencies: all },
  };
}
