import { expect, test } from 'vitest';
import { seconds } from '../../lib/clock.ts';
import { countersConformance } from './conformance.ts';
import { openMemoryCounters } from './memory.ts';

function openEngine(most?: number) {
  let now = 1_000_000;
  return {
    counters: openMemoryCounters({ monotonic: () => now }, most),
    advance: (ms: number) => void (now += Math.max(0, ms)),
    async [Symbol.asyncDispose]() {},
  };
}

countersConformance(async () => openEngine());

test('many fast buckets do not evict a slow bucket', async () => {
  await using engine = openEngine(100);
  const slow = { capacity: 1, everyMs: seconds(900) };
  await engine.counters.take('wrong passwords', slow);
  for (let count = 0; count < 1_000; count += 1)
    await engine.counters.take(`flood ${count}`, { capacity: 4, everyMs: 250 });
  expect(await engine.counters.take('wrong passwords', slow)).toMatchObject({ allowed: false });
});
