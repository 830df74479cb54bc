import { expect, test } from 'vitest';
import { createReplicaFreshness } from './replica-freshness.ts';

const limits = { longestLag: 30, longestAlone: 1_000 };

test('a replica is fresh as soon as it has reached a position that the primary had lately', () => {
  const freshness = createReplicaFreshness(limits);
  expect(freshness.isFresh(0)).toBe(false);
  expect(freshness.staleFor(0)).toBe(Infinity);
  freshness.primaryWasAt(100n, 0);
  freshness.replicaIsAt(99n, 1, null);
  expect(freshness.isFresh(1)).toBe(false);
  freshness.replicaIsAt(100n, 2, null);
  expect(freshness.isFresh(2)).toBe(true);
  expect(freshness.staleFor(2)).toBe(2);
});

test('a replica that stops following is fresh for the longest lag, while the primary responds', () => {
  const freshness = createReplicaFreshness(limits);
  const sample = (at: number, position: bigint) => {
    freshness.primaryWasAt(BigInt(at), at);
    freshness.replicaIsAt(position, at, null);
  };
  sample(10, 10n);
  sample(40, 10n);
  expect(freshness.isFresh(40)).toBe(true);
  sample(41, 10n);
  expect([freshness.isFresh(41), freshness.staleFor(41)]).toEqual([false, 31]);
  sample(60, 50n);
  expect([freshness.isFresh(60), freshness.staleFor(60)]).toEqual([true, 19]);
});

test('after the primary has gone away, a replica that was fresh stays so for a limited time', () => {
  const freshness = createReplicaFreshness(limits);
  freshness.primaryWasAt(10n, 10);
  freshness.replicaIsAt(10n, 10, null);
  expect(freshness.isFresh(1_010)).toBe(true);
  expect(freshness.isFresh(1_011)).toBe(false);
});

test('a change that still reaches it shows that only the way to the primary is cut', () => {
  const freshness = createReplicaFreshness(limits);
  freshness.primaryWasAt(10n, 10);
  freshness.replicaIsAt(10n, 10, null);
  freshness.replicaIsAt(500n, 1_500, 1_490);
  expect([freshness.isFresh(1_500), freshness.staleFor(1_500)]).toEqual([true, 10]);
  expect(freshness.isFresh(2_491)).toBe(false);
});

test('a replica that was behind when the primary went away is fresh once it has caught up', () => {
  const freshness = createReplicaFreshness(limits);
  freshness.primaryWasAt(10n, 10);
  freshness.replicaIsAt(10n, 10, null);
  freshness.primaryWasAt(90n, 90);
  freshness.replicaIsAt(10n, 90, 85);
  expect(freshness.isFresh(90)).toBe(false);
  freshness.replicaIsAt(90n, 95, 88);
  expect(freshness.isFresh(95)).toBe(true);
});

test('a process that has never reached the primary relies on the last change of the replica', () => {
  const freshness = createReplicaFreshness(limits);
  freshness.replicaIsAt(10n, 5_000, 4_100);
  expect([freshness.isFresh(5_000), freshness.isFresh(5_101)]).toEqual([true, false]);
});

test('a clock that is ahead does not make a change one of the future', () => {
  const freshness = createReplicaFreshness(limits);
  freshness.replicaIsAt(10n, 5_000, 9_000);
  expect(freshness.staleFor(5_000)).toBe(0);
});

test('a long lag costs no memory, and the replica is fresh again when it has caught up', () => {
  const freshness = createReplicaFreshness(limits);
  for (let at = 0; at < 1_000; at += 1) freshness.primaryWasAt(BigInt(at), at);
  freshness.replicaIsAt(500n, 1_000, null);
  expect(freshness.isFresh(1_000)).toBe(false);
  freshness.replicaIsAt(985n, 1_000, null);
  expect([freshness.isFresh(1_000), freshness.staleFor(1_000)]).toEqual([true, 15]);
});
