import { type PlanLevel, standardPlans } from '@holdfast/contract/src/plans.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { linkPeers } from '../../test/harness/linked-peers.ts';
import { openWorld, type VirtualClient } from '../../test/harness/virtual-clients.ts';
import { createEgress } from './egress.ts';
import { allotUplink, lowerCeilings } from './share-uplink.ts';
import { openThrottle } from './throttle.ts';

const free = (count: number) => ({ rank: 0, floor: 10 * count, ceiling: 100 * count });
const power = { rank: 4, floor: 10, ceiling: 1_000 };

test('floors are served first, and then the better plan, whatever process it is on', () => {
  expect(allotUplink(1_000, [free(20)], [[power]])).toBe(200);
  expect(allotUplink(1_000, [power], [[free(20)]])).toBe(800);
  expect(allotUplink(1_000, [free(5)], [[free(15)]])).toBe(250);
});

test('floors beyond the uplink shrink in proportion', () => {
  expect(allotUplink(100, [free(20)], [[free(60)]])).toBe(25);
});

test('what nobody wants is divided equally', () => {
  expect(allotUplink(1_000, [free(2)], [[], []])).toBeCloseTo(200 + 800 / 3);
  expect(allotUplink(1_000, [], [[free(2)], []])).toBeCloseTo(800 / 3);
  expect(allotUplink(1_000, [], [[]])).toBe(500);
});

test('the parts of all processes are the uplink', () => {
  const demand = fc
    .record({ rank: fc.nat({ max: 6 }), floor: fc.nat({ max: 500 }), beyond: fc.nat({ max: 5_000 }) })
    .map(({ rank, floor, beyond }) => ({ rank, floor, ceiling: floor + beyond }));
  const processes = fc.array(fc.array(demand, { maxLength: 5 }), { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(processes, (all) => {
      const parts = all.map((own) =>
        allotUplink(
          1_000,
          own,
          all.filter((other) => other !== own),
        ),
      );
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(1_000);
      for (const part of parts) expect(part).toBeGreaterThanOrEqual(-1e-6);
    }),
  );
});

test('flows that use less than they could want a quarter more than that', () => {
  expect(lowerCeilings([{ rank: 0, floor: 100, ceiling: 1_000 }], 400)).toEqual([
    { rank: 0, floor: 100, ceiling: 500 },
  ]);
  expect(lowerCeilings([{ rank: 0, floor: 100, ceiling: 1_000 }], 0)).toEqual([{ rank: 0, floor: 100, ceiling: 100 }]);
  expect(lowerCeilings([], 400)).toEqual([]);
});

/** Processes behind one uplink, with clients that have an address each. */
function openUplink(mbps: number, regions: readonly string[]) {
  const world = openWorld();
  const peers = linkPeers(world, regions.length);
  const throttles = regions.map((region, at) => {
    const sharing = peers[at] ? { peers: peers[at], region } : null;
    return openThrottle(createEgress(mbps, world, sharing), world, peers[at] ?? null);
  });
  let people = 0;
  return {
    world,
    peers,
    join: (at: number, level: PlanLevel, count: number, lineMbps = Infinity) =>
      Array.from({ length: count }, () => {
        people += 1;
        const client = `client ${people}`;
        return world.download(
          () => throttles[at]?.open(client, 'file', standardPlans[level]) ?? null,
          lineMbps * 125_000,
        );
      }),
    /** Combined speed of the clients over the next seconds, in Mbps. */
    measure(clients: readonly VirtualClient[], seconds = 5): number {
      const sent = () => clients.reduce((sum, client) => sum + client.sent, 0);
      const before = sent();
      world.run(seconds * 1_000);
      return (sent() - before) / seconds / 125_000;
    },
  };
}

const here = ['Local', 'Local', 'Local'];

test('three processes send no more than the uplink, and all of it', () => {
  const uplink = openUplink(100, here);
  const clients = [0, 1, 2].flatMap((at) => uplink.join(at, 'free', 20));
  uplink.world.run(3_000);
  expect(uplink.measure(clients)).toBeGreaterThan(90);
  expect(uplink.measure(clients)).toBeLessThan(100);
});

test('an unlimited plan on one process has what the floors of Free on another leave', () => {
  const uplink = openUplink(100, here);
  const [ofFree, ofPower] = [uplink.join(0, 'free', 40), uplink.join(1, 'power', 1)];
  uplink.world.run(5_000);
  const [freeSpeed] = [uplink.measure(ofFree)];
  expect(freeSpeed).toBeGreaterThan(13);
  expect(freeSpeed).toBeLessThan(25);
  expect(uplink.measure(ofPower)).toBeGreaterThan(65);
});

test('a process whose clients are slow leaves its part to the others', () => {
  const uplink = openUplink(100, here);
  const slow = uplink.join(0, 'power', 5, 1);
  const [fast] = [uplink.join(1, 'power', 1)];
  uplink.world.run(10_000);
  expect(uplink.measure(slow)).toBeGreaterThan(4);
  expect(uplink.measure(fast)).toBeGreaterThan(70);
});

test('a load that begins on another process has its part within two seconds', () => {
  const uplink = openUplink(100, here);
  const first = uplink.join(0, 'power', 1);
  uplink.world.run(5_000);
  expect(uplink.measure(first)).toBeGreaterThan(80);
  const second = uplink.join(1, 'power', 1);
  uplink.world.run(2_000);
  expect(uplink.measure(second)).toBeGreaterThan(40);
  expect(uplink.measure([...first, ...second])).toBeLessThan(100);
});

test('processes of another region have an uplink of their own, and the last process has the whole one', () => {
  const uplink = openUplink(100, ['Oslo', 'Lima']);
  const clients = [0, 1].map((at) => uplink.join(at, 'power', 1));
  uplink.world.run(5_000);
  for (const each of clients) expect(uplink.measure(each)).toBeGreaterThan(90);
  const shared = openUplink(100, ['Oslo', 'Oslo']);
  const [first = []] = [0, 1].map((at) => shared.join(at, 'power', 1));
  shared.world.run(5_000);
  expect(shared.measure(first)).toBeLessThan(60);
  shared.peers[1]?.end();
  shared.world.run(2_000);
  expect(shared.measure(first)).toBeGreaterThan(90);
});
