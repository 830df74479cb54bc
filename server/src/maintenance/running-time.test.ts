import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { momentBefore, type Outage } from './running-time.ts';

const outage = fc
  .tuple(fc.nat(200), fc.nat(40))
  .map(([began_at, length]): Outage => ({ began_at, ended_at: began_at + length }));

/** Counts step by step: a step within an outage does not count. */
function countBack(now: number, outages: readonly Outage[], span: number): number {
  let moment = now;
  for (let ran = 0; ran < span; moment -= 1)
    if (!outages.some(({ began_at, ended_at }) => began_at <= moment - 1 && moment <= ended_at)) ran += 1;
  return moment;
}

test('counting back skips outages, also overlapping ones and ones that end after now', () => {
  fc.assert(
    fc.property(
      fc.nat(250),
      fc.array(outage, { maxLength: 8 }),
      fc.integer({ min: 1, max: 120 }),
      (now, outages, span) => {
        expect(momentBefore(now, outages, span)).toBe(countBack(now, outages, span));
      },
    ),
    { numRuns: 2_000 },
  );
});

test('if an outage ends exactly that long ago, its end is the moment', () => {
  expect(momentBefore(100, [{ began_at: 20, ended_at: 70 }], 30)).toBe(70);
  expect(momentBefore(100, [{ began_at: 20, ended_at: 70 }], 31)).toBe(19);
});
