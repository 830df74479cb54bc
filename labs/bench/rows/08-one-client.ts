import { join } from 'node:path';
import { type PlanLevel, unlimitedMbps, standardPlans } from '@holdfast/contract/src/plans.ts';
import type { PacedAnswer, PacedOrders } from '../clients/paced.ts';
import { runClient } from '../harness/children.ts';
import { type Holdfast, startHoldfast } from '../harness/holdfast.ts';
import { MB } from '../harness/payload.ts';
import type { Line, Row } from '../harness/row.ts';
import { type StoredFile, storeFile } from '../harness/stored-file.ts';

const connections = 8;
/** More bytes than each plan's speed transfers in the time. */
const sizes = { free: 100 * MB, starter: 100 * MB, basic: 200 * MB, advanced: 500 * MB, power: 500 * MB };

export const oneClient: Row = {
  number: 8,
  title: 'one client, 8 connections, one file, without DOWNLOAD_BURST',
  async run({ quick, folder }) {
    await using server = await startHoldfast(join(folder, 'data'), { DOWNLOAD_BURST: '0' });
    const files: Partial<Record<PlanLevel, StoredFile>> = {};
    for (const level of ['free', 'starter', 'basic', 'advanced', 'power'] as const)
      files[level] = await storeFile(folder, server, level, sizes[level]);
    const seconds = quick ? 4 : 10;
    const run = (level: PlanLevel) => runOn(server, files[level], level, seconds);
    // Together they transfer less than 50 MB a second, and each has its own bucket.
    const throttled = await Promise.all((['free', 'starter', 'basic', 'advanced'] as const).map(run));
    return [...throttled, await run('power')];
  },
};

async function runOn(server: Holdfast, file: StoredFile | undefined, level: PlanLevel, seconds: number): Promise<Line> {
  if (!file) throw new Error(`unreachable: the file of ${level} is stored`);
  const share = Math.ceil(file.size / connections);
  const orders: PacedOrders = {
    url: server.url + new URL(file.link).pathname,
    payload: file.path,
    seconds,
    connections: Array.from({ length: connections }, (_, at) => ({
      localAddress: '127.0.0.1',
      range: [at * share, Math.min(file.size, (at + 1) * share) - 1],
    })),
  };
  const answer = await runClient<PacedAnswer>('paced-downloads', orders);
  if (answer.statuses['206'] !== connections) throw new Error(`the answers were ${JSON.stringify(answer.statuses)}`);
  return lineOf(level, answer, seconds);
}

function lineOf(level: PlanLevel, { mbps, totalMbps }: PacedAnswer, seconds: number): Line {
  const planMbps = standardPlans[level].maxDownloadMbps;
  const line = {
    ours: `${totalMbps.toFixed(2)} Mbps`,
    spread: `${Math.min(...mbps).toFixed(2)}–${Math.max(...mbps).toFixed(2)} Mbps on one connection`,
    checked: 'every byte that arrived was compared with the file',
    samples: { total: [totalMbps], connections: mbps },
  };
  if (planMbps === unlimitedMbps)
    return {
      ...line,
      what: `one client, 8 connections, plan ${level}: not held back`,
      moved: 'the whole file in 8 ranges',
      against: `${unlimitedMbps} Mbps, the number that stands for unlimited`,
      value: totalMbps / unlimitedMbps,
      unit: '×',
      goal: { atLeast: 1 },
    };
  return {
    ...line,
    what: `one client, 8 connections, plan ${level}: off the plan speed in total`,
    moved: `8 ranges for ${seconds} s`,
    against: `plan speed ${planMbps} Mbps`,
    value: Math.abs(totalMbps / planMbps - 1) * 100,
    unit: '%',
    goal: { atMost: 5 },
  };
}
