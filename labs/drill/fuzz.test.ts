/** Mutated requests: `npm run lab -- soak` sends a hundred thousand. */
import { expect, test } from 'vitest';
import { fuzzService } from '../fuzz/fuzz-process.ts';
import { newTestPlace } from '../../server/test/harness/new-place.ts';

test.runIf(process.env['TEST_DATABASE'] === 'sqlite')(
  'mutated requests get no 500, hang nowhere and leave nothing behind',
  async () => {
    const { statuses } = await fuzzService(await newTestPlace(), { requests: 5_000, seed: 1 });
    // Some of them still work, or only the outermost parser would be tried.
    for (const status of [200, 400, 404]) expect(statuses.get(status), String(status)).toBeGreaterThan(0);
  },
);
