import { expect, test } from 'vitest';
import { minutes, seconds } from '../../lib/clock.ts';
import type { Counters } from './counters.ts';

export interface CountersEngine extends AsyncDisposable {
  readonly counters: Counters;
  advance(ms: number): void;
}

const limit = { capacity: 4, everyMs: 250 };

/** Tests the promises of every counter engine (see `Counters`). */
export function countersConformance(open: () => Promise<CountersEngine>): void {
  test('as many as a bucket holds may be taken at once, and each says what is left', async () => {
    await using engine = await open();
    const taken = [];
    for (let count = 0; count < 5; count += 1) taken.push(await engine.counters.take('a', limit));
    expect(taken).toEqual([
      { allowed: true, remaining: 3, resetSeconds: 1, retryAfterSeconds: 0 },
      { allowed: true, remaining: 2, resetSeconds: 1, retryAfterSeconds: 0 },
      { allowed: true, remaining: 1, resetSeconds: 1, retryAfterSeconds: 0 },
      { allowed: true, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 },
      { allowed: false, remaining: 0, resetSeconds: 1, retryAfterSeconds: 1 },
    ]);
  });

  test('one more may be taken each time that it says, and refusals cost nothing', async () => {
    await using engine = await open();
    const take = async () => (await engine.counters.take('a', limit)).allowed;
    for (let count = 0; count < 10; count += 1) await take();
    engine.advance(249);
    expect(await take()).toBe(false);
    engine.advance(1);
    expect([await take(), await take()]).toEqual([true, false]);
    engine.advance(500);
    expect([await take(), await take(), await take()]).toEqual([true, true, false]);
  });

  test('of 40 that take at once as many succeed as the bucket holds', async () => {
    await using engine = await open();
    const taken = await Promise.all(Array.from({ length: 40 }, () => engine.counters.take('a', limit)));
    expect(taken.filter(({ allowed }) => allowed)).toHaveLength(4);
  });

  test('what is given back may be taken again, and once only', async () => {
    await using engine = await open();
    const take = async () => (await engine.counters.take('a', limit)).allowed;
    for (let count = 0; count < 4; count += 1) await take();
    await engine.counters.giveBack('a', limit);
    expect([await take(), await take()]).toEqual([true, false]);
  });

  test('giving back to a full bucket does not make it larger', async () => {
    await using engine = await open();
    for (let count = 0; count < 3; count += 1) await engine.counters.giveBack('a', limit);
    const taken = [];
    for (let count = 0; count < 5; count += 1) taken.push((await engine.counters.take('a', limit)).allowed);
    expect(taken.filter(Boolean)).toHaveLength(4);
    engine.advance(seconds(60));
    for (let count = 0; count < 3; count += 1) await engine.counters.giveBack('a', limit);
    expect(await engine.counters.take('a', limit)).toMatchObject({ remaining: 3 });
  });

  test('keys have buckets of their own, whatever is in them', async () => {
    await using engine = await open();
    const one = { capacity: 1, everyMs: 1000 };
    for (const key of ['a', 'A', 'a ', '__proto__', "'; DROP TABLE counters; --", 'é'.repeat(300)]) {
      expect(await engine.counters.take(key, one)).toMatchObject({ allowed: true });
      expect(await engine.counters.take(key, one)).toMatchObject({ allowed: false });
    }
  });
}

/** Tests of engines that share a clock with others, and cannot know that it goes only forward. */
export function setBackConformance(open: () => Promise<CountersEngine>): void {
  const takeAll = async ({ counters }: CountersEngine) => {
    const taken = [];
    for (let count = 0; count < 5; count += 1) taken.push((await counters.take('a', limit)).allowed);
    return taken;
  };
  const all = [true, true, true, true, false];

  test('after a clock is set back as many as a bucket holds may be taken, and then no more', async () => {
    await using engine = await open();
    await takeAll(engine);
    engine.advance(-minutes(10));
    expect(await engine.counters.take('a', limit)).toMatchObject({ allowed: true, remaining: 3, resetSeconds: 1 });
    expect(await takeAll(engine)).toEqual([true, true, true, false, false]);
    engine.advance(seconds(1));
    expect(await takeAll(engine)).toEqual(all);
  });

  test('a token that was given back before a clock is set back is not missing afterwards', async () => {
    await using engine = await open();
    const slow = { capacity: 10, everyMs: minutes(3) };
    await engine.counters.take('a', slow);
    await engine.counters.giveBack('a', slow);
    engine.advance(-minutes(60));
    expect(await engine.counters.take('a', slow)).toMatchObject({ allowed: true, remaining: 9 });
  });
}
