import { type PlanLevel, planLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createEgress } from './egress.ts';
import { openThrottle, planSpeed } from './throttle.ts';
import { openWorld, type VirtualClient } from '../../test/harness/virtual-clients.ts';

/** An uplink with clients behind it, each at its own address. */
function openUplink(mbps: number) {
  const world = openWorld();
  const egress = createEgress(mbps, world);
  const throttle = openThrottle(egress, world);
  let people = 0;
  const sentBy = (clients: readonly VirtualClient[]) => clients.reduce((sum, { sent }) => sum + sent, 0);
  const openPace = (level: PlanLevel, client = `client ${(people += 1)}`) => {
    const pace = throttle.open(client, 'file', standardPlans[level]);
    if (!pace) throw new Error(`${level} is not limited`);
    return pace;
  };
  return {
    world,
    openPace,
    /** Opens one more connection of one and the same client. */
    openShared: (level: PlanLevel) => openPace(level, 'shared client'),
    join: (level: PlanLevel, count: number, lineMbps = Infinity): VirtualClient[] =>
      Array.from({ length: count }, () => world.download(() => openPace(level), lineMbps * 125_000)),
    /** Combined speed of the clients over the next seconds, in Mbps. */
    measure(clients: readonly VirtualClient[], seconds = 5): number {
      const before = sentBy(clients);
      world.run(seconds * 1_000);
      return (sentBy(clients) - before) / seconds / 125_000;
    },
    /** Milliseconds until a new client may receive a file of four bytes. */
    firstByte(level: PlanLevel): number {
      const asked = world.now();
      using pace = openPace(level);
      const granted: number[] = [];
      const leave = pace.queue(4, () => granted.push(world.now()));
      while (granted.length === 0 && world.now() < asked + 60_000) world.run(1);
      leave();
      return (granted[0] ?? Infinity) - asked;
    },
    [Symbol.dispose]() {
      throttle[Symbol.dispose]();
      egress[Symbol.dispose]();
    },
  };
}

test('with spare capacity every client has the speed of its plan', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 5), uplink.join('starter', 2)];
  uplink.world.run(3_000);
  expect(uplink.measure([...free]) / 20).toBeCloseTo(1, 1);
  expect(uplink.measure([...starter]) / 40).toBeCloseTo(1, 1);
});

test('when the load nears the capacity, Free is slowed and the other plans are not', () => {
  using uplink = openUplink(100);
  const [free, starter, basic] = [uplink.join('free', 15), uplink.join('starter', 2), uplink.join('basic', 0)];
  uplink.world.run(6_000);
  // 60 Mbps of Free and 40 of Starter: the target is 95.
  const [ofFree, ofStarter] = [uplink.measure([...free, ...basic]), uplink.measure(starter)];
  expect(ofStarter).toBeGreaterThan(38);
  expect(ofFree).toBeGreaterThan(48);
  expect(ofFree).toBeLessThan(58);
});

test('Free keeps at least a tenth of its speed, and then the next plan is slowed', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 25), uplink.join('starter', 10)];
  uplink.world.run(10_000);
  const [ofFree, ofStarter] = [uplink.measure(free), uplink.measure(starter)];
  expect(ofFree / 10).toBeCloseTo(1, 0);
  expect(ofStarter).toBeGreaterThan(75);
  expect(ofStarter).toBeLessThan(92);
});

test('with 133 clients the load is steady near the capacity', () => {
  using uplink = openUplink(200);
  const everybody = [uplink.join('free', 100), uplink.join('starter', 30), uplink.join('basic', 3)].flat();
  uplink.world.run(12_000);
  for (let second = 0; second < 8; second += 1) {
    const load = uplink.measure(everybody, 1);
    expect(load).toBeGreaterThan(165);
    expect(load).toBeLessThan(206);
  }
});

test('an unlimited plan is slowed last, when it alone would fill the uplink', () => {
  using uplink = openUplink(100);
  const [free, power] = [uplink.join('free', 5), uplink.join('power', 2, 80)];
  uplink.world.run(15_000);
  const [ofFree, ofPower] = [uplink.measure(free), uplink.measure(power)];
  expect(ofFree).toBeLessThan(4);
  expect(ofPower).toBeGreaterThan(80);
  expect(ofPower).toBeLessThan(104);
});

