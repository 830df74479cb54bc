import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../test/harness/virtual-clients.ts';
import { hours } from '../lib/clock.ts';
import { createDownloadBursts, type DownloadBursts } from './download-bursts.ts';
import { openThrottle, type Throttle } from './throttle.ts';

const burstBytes = 3_000_000;
/** Bytes per second of a Free file. */
const free = 500_000;

const downloadOf =
  (world: World, throttle: Throttle, bursts: DownloadBursts | null) =>
  (start = 0, times = 1) =>
    world.download(() => throttle.open('10.0.0.1', 'a', standardPlans.free, bursts?.of('10.0.0.1', 'a', start, times)));

test('a download gets its first bytes at once, and then the speed of the plan', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const download = downloadOf(world, throttle, createDownloadBursts(burstBytes, world));
  const first = download();
  world.run(100);
  expect(first.sent).toBeGreaterThanOrEqual(burstBytes);
  expect(first.sent).toBeLessThan(burstBytes + 2 * free * 0.25);
  world.run(10_000);
  expect((first.sent - burstBytes) / (free * 10.1)).toBeCloseTo(1, 1);
});

test('another connection and a second download get no further burst', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const download = downloadOf(world, throttle, createDownloadBursts(burstBytes, world));
  const both = [download(), download()];
  world.run(5_000);
  for (const client of both) client.stop();
  const again = download();
  world.run(5_000);
  const sent = [...both, again].reduce((sum, client) => sum + client.sent, 0);
  expect((sent - burstBytes) / (free * 10)).toBeCloseTo(1, 1);
});

test('a response that begins later in the file gets only the rest of its first bytes', () => {
  const bursts = createDownloadBursts(burstBytes, openWorld());
  const late = bursts.of('10.0.0.1', 'a', burstBytes - 1_000);
  expect(late?.level()).toBe(1_000);
  late?.take(1_000);
  expect(late?.level()).toBe(0);
  expect(bursts.of('10.0.0.1', 'a', 0)?.level()).toBe(burstBytes - 1_000);
  expect(bursts.of('10.0.0.1', 'a', burstBytes)).toBeNull();
});

test('a preview gets four times as much, less what the same address has taken', () => {
  const bursts = createDownloadBursts(burstBytes, openWorld());
  bursts.of('10.0.0.1', 'a', 0)?.take(burstBytes);
  expect(bursts.of('10.0.0.1', 'a', 0, 4)?.level()).toBe(3 * burstBytes);
});

test('no hour has more than one burst, however a client spreads and repeats its requests', () => {
  const world = openWorld();
  const bursts = createDownloadBursts(burstBytes, world);
  const taken: [at: number, bytes: number][] = [];
  const step = hours(1) / 12;
  const pauses = [1, 2, 11, 12, 13];
  for (let at = 0; at < 200; at += 1) {
    const burst = bursts.of('10.0.0.1', 'a', 0);
    // Small pieces at first, and pauses of nearly an hour, exactly an hour and more.
    const bytes = Math.min(burst?.level() ?? 0, at % 7 === 0 ? burstBytes : 300_000);
    if (bytes > 0) {
      burst?.take(bytes);
      taken.push([world.now(), bytes]);
    }
    world.run(step * (pauses[at % pauses.length] ?? 1));
  }
  expect(taken.length).toBeGreaterThan(10);
  for (const [from] of taken) {
    const inHour = taken.filter(([at]) => at >= from && at < from + hours(1));
    expect(inHour.reduce((sum, [, bytes]) => sum + bytes, 0)).toBeLessThanOrEqual(burstBytes);
  }
});

test('a response that holds the burst of an earlier hour gets nothing of it beside the next', () => {
  const world = openWorld();
  const bursts = createDownloadBursts(burstBytes, world);
  const before = bursts.of('10.0.0.1', 'a', 0);
  before?.take(1);
  world.run(hours(1));
  expect(bursts.of('10.0.0.1', 'a', 0)?.level()).toBe(burstBytes);
  expect(before?.level()).toBe(0);
});

test('bytes that were granted and not sent are given back to the burst', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const bursts = createDownloadBursts(burstBytes, world);
  using pace = throttle.open('10.0.0.1', 'a', standardPlans.free, bursts.of('10.0.0.1', 'a', 0));
  let granted = 0;
  pace?.queue(10_000, (bytes) => (granted = bytes));
  expect(granted).toBe(10_000);
  pace?.giveBack(4_000);
  expect(bursts.of('10.0.0.1', 'a', 0)?.level()).toBe(burstBytes - 6_000);
  expect(pace?.takeAtOnce(burstBytes - 6_000)).toBe(true);
  expect(bursts.of('10.0.0.1', 'a', 0)?.level()).toBe(0);
});

test('while too many pairs are remembered, others have no burst', () => {
  const world = openWorld();
  const bursts = createDownloadBursts(burstBytes, world, 2);
  const of = (file: string) => bursts.of('10.0.0.1', file, 0);
  for (const file of ['a', 'b', 'c']) of(file)?.take(1);
  expect(['a', 'b', 'c'].map((file) => of(file)?.level())).toEqual([burstBytes - 1, burstBytes - 1, undefined]);
  world.run(hours(1));
  expect(of('c')?.level()).toBe(burstBytes);
});
