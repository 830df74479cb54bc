/** A kill and a refusing disk at each step of an upload, from the first byte to the commit, by strace. */
import { expect, test } from 'vitest';
import { canFail, failAt, killAt, openTrial, type Step, stepsOf } from '../load/write-order.ts';
import { strace } from '../load/strace.ts';
import { newTestPlace } from '../../server/test/harness/new-place.ts';

test.skipIf(strace() !== null)('a process killed at any step of an upload loses and doubles nothing', async () => {
  await using trial = await openTrial(await newTestPlace());
  // `npm run lab -- soak` tries the optional ones too.
  for (const step of stepsOf(trial.place).filter(({ isOptional }) => !isOptional))
    expect(await killAt(trial, step), step.name).toBe(true);
});

/** After the sync of a commit failed, its outcome is unknown until the database has been opened again. */
const expected = ({ name, isCommitted }: Step) => [name, ...(isCommitted ? [503, 503] : [500, 507])];

test.skipIf(strace() !== null)(
  'a disk that refuses any step of an upload fails it clearly, and nothing else',
  async () => {
    await using trial = await openTrial(await newTestPlace());
    const steps = stepsOf(trial.place).filter(canFail);
    const seen = [];
    for (const step of steps)
      seen.push([step.name, await failAt(trial, step, 'EIO'), await failAt(trial, step, 'ENOSPC')]);
    expect(seen).toEqual(steps.map(expected));
  },
);
