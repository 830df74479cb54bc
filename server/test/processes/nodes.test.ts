/** The command that lists the server processes of a database. */
import { version } from '../../src/config/version.ts';
import { expect, test } from 'vitest';
import { holdfast, holdfastJson } from '../harness/holdfast.ts';
import { startSeveral } from '../harness/several-processes.ts';
import { startServer } from '../harness/start-server.ts';

test('nodes lists the processes that run, and a killed one no more after some seconds', async () => {
  const { processes, context } = await startSeveral(2, { REGION: 'Oslo' });
  const place = { dataDir: context.config.dataDir, context };
  const listed = await holdfastJson(place, 'nodes');
  expect(listed).toEqual(
    processes.map(() => ({
      id: expect.any(String) as string,
      name: expect.stringMatching(/ \d+$/) as string,
      region: 'Oslo',
      version,
      started: expect.stringMatching(/^20\d\d-.*Z$/) as string,
    })),
  );
  expect((await holdfast(place, 'nodes')).out).toMatch(/^(\S+ \d+ +Oslo +\S+ +since .* UTC\n){2}$/);
  await processes[0]?.[Symbol.asyncDispose]();
  await expect.poll(() => holdfastJson(place, 'nodes'), { timeout: 30_000, interval: 1_000 }).toHaveLength(1);
});

test('nodes lists nothing, and creates nothing, where no process has run', async () => {
  await using server = await startServer();
  expect(await holdfastJson(server, 'nodes')).toEqual([]);
});
