import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../test/harness/virtual-clients.ts';
import { hours } from '../lib/clock.ts';
import { createPreviewBursts, type PreviewBursts } from './preview-bursts.ts';
import { openThrottle, type Throttle } from './throttle.ts';

const burstBytes = 3_000_000;
/** Bytes per second of a Free file. */
const free = 500_000;

const downloadOf =
  (world: World, throttle: Throttle, bursts: PreviewBursts | null) =>
  (client = '10.0.0.1', file = 'a') =>
    world.download(() => throttle.open(client, file, standardPlans.free, bursts?.of(client, file)));

test('a preview gets its burst at once, and then the speed of the plan', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const download = downloadOf(world, throttle, createPreviewBursts(burstBytes, world));
  const preview = download();
  world.run(100);
  expect(preview.sent).toBeGreaterThanOrEqual(burstBytes);
  expect(preview.sent).toBeLessThan(burstBytes + 2 * free * 0.25);
  world.run(10_000);
  expect((preview.sent - burstBytes) / (free * 10.1)).toBeCloseTo(1, 1);
});

test('no hour has more than one burst, however a client spreads and repeats its requests', () => {
  const world = openWorld();
  const bursts = createPreviewBursts(burstBytes, world);
  const taken: [at: number, bytes: number][] = [];
  const step = hours(1) / 12;
  const pauses = [1, 2, 11, 12, 13];
  for (let at = 0; at < 200; at += 1) {
    const burst = bursts.of('10.0.0.1', 'a');
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
  const bursts = createPreviewBursts(burstBytes, world);
  const before = bursts.of('10.0.0.1', 'a');
  world.run(hours(1));
  expect(bursts.of('10.0.0.1', 'a')?.level()).toBe(burstBytes);
  expect(before?.level()).toBe(0);
});

test('bytes that were granted and not sent are given back to the burst', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const bursts = createPreviewBursts(burstBytes, world);
  using pace = throttle.open('10.0.0.1', 'a', standardPlans.free, bursts.of('10.0.0.1', 'a'));
  let granted = 0;
  pace?.queue(10_000, (bytes) => (granted = bytes));
  expect(granted).toBe(10_000);
  pace?.giveBack(4_000);
  expect(bursts.of('10.0.0.1', 'a')?.level()).toBe(burstBytes - 6_000);
  expect(pace?.takeAtOnce(burstBytes - 6_000)).toBe(true);
  expect(bursts.of('10.0.0.1', 'a')?.level()).toBe(0);
});

test('while too many pairs are remembered, others have no burst', () => {
  const world = openWorld();
  const bursts = createPreviewBursts(burstBytes, world, 2);
  expect(['a', 'b', 'c'].map((file) => bursts.of('10.0.0.1', file)?.level())).toEqual([
    burstBytes,
    burstBytes,
    undefined,
  ]);
  expect(bursts.of('10.0.0.1', 'a')).not.toBeNull();
  world.run(hours(1));
  expect(bursts.of('10.0.0.1', 'c')?.level()).toBe(burstBytes);
});
