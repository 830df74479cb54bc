import { join } from 'node:path';
import { standardPlans } from '@holdfast/contract/src/plans.ts';
import type { PacedAnswer, PacedOrders } from '../clients/paced.ts';
import { runClient } from '../harness/children.ts';
import { type LoopDelay, startHoldfast } from '../harness/holdfast.ts';
import { median } from '../harness/measure.ts';
import { memoryGrowth } from '../harness/memory.ts';
import { startNginx } from '../harness/nginx.ts';
import { MB } from '../harness/payload.ts';
import type { Line, Row } from '../harness/row.ts';
import { type StoredFile, storeFile } from '../harness/stored-file.ts';

const planMbps = standardPlans.free.maxDownloadMbps;
const downloads = 1000;
/** Downloads of a file from one address share a bucket, so each comes from its own address. */
const connections = Array.from({ length: downloads }, (_, at) => ({
  localAddress: `127.1.${Math.floor(at / 250)}.${(at % 250) + 1}`,
  range: null,
}));

export const aThousandDownloads: Row = {
  number: 7,
  title: `1,000 downloads throttled at ${planMbps} Mbps at once, without DOWNLOAD_BURST`,
  async run({ quick, folder }) {
    const dataDir = join(folder, 'data');
    const file = await prepare(folder, dataDir);
    const seconds = quick ? 4 : 10;
    const orders = { payload: file.path, connections, seconds };

    // A fresh process, so that memory left from the upload does not count as this row's baseline.
    await using server = await startHoldfast(dataDir, { DOWNLOAD_BURST: '0' });
    const link = server.url + new URL(file.link).pathname;
    await (await fetch(link, { method: 'HEAD' })).arrayBuffer();
    let ours: PacedAnswer | null = null;
    await server.loopDelay();
    const grew = await memoryGrowth(server.pid, async () => void (ours = await runPaced({ ...orders, url: link })));
    const loop = await server.loopDelay();
    await using nginx = await startNginx(join(folder, 'nginx'), server);
    const peer = await runPaced({ ...orders, url: nginx.paced(file.blobPath) });
    if (ours === null) throw new Error('unreachable: the client has answered');
    return lines(ours, peer, grew, loop, `1,000 × ${seconds} s of ${planMbps} Mbps`);
  },
};

async function prepare(folder: string, dataDir: string): Promise<StoredFile> {
  await using server = await startHoldfast(dataDir);
  return await storeFile(folder, server, 'free', 100 * MB);
}

async function runPaced(orders: PacedOrders): Promise<PacedAnswer> {
  const answer = await runClient<PacedAnswer>('paced-downloads', orders);
  // A connection that received no response counts as a download with speed 0.
  if (Object.keys(answer.statuses).some((status) => status !== '200'))
    throw new Error(`the answers were ${JSON.stringify(answer.statuses)}`);
  return answer;
}

function lines(ours: PacedAnswer, peer: PacedAnswer, grew: number, loop: LoopDelay, moved: string): Line[] {
  const checked = 'every byte that arrived was compared with the file';
  const base = { moved, checked, against: '–', spread: '–', goal: null };
  const speeds = { ...base, against: `plan speed ${planMbps} Mbps`, unit: '%' } as const;
  return [
    { ...speeds, what: 'furthest of 1,000 from the plan speed', ...speedOf(ours), goal: { atMost: 5 } },
    { ...speeds, what: "the same with nginx's limit_rate", ...speedOf(peer) },
    {
      ...base,
      what: 'resident memory during 1,000 downloads',
      ours: `at most ${grew.toFixed(1)} MB above the start`,
      value: grew,
      unit: 'MB',
      goal: { atMost: 64 },
      samples: { growth: [grew] },
    },
    {
      ...base,
      what: 'event loop delay during 1,000 downloads, p99',
      ours: `p99 ${loop.p99.toFixed(1)} ms`,
      value: loop.p99,
      unit: 'ms',
      spread: `p50 ${loop.p50.toFixed(1)} ms, longest ${loop.max.toFixed(1)} ms`,
      goal: { atMost: 50 },
      samples: { p99: [loop.p99], longest: [loop.max] },
    },
  ];
}

function speedOf({ mbps, firstByteMs }: PacedAnswer): Pick<Line, 'ours' | 'value' | 'spread' | 'samples'> {
  const [slowest, fastest] = [Math.min(...mbps), Math.max(...mbps)];
  return {
    ours: `median ${median(mbps).toFixed(2)} Mbps, first byte after ${Math.round(median(firstByteMs))} ms`,
    value: Math.max(...mbps.map((each) => Math.abs(each / planMbps - 1) * 100)),
    spread: `${slowest.toFixed(2)}–${fastest.toFixed(2)} Mbps, first byte after ${Math.round(Math.max(...firstByteMs))} ms at most`,
    samples: { mbps: mbps.map((each) => Math.round(each * 1000) / 1000) },
  };
}
