/** The speed of a plan, and of the uplink, when several processes serve one client. */
import { randomBytes } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { noMail, type OneOfSeveral, startSeveral } from '../harness/several-processes.ts';
import { formWith, sendForm, storedNameOf } from '../harness/uploads.ts';

/** Bytes per second of the Free plan. */
const freeSpeed = 500_000;
const uplinkMbps = 16;
/** Most of it is measuring; a busy machine takes a minute more to start three processes. */
const slow = { timeout: 240_000 };

interface Download {
  bytes: number;
  stop(): void;
}

/** Downloads again and again until it is stopped. */
function download({ url }: OneOfSeveral, path: string, client = '203.0.113.1'): Download {
  const stopping = new AbortController();
  const state = { bytes: 0, stop: () => stopping.abort() };
  const headers = { 'X-Forwarded-For': client };
  const run = async () => {
    for (;;) {
      const answer = await fetch(url + path, { signal: stopping.signal, headers });
      for await (const chunk of answer.body ?? []) state.bytes += chunk.length;
    }
  };
  run().catch(() => {});
  return state;
}

async function startWithFile(plan: PlanLevel, environment: Readonly<Record<string, string>> = {}) {
  const { processes, context } = await startSeveral(3, environment);
  const [first] = processes;
  if (!first) throw new Error('there is no process');
  const ann = await signUpAndIn({ url: first.url, mail: noMail, context }, { plan });
  const { url } = await sendForm(first, ann, formWith(new Uint8Array(randomBytes(20_000_000)), 'large.zip'));
  return { processes, path: `/file/${storedNameOf(url)}` };
}

/** Returns the bytes per second of all downloads together, during some seconds. */
async function speedOf(downloads: readonly Download[], ms: number): Promise<number> {
  const total = () => downloads.reduce((sum, { bytes }) => sum + bytes, 0);
  const [before, startedAt] = [total(), performance.now()];
  await wait(ms);
  return (total() - before) / ((performance.now() - startedAt) / 1_000);
}

test(
  'one client downloads a Free file through three processes at the speed of one, also when one is killed',
  slow,
  async () => {
    const { processes, path } = await startWithFile('free');
    const downloads = processes.map((node) => download(node, path));
    // What they send before they know of each other is bounded, too.
    const inAll = await speedOf(downloads, 10_000);
    expect(inAll / freeSpeed).toBeLessThan(1.3);
    expect(inAll / freeSpeed).toBeGreaterThan(0.6);
    const afterwards = await speedOf(downloads, 6_000);
    expect(afterwards / freeSpeed).toBeLessThan(1.15);
    expect(afterwards / freeSpeed).toBeGreaterThan(0.6);

    await processes[2]?.[Symbol.asyncDispose]();
    const left = downloads.slice(0, 2);
    await expect.poll(() => speedOf(left, 3_000), { timeout: 30_000 }).toBeGreaterThan(freeSpeed * 0.85);
    expect(await speedOf(left, 5_000)).toBeLessThan(freeSpeed * 1.15);
    for (const each of downloads) each.stop();
  },
);

test('three processes of one region share the uplink', async () => {
  const { processes, path } = await startWithFile('power', { EGRESS_MBPS: String(uplinkMbps) });
  const downloads = processes.map((node, at) => download(node, path, `203.0.113.${at}`));
  await wait(3_000);
  const inAll = await speedOf(downloads, 8_000);
  expect(inAll / (uplinkMbps * 125_000)).toBeLessThan(1.15);
  expect(inAll / (uplinkMbps * 125_000)).toBeGreaterThan(0.5);
  for (const each of downloads) each.stop();
});
