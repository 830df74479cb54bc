import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { linkPeers } from '../../test/harness/linked-peers.ts';
import { openWorld, type VirtualClient, type World } from '../../test/harness/virtual-clients.ts';
import { openThrottle, planSpeed, type Throttle } from './throttle.ts';

const plan = standardPlans.free;
const speed = planSpeed(plan);

function openProcesses(count: number) {
  const world = openWorld();
  const peers = linkPeers(world, count);
  const throttles = peers.map((one) => openThrottle(null, world, one));
  const download = (throttle: Throttle | undefined, client = '10.0.0.1', lineSpeed?: number) =>
    world.download(() => throttle?.open(client, 'file', plan) ?? null, lineSpeed);
  return { world, peers, throttles, download };
}

/** Returns the part of the plan's speed that clients have together during some milliseconds. */
function partOf(world: World, clients: readonly VirtualClient[], ms: number): number {
  const total = () => clients.reduce((sum, { sent }) => sum + sent, 0);
  const before = total();
  world.run(ms);
  return (total() - before) / ((speed * ms) / 1_000);
}

test.each([2, 3, 10])(
  'on %i processes a client has the speed of one, give or take a twentieth, after two seconds',
  (count) => {
    const { world, throttles, download } = openProcesses(count);
    const clients = throttles.map((throttle) => download(throttle));
    world.run(2_000);
    expect(partOf(world, clients, 10_000)).toBeCloseTo(1, 1);
    for (const client of clients) expect(partOf(world, [client], 5_000)).toBeCloseTo(1 / count, 1);
  },
);

test.each([2, 3, 10])('%i processes that begin at once send less than a second more for each further one', (count) => {
  const { world, throttles, download } = openProcesses(count);
  const clients = throttles.map((throttle) => download(throttle));
  expect((partOf(world, clients, 5_000) - 1) * 5).toBeLessThan(count - 1);
});

test('each connection has the same part, whatever process it is on', () => {
  const { world, throttles, download } = openProcesses(2);
  const one = download(throttles[0]);
  const three = Array.from({ length: 3 }, () => download(throttles[1]));
  world.run(2_000);
  for (const client of [one, ...three]) expect(partOf(world, [client], 5_000)).toBeCloseTo(0.25, 1);
});

test('a process that begins later takes its part within a second, and gives it back when it ends', () => {
  const { world, throttles, download } = openProcesses(2);
  const first = download(throttles[0]);
  world.run(5_000);
  const late = download(throttles[1]);
  world.run(1_500);
  expect(partOf(world, [late], 2_000)).toBeCloseTo(0.5, 1);
  late.stop();
  world.run(2_200);
  expect(partOf(world, [first], 5_000)).toBeCloseTo(1, 1);
});

test('a connection whose client takes nothing leaves its part to those on other processes', () => {
  const { world, throttles, download } = openProcesses(2);
  const reader = download(throttles[0]);
  download(throttles[1], '10.0.0.1', 1);
  world.run(4_000);
  expect(partOf(world, [reader], 5_000)).toBeCloseTo(1, 1);
});

test('other clients are not slowed', () => {
  const { world, throttles, download } = openProcesses(2);
  const clients = [download(throttles[0], '10.0.0.1'), download(throttles[1], '10.0.0.2')];
  world.run(2_000);
  for (const client of clients) expect(partOf(world, [client], 5_000)).toBeCloseTo(1, 1);
});

test('the last process has the full speed again', () => {
  const { world, peers, throttles, download } = openProcesses(2);
  const [first] = throttles.map((throttle) => download(throttle));
  world.run(3_000);
  peers[1]?.end();
  world.run(2_000);
  expect(partOf(world, first ? [first] : [], 5_000)).toBeCloseTo(1, 1);
});