test.each([1, 4, 40])('%i clients on an unlimited plan fill the uplink without exceeding it', (people) => {
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

test('new clients on better plans do not flood the uplink, and Free is slowed', () => {
  using uplink = openUplink(40);
  const [free, starter] = [uplink.join('free', 6), uplink.join('starter', 1)];
  uplink.world.run(5_000);
  const everybody = [...free, ...starter, ...uplink.join('basic', 1), ...uplink.join('power', 1)];
  for (let second = 0; second < 10; second += 1) expect(uplink.measure(everybody, 1)).toBeLessThan(45);
  expect(uplink.measure(free)).toBeLessThan(4);
});

test('speeds recover once there is capacity, the better plans first', () => {
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

test('a little freed capacity is given to the better plan', () => {
  using uplink = openUplink(100);
  const [free, starter] = [uplink.join('free', 25), uplink.join('starter', 10)];
  uplink.world.run(10_000);
  for (const client of free.slice(10)) client.stop();
  uplink.world.run(8_000);
  // 6 Mbps are free: Free is kept at a tenth of its speed, and Starter takes the rest.
  expect(uplink.measure(free.slice(0, 10))).toBeLessThan(5);
  expect(uplink.measure(starter)).toBeGreaterThan(87);
});

const floorMbps = (level: PlanLevel, mbps: number) => {
  const speed = planSpeed(standardPlans[level]) / 125_000;
  return speed === Infinity ? mbps * 0.01 : Math.min(speed, mbps) * 0.1;
};
const uplinks = [10, 20, 50, 100, 200];
const crowds = [1, 2, 4, 8, 12, 20, 40, 80];
const combinations = uplinks.flatMap((mbps) => planLevels.map((level) => [mbps, level] as const));

describe.each(combinations)('on %i Mbps, with a crowd that downloads %s files and leaves', (mbps, level) => {
  test.each(crowds)('of %i', (size) => {
    using uplink = openUplink(mbps);
    const { world } = uplink;
    const speed = Math.min(planSpeed(standardPlans[level]) / 125_000, mbps * 0.95);
    const [stays, ...leaves] = uplink.join(level, size + 1) as [VirtualClient, ...VirtualClient[]];
    const everybody = [stays, ...leaves];
    const demand = Math.min(mbps * 0.95, (planSpeed(standardPlans[level]) / 125_000) * everybody.length);
    // The floor, or an equal share if the sum of all floors exceeds the uplink.
    const least = Math.min(floorMbps(level, mbps), (mbps * 0.95) / everybody.length);
    // A round of pieces of at least 2 KiB, after the quarter of a second in which nothing is due.
    const mostSilence = 300 + Math.max(125, (everybody.length * 2_048) / (mbps * 125 * 0.95));

    const sampleMs = 100;
    const totals: number[] = [];
    const silences: number[] = [];
    const watch = (clients: readonly VirtualClient[], seconds: number) => {
      for (let sample = 0; sample < seconds * 10; sample += 1) {
        totals.push(uplink.measure(everybody, sampleMs / 1_000));
        silences.push(...clients.map(({ sentAt }) => world.now() - sentAt));
      }
    };
    watch(everybody, 2);
    const before = everybody.map(({ sent }) => sent);
    watch(everybody, 4);
    const shares = everybody.map(({ sent }, at) => (sent - (before[at] ?? 0)) / 4 / 125_000);
    for (const client of leaves) client.stop();
    watch([stays], 1);
    const after = stays.sent;
    watch([stays], 2);

    expect(Math.min(...shares)).toBeGreaterThan(least * 0.9);
    expect(Math.max(...shares)).toBeLessThan((planSpeed(standardPlans[level]) / 125_000) * 1.05);
    expect(Math.max(...silences)).toBeLessThan(mostSilence);
    // In no second more than the uplink carries; while all clients are connected, all that it carries.
    const seconds = totals.slice(9).map((_, at) => totals.slice(at, at + 10).reduce((sum, each) => sum + each, 0) / 10);
    expect(Math.max(...seconds)).toBeLessThan(mbps * 1.1);
    expect(Math.min(...seconds.slice(10, 50))).toBeGreaterThan(demand * 0.9);
    expect((stays.sent - after) / 2 / 125_000).toBeGreaterThan(speed * 0.9);
  });
});

test.each([
  [40, 'basic'],
  [400, 'basic'],
  [40, 'free'],
  [10, 'power'],
] as const)('on 20 Mbps a tiny file is sent within 250 ms beside %i downloads of %s', (size, crowd) => {
  using uplink = openUplink(20);
  uplink.join(crowd, size);
  uplink.world.run(1_000);
  for (const level of planLevels) expect(uplink.firstByte(level)).toBeLessThan(250);
});

test('a hundred concurrent clients get their first bytes within half a second', () => {
  using uplink = openUplink(20);
  uplink.join('basic', 100);
  uplink.world.run(3_000);
  const newcomers = uplink.join('free', 100);
  uplink.world.run(500);
  expect(newcomers.filter(({ sent }) => sent === 0)).toEqual([]);
});

test('a waiting client gets the next piece at once when the others leave', () => {
  using uplink = openUplink(10);
  const [stays, ...leaves] = uplink.join('starter', 300) as [VirtualClient, ...VirtualClient[]];
  uplink.world.run(3_000);
  for (const client of leaves) client.stop();
  const left = uplink.world.now();
  uplink.world.run(50);
  expect(stays.sentAt).toBeGreaterThan(left);
});

test('bytes granted to clients that disconnect are not charged to the others', () => {
  using uplink = openUplink(10);
  const granted: (() => void)[] = [];
  for (let people = 0; people < 10; people += 1) {
    const pace = uplink.openPace('power');
    pace.queue(256 * 1024, (bytes) => granted.push(() => pace.giveBack(bytes)));
  }
  const before = granted.length;
  expect(before).toBeGreaterThan(1);
  expect(before).toBeLessThan(10);
  for (const giveBack of granted.slice(0, before)) giveBack();
  expect(granted.length).toBeGreaterThanOrEqual(Math.min(10, before * 2));
});

test('a later client gets an equal share from then on, and does not catch up', () => {
  using uplink = openUplink(50);
  const early = uplink.join('power', 2);
  uplink.world.run(5_000);
  const late = uplink.join('power', 1);
  const before = early.map(({ sent }) => sent);
  uplink.world.run(3_000);
  for (const part of [...early.map(({ sent }, at) => sent - (before[at] ?? 0)), ...late.map(({ sent }) => sent)])
    expect(part / (50 * 125_000 * 0.95)).toBeCloseTo(1, 1);
});

test('a response begins soon although 15 others of its client wait for the same file', () => {
  using uplink = openUplink(20);
  uplink.join('basic', 40);
  for (let count = 0; count < 15; count += 1) uplink.world.download(() => uplink.openShared('basic'));
  uplink.world.run(3_000);
  const late = uplink.world.download(() => uplink.openShared('basic'));
  uplink.world.run(500);
  expect(late.sent).toBeGreaterThan(0);
});

test('connections of one client to one file are one flow', () => {
  using uplink = openUplink(20);
  const eight = Array.from({ length: 8 }, () => uplink.world.download(() => uplink.openShared('basic')));
  const [one] = uplink.join('basic', 1);
  uplink.world.run(2_000);
  const before = [one?.sent ?? 0, eight.reduce((sum, { sent }) => sum + sent, 0)];
  uplink.world.run(5_000);
  const [alone = 0, together = 0] = [one?.sent ?? 0, eight.reduce((sum, { sent }) => sum + sent, 0)].map(
    (sent, at) => sent - (before[at] ?? 0),
  );
  expect(together / alone).toBeGreaterThan(0.85);
  expect(together / alone).toBeLessThan(1.15);
});

test('with changing clients, each plan keeps its floor, its speed limit and its rank', () => {
  const step = fc.record({
    level: fc.constantFrom(...planLevels),
    count: fc.integer({ min: 1, max: 12 }),
    stop: fc.nat({ max: 30 }),
    ms: fc.integer({ min: 1, max: 700 }),
  });
  fc.assert(
    fc.property(fc.constantFrom(...uplinks), fc.array(step, { minLength: 1, maxLength: 12 }), (mbps, steps) => {
      using uplink = openUplink(mbps);
      const clients: { level: PlanLevel; client: VirtualClient }[] = [];
      const start = uplink.world.now();
      let gone = 0;
      const total = () => clients.reduce((sum, { client }) => sum + client.sent, gone);
      for (const { level, count, stop, ms } of steps) {
        for (const client of uplink.join(level, count)) clients.push({ level, client });
        uplink.world.run(ms);
        for (const { client } of clients.splice(0, stop)) {
          client.stop();
          gone += client.sent;
        }
        const seconds = (uplink.world.now() - start) / 1_000;
        // A tenth of a second of burst, and one piece in flight.
        expect(total()).toBeLessThan(mbps * 125_000 * 0.95 * (seconds + 0.15) + 3 * 2_048);
      }
      uplink.world.run(500);
      const before = clients.map(({ client }) => client.sent);
      uplink.world.run(2_000);
      const rates = clients.map(({ level, client }, at) => ({
        level,
        mbps: (client.sent - (before[at] ?? 0)) / 250_000,
      }));
      const floors = clients.reduce((sum, { level }) => sum + floorMbps(level, mbps), 0);
      const scale = Math.min(1, (mbps * 0.95) / floors);
      const fullSpeed = (level: PlanLevel) => Math.min(planSpeed(standardPlans[level]) / 125_000, mbps * 0.95);
      for (const rate of rates) {
        expect(rate.mbps).toBeGreaterThan(floorMbps(rate.level, mbps) * scale * 0.8 - 0.1);
        expect(rate.mbps).toBeLessThan(fullSpeed(rate.level) * 1.1 + 0.2);
      }
      if (floors > mbps * 0.95) return;
      // While a better plan is below its speed, a lesser one gets only its floor.
      const slowed = Math.max(
        -1,
        ...rates.map((rate) => (rate.mbps < fullSpeed(rate.level) * 0.8 ? planLevels.indexOf(rate.level) : -1)),
      );
      for (const rate of rates)
        if (planLevels.indexOf(rate.level) < slowed)
          expect(rate.mbps).toBeLessThan(floorMbps(rate.level, mbps) * 1.5 + 0.2);
    }),
    { numRuns: 60 },
  );
});
