/** Two processes on one PostgreSQL whose clocks differ. */
import { expect, test } from 'vitest';
import { call } from '../harness/calls.ts';
import { newPlace } from '../harness/new-place.ts';
import { startServerProcess } from '../harness/server-process.ts';

const postgres = process.env['TEST_DATABASE'] === 'postgres';

/** Lets the clock of a process go ahead. */
function aheadBy(seconds: number): Record<string, string> {
  const module = `const now = Date.now; Date.now = () => now() + ${seconds * 1000};`;
  return { NODE_OPTIONS: `--import=data:text/javascript;base64,${Buffer.from(module).toString('base64')}` };
}

test.runIf(postgres).each([2, 60, 420])('clocks that differ by %i seconds refuse no call', async (seconds) => {
  const { environment } = await newPlace();
  const settings = { DATABASE_URL: environment.DATABASE_URL ?? '', TRUST_PROXY: '127.0.0.1' };
  await using late = await startServerProcess(settings);
  const nodes = [await late.listening];
  await using early = await startServerProcess({ ...settings, ...aheadBy(seconds) });
  nodes.push(await early.listening);
  const statuses = [];
  // Fewer calls from each address than may come at once, to both processes in turn.
  for (let address = 1; address <= 10; address += 1)
    for (const turn of [1, 0, 1, 0]) {
      const headers = { 'X-Forwarded-For': `203.0.113.${address}` };
      statuses.push((await call({ url: nodes[turn] ?? '' }, '/api/v3/session/server-info', { headers })).status);
    }
  expect(statuses).toEqual(statuses.map(() => 200));
});
