/** Three servers on PostgreSQL and an S3 store, behind the documented nginx, of which one part after the other fails. */
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { expect, onTestFinished, test } from 'vitest';
import type { Place } from '../../server/test/harness/place.ts';
import { type Service, startService } from '../../server/test/harness/real-process.ts';
import type { SteadyCalls } from '../../server/test/harness/steady-calls.ts';
import {
  callThrough,
  more,
  openNodes,
  restartInTurn,
  startNginxFor,
} from '../../server/test/services/nodes-behind-nginx.ts';
import { bucket, rgw } from '../../server/test/services/s3-engine.ts';
import { programEnvironment } from '@holdfast/test-support/program-environment.ts';

/** Milliseconds. */
const storeAway = 30_000;
/** Milliseconds without a failed call, after which a fault counts as over. */
const calm = 3_000;
/** Milliseconds. Recovery without a hand ends a fault; how soon depends on the machine, and is printed. */
const patience = 600_000;
/** Failures that a fault may cause: these responses of nginx and the servers, and connections that were cut. */
const excused = /: Error: (50[234] |socket hang up|read ECONNRESET|write EPIPE)/;

interface Fault {
  readonly what: string;
  readonly seconds: number;
  readonly failed: number;
  /** Seconds from its end to the last call that failed. */
  readonly recoveredAfter: number;
}

async function during(what: string, calls: SteadyCalls, fault: () => Promise<void>): Promise<Fault> {
  await more(calls, 100);
  const [before, start] = [calls.failed.length, performance.now()];
  await fault();
  const end = performance.now();
  await expect
    .poll(() => performance.now() - Math.max(end, calls.failedAt), { timeout: patience, interval: 100 })
    .toBeGreaterThan(calm);
  const failed = calls.failed.slice(before);
  expect(failed.filter((sentence) => !excused.test(sentence))).toEqual([]);
  const seconds = (ms: number) => Math.round(ms / 100) / 10;
  return {
    what,
    seconds: seconds(end - start),
    failed: failed.length,
    recoveredAfter: seconds(Math.max(0, calls.failedAt - end)),
  };
}

async function scrub(place: Place): Promise<string> {
  const entry = fileURLToPath(new URL('../../cli/src/holdfast.ts', import.meta.url));
  const env = { ...programEnvironment, ...place.environment };
  return (await promisify(execFile)(process.execPath, [entry, 'fsck', '--scrub'], { env })).stdout;
}

test('no acknowledged upload is lost and no byte is wrong, whichever part fails', { timeout: 3_600_000 }, async () => {
  await using postgres = await startPostgres();
  const nodes = await openNodes(3, `${postgres.url}/postgres`, {
    BLOBS_URL: `s3://${bucket}/fleet?endpoint=${rgw.endpoint}&region=us-east-1`,
    ...rgw.credentials,
  });
  const services: Service[] = [];
  onTestFinished(async () => void (await Promise.all(services.map((service) => service.kill()))));
  for (const node of nodes) services.push(await startService(node));
  const [first, second] = nodes;
  if (!first || !second) throw new Error('there are three nodes');
  await using nginx = await startNginxFor(nodes);
  const calls = await callThrough(nginx, first, 8);
  const faults: Fault[] = [];
  for (const time of ['first', 'second', 'third'])
    faults.push(
      await during(`PostgreSQL is restarted for the ${time} time`, calls, async () => {
        await postgres.stop();
        await postgres.start();
      }),
    );
  faults.push(
    await during('the store is stopped', calls, async () => {
      await rgw.stop();
      await wait(storeAway);
      await rgw.start();
    }),
    await during('a node is killed', calls, async () => services[1]?.kill()),
    await during('it is started again', calls, async () => void (services[1] = await startService(second))),
  );
  const rolling = await during('all nodes are restarted in turn', calls, () => restartInTurn(nodes, services, calls));
  await calls.stop();
  const kept = await calls.checkAll();
  console.log(calls.done, [...faults, rolling], `${kept.files} files`);
  expect(kept.wrong).toEqual([]);
  expect(rolling.failed).toBe(0);
  expect(await scrub(first)).toContain('all is well');
});
