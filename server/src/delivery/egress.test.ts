import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { expect, test } from 'vitest';
import { adjustEveryMs, createEgress } from './egress.ts';
import { openThrottle } from './throttle.ts';
import { openWorld, type VirtualClient } from './virtual-clients.ts';

/** An uplink with people behind it, each at an address of their own. */
function openUplink(mbps: number) {
  const world = openWorld();
  const egress = createEgress(mbps, world.now);
  const throttle = openThrottle(egress, world.now);
  world.every(adjustEveryMs, () => egress.adjust());
  let people = 0;
  return {
    world,
    join: (level: PlanLevel, count: number, lineMbps = Infinity): VirtualClient[] =>
      Array.from({ length: count }, () =>
        world.download(() => throttle.open(`client ${(people += 1)}`, 'file', level), lineMbps * 125_000),
      ),
    /** Mbps of all of them together over the next seconds. */
    measure(clients: readonly VirtualClient[], seconds = 5): number {
      const before = clients.reduce((sum, { sent }) => sum + sent, 0);
      world.run(seconds * 1_000);
      return (clients.reduce((sum, { sent }) => sum + sent, 0) - before) / seconds / 125_000;
    },
    [Symbol.dispose]: () => throttle[Symbol.dispose](),
  };
}

test('with room to spare everybody has the speed of their plan', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 5), uplink.join('starter', 2)];
  uplink.world.run(3_000);
  expect(uplink.measure([...free]) / 20).toBeCloseTo(1, 1);
  expect(uplink.measure([...starter]) / 40).toBeCloseTo(1, 1);
});

test('when the load nears the capacity Free shrinks and the others do not', () => {
  using uplink = openUplink(100);
  const [free, starter, basic] = [uplink.join('free', 15), uplink.join('starter', 2), uplink.join('basic', 0)];
  uplink.world.run(6_000);
  // 60 Mbps of Free and 40 of Starter: 95 is what is aimed at.
  const [ofFree, ofStarter] = [uplink.measure([...free, ...basic]), uplink.measure(starter)];
  expect(ofStarter).toBeGreaterThan(38);
  expect(ofFree).toBeGreaterThan(48);
  expect(ofFree).toBeLessThan(58);
});

test('Free keeps a tenth at the least, and then the next plan shrinks', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 25), uplink.join('starter', 10)];
  uplink.world.run(10_000);
  const [ofFree, ofStarter] = [uplink.measure(free), uplink.measure(starter)];
  expect(ofFree / 10).toBeCloseTo(1, 0);
  expect(ofStarter).toBeGreaterThan(75);
  expect(ofStarter).toBeLessThan(92);
});

test('however many there are, the load stays near the capacity and does not swing', () => {
  using uplink = openUplink(200);
  const everybody = [uplink.join('free', 100), uplink.join('starter', 30), uplink.join('basic', 3)].flat();
  uplink.world.run(12_000);
  for (let second = 0; second < 8; second += 1) {
    const load = uplink.measure(everybody, 1);
    expect(load).toBeGreaterThan(165);
    expect(load).toBeLessThan(206);
  }
});

test('an unlimited plan shrinks last, when it alone would fill the uplink', () => {
  using uplink = openUplink(100);
  const [free, power] = [uplink.join('free', 5), uplink.join('power', 2, 80)];
  uplink.world.run(15_000);
  const [ofFree, ofPower] = [uplink.measure(free), uplink.measure(power)];
  expect(ofFree).toBeLessThan(4);
  expect(ofPower).toBeGreaterThan(80);
  expect(ofPower).toBeLessThan(104);
});

test.each([1, 4, 40])('%i on an unlimited plan fill the uplink, and neither flood nor starve it', (people) => {
  using uplink = openUplink(100);
  const power = uplink.join('power', people);
  expect(uplink.measure(power, 1)).toBeLessThan(112);
  uplink.world.run(4_000);
  for (let half = 0; half < 30; half += 1) {
    const load = uplink.measure(power, 0.5);
    expect(load).toBeGreaterThan(70);
    expect(load).toBeLessThan(105);
  }
});

test('however suddenly somebody comes, the uplink is not flooded, and the better plans recover soon', () => {
  using uplink = openUplink(40);
  const [free, starter] = [uplink.join('free', 6), uplink.join('starter', 1)];
  uplink.world.run(5_000);
  const everybody = [...free, ...starter, ...uplink.join('basic', 1), ...uplink.join('power', 1)];
  for (let second = 0; second < 10; second += 1) expect(uplink.measure(everybody, 1)).toBeLessThan(45);
  expect(uplink.measure(free)).toBeLessThan(4);
});

test('speeds recover by themselves once there is room, the better plans first', () => {
  using uplink = openUplink(100);
  const [free, starter, basic] = [uplink.join('free', 10), uplink.join('starter', 3), uplink.join('basic', 1)];
  uplink.world.run(12_000);
  expect(uplink.measure(free)).toBeLessThan(8);
  for (const client of basic) client.stop();
  uplink.world.run(6_000);
  expect(uplink.measure(starter)).toBeGreaterThan(54);
  for (const client of starter) client.stop();
  uplink.world.run(6_000);
  expect(uplink.measure(free) / 40).toBeCloseTo(1, 1);
});

test('when there is little to give back, the better plan has it', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 25), uplink.join('starter', 10)];
  uplink.world.run(10_000);
  for (const client of free.slice(10)) client.stop();
  uplink.world.run(8_000);
  // 6 Mbps of room: Free stays at a tenth of its speed, and Starter takes them.
  expect(uplink.measure(free.slice(0, 10))).toBeLessThan(5);
  expect(uplink.measure(starter)).toBeGreaterThan(87);
});
