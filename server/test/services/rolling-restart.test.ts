/** Servers behind the documented nginx that are restarted, or hand over to new workers, while people use the service. */
import { readFile } from 'node:fs/promises';
import { startPostgres } from '@holdfast/test-support/start-postgres.ts';
import { expect, onTestFinished, test } from 'vitest';
import { type Service, startService } from '../harness/real-process.ts';
import { callThrough, more, openNodes, patient, restartInTurn, startNginxFor } from './nodes-behind-nginx.ts';

test('no call fails while three nodes are restarted one after the other', { timeout: 300_000 }, async () => {
  await using postgres = await startPostgres();
  const nodes = await openNodes(3, `${postgres.url}/postgres`);
  const services: Service[] = [];
  onTestFinished(async () => void (await Promise.all(services.map((service) => service.kill()))));
  for (const node of nodes) services.push(await startService(node));
  const [first] = nodes;
  if (!first) throw new Error('there is no node');
  await using nginx = await startNginxFor(nodes);
  const calls = await callThrough(nginx, first);
  await restartInTurn(nodes, services, calls);
  await calls.stop();
  expect(calls.failed).toEqual([]);
});

test('no call fails while new workers take over behind nginx', { timeout: 300_000 }, async () => {
  await using postgres = await startPostgres();
  const [node] = await openNodes(1, `${postgres.url}/postgres`);
  if (!node) throw new Error('there is no node');
  const service = await startService(node, { WORKERS: '2' });
  onTestFinished(() => service.kill());
  await using nginx = await startNginxFor([node]);
  const calls = await callThrough(nginx, node);
  const handovers = async () =>
    (await readFile(node.logPath, 'utf8')).split('the new workers have taken over').length - 1;
  for (const times of [1, 2]) {
    await more(calls, 200);
    process.kill(service.pid, 'SIGHUP');
    await expect.poll(handovers, patient).toBe(times);
  }
  await more(calls, 200);
  await calls.stop();
  expect(calls.failed).toEqual([]);
  expect(nginx.log.filter((line) => line.includes('Connection refused'))).toEqual([]);
});
