import { type PlanLevel, planLevels, standardPlans, unlimitedMbps } from '@holdfast/contract/src/plans.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type OpenPace, openThrottle } from './throttle.ts';
import { openWorld } from '../../test/harness/virtual-clients.ts';

const limited = planLevels.filter((level) => standardPlans[level].maxDownloadMbps < unlimitedMbps);
const bytesPerSecond = (level: PlanLevel) => standardPlans[level].maxDownloadMbps * 125_000;

test.each(limited.flatMap((level) => [1, 2, 8].map((connections) => [level, connections] as const)))(
  'a %s file on %i connections has its speed over 10 seconds, within 5 %%',
  (level, connections) => {
    const world = openWorld();
    using throttle = openThrottle(world);
    const clients = Array.from({ length: connections }, () => world.download(() => openPace(throttle, level)));
    world.run(10_000);
    const total = clients.reduce((sum, { sent }) => sum + sent, 0);
    expect(total / (bytesPerSecond(level) * 10)).toBeGreaterThan(0.95);
    expect(total / (bytesPerSecond(level) * 10)).toBeLessThan(1.05);
  },
);

test.each(limited)('a %s file is sent smoothly: each quarter of a second carries a similar share', (level) => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const client = world.download(() => openPace(throttle, level));
  world.run(1_000);
  for (let quarter = 0; quarter < 20; quarter += 1) {
    const before = client.sent;
    world.run(250);
    const share = (client.sent - before) / (bytesPerSecond(level) / 4);
    expect(share).toBeGreaterThan(0.45);
    expect(share).toBeLessThan(1.55);
  }
});

test('each client and each file has its own bucket', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  const pairs = [
    ['10.0.0.1', 'a'],
    ['10.0.0.2', 'a'],
    ['10.0.0.1', 'b'],
  ] as const;
  const clients = pairs.map(([client, file]) => world.download(() => openPace(throttle, 'free', client, file)));
  world.run(10_000);
  for (const { sent } of clients) expect(sent / (bytesPerSecond('free') * 10)).toBeCloseTo(1, 1);
});

test.each([7, 64])('the first bytes are sent at once, also beside %i other connections', (others) => {
  const world = openWorld();
  using throttle = openThrottle(world);
  for (let other = 0; other < others; other += 1) world.download(() => openPace(throttle, 'free'));
  world.run(3_000);
  const late = world.download(() => openPace(throttle, 'free'));
  world.run(30);
  expect(late.sent).toBeGreaterThan(0);
});

test('a client that leaves in debt and reconnects a second later still has the debt', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const world = openWorld();
  using throttle = openThrottle(world);
  // Each first piece is granted until the debt reaches a quarter of a second.
  const grantedTo = (wanted: number) => {
    using pace = openPace(throttle, 'free');
    let granted = 0;
    pace.queue(wanted, (bytes) => (granted = bytes));
    return granted;
  };
  while (grantedTo(8 * 1024) > 0);
  vi.advanceTimersByTime(1_000);
  expect(grantedTo(8 * 1024)).toBe(0);
});

test('when a waiting response ends, the responses behind it advance', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  using large = openPace(throttle, 'free');
  using small = openPace(throttle, 'free');
  let granted = 0;
  const grant = (bytes: number) => (granted += bytes);
  large.queue(256 * 1024, grant);
  small.queue(1, grant);
  const before = granted;
  const leave = large.queue(256 * 1024, grant);
  small.queue(1, grant);
  world.run(5);
  expect(granted).toBe(before);
  leave();
  expect(granted).toBe(before + 1);
});

test('a small file is sent in one piece only when the bucket holds that much', () => {
  const world = openWorld();
  using throttle = openThrottle(world);
  using pace = openPace(throttle, 'free');
  expect(pace.takeAtOnce(10_000)).toBe(true);
  expect(pace.takeAtOnce(50_000)).toBe(false);
  expect(pace.takeAtOnce(40_000)).toBe(true);
  world.run(10);
  expect(pace.takeAtOnce(5_001)).toBe(false);
});

test('an unlimited plan is not throttled', () => {
  using throttle = openThrottle();
  expect(throttle.open('10.0.0.1', 'file', standardPlans.power)).toBeNull();
});

function openPace(
  throttle: ReturnType<typeof openThrottle>,
  level: PlanLevel,
  client = '10.0.0.1',
  file = 'file',
): OpenPace {
  const pace = throttle.open(client, file, standardPlans[level]);
  if (!pace) throw new Error(`${level} is not limited`);
  return pace;
}
