import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { minutes } from '../../src/lib/clock.ts';
import type { Job } from '../../src/maintenance/job.ts';
import { openWatching } from '../../src/maintenance/open-watching.ts';
import { jobs } from '../../src/maintenance/schedule.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { blobsOnDisk, fileUrl, uploadFile } from '../harness/uploads.ts';

const start = () => startServer({ METRICS_PORT: '0' });

async function watch(server: TestServer, watched: readonly Job[] = jobs) {
  const watching = await openWatching(server.context, watched);
  if (!watching) throw new Error('there is no private port');
  return watching;
}

/** The samples of a page, by name and labels. */
async function metricsAt(url: string): Promise<ReadonlyMap<string, number>> {
  const answer = await fetch(`${url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  const lines = (await answer.text()).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const [, name = '', value = ''] = /^(.+) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

test('without METRICS_PORT there is no private port, and the public one has none of its pages', async () => {
  await using server = await startServer();
  expect(await openWatching(server.context, jobs)).toBeNull();
  for (const path of ['/livez', '/readyz', '/metrics']) {
    const answer = await fetch(server.url + path);
    expect(answer.status, path).toBe(404);
  }
});

test('it is alive, ready and says what it does not know', async () => {
  await using server = await start();
  await using watching = await watch(server);
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(watching.url + path, { method });
    return [answer.status, await answer.text()];
  };
  expect(await ask('/livez')).toEqual([200, 'ok\n']);
  expect(await ask('/readyz?verbose')).toEqual([200, 'ok\ndatabase: ok\nmigrations: ok\nstorage: ok\n']);
  expect(await ask('/readyz', 'HEAD')).toEqual([200, '']);
  expect(await ask('/livez', 'POST')).toEqual([405, 'Only GET is allowed\n']);
  for (const path of ['/', '/api/v3/session/server-info', '/__proto__', '/constructor'])
    expect((await ask(path))[0], path).toBe(404);
  expect(await blobsOnDisk(server)).toEqual([]);
});

test('asking whether it is ready leaves nothing in the storage, no folder either', async () => {
  await using server = await start();
  const everything = () => readdir(join(server.dataDir, 'blobs'), { recursive: true });
  const before = await everything();
  for (let times = 0; times < 3; times += 1) {
    // A new one has no answer from before.
    await using watching = await watch(server);
    expect((await fetch(`${watching.url}/readyz`)).status).toBe(200);
  }
  expect(await everything()).toEqual(before);
});

test('storage that cannot be written makes it degraded, and says so', async () => {
  await using server = await start();
  await rm(join(server.dataDir, 'blobs', 'tmp'), { recursive: true });
  await using watching = await watch(server);
  const answer = await fetch(`${watching.url}/readyz`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(/^degraded\ndatabase: ok\nmigrations: ok\nstorage: ENOENT.+\n$/);
  expect((await fetch(`${watching.url}/livez`)).status).toBe(200);
});

test('a database that is of another version, or hangs, makes it degraded, and says so', async () => {
  await using server = await start();
  await using watching = await watch(server);
  await server.context.db.insertInto('migrations').values({ name: '9999-later.sql', applied_at: 0 }).execute();
  expect(await (await fetch(`${watching.url}/readyz`)).text()).toMatch(
    /\nmigrations: the schema is another .*: 9999-later\.sql\n/,
  );
  const hung = { ...server.context, blobs: { ...server.context.blobs, probe: () => new Promise<void>(() => {}) } };
  await using other = (await openWatching(hung, jobs)) ?? watching;
  const answer = await fetch(`${other.url}/readyz`);
  expect([answer.status, await answer.text()]).toEqual([503, expect.stringContaining('storage: no answer within 2 s')]);
});

test('whoever asks often makes it check once', async () => {
  await using server = await start();
  let probes = 0;
  const { blobs } = server.context;
  const counted = {
    ...server.context,
    blobs: { ...blobs, probe: () => ((probes += 1), blobs.probe()) },
  };
  await using watching = await openWatching(counted, jobs);
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${watching?.url}/readyz`)));
  expect(probes).toBe(1);
});

test('the metrics tell how each job goes, those that never ran too', async () => {
  await using server = await start();
  const seconds = server.clock.now() / 1000;
  await server.runJob('purge');
  const braked: Job = {
    name: 'braked',
    pattern: '0 0 * * *',
    async run({ brake }) {
      brake.check(1_000, 1_000);
      return {};
    },
  };
  await server.runJob(braked).catch(() => {});
  const busy: Job = { ...braked, name: 'busy', run: async () => ({ files: 3, bytes: 7 }) };
  for (let run = 0; run < 2; run += 1) await server.runJob(busy);
  await using watching = await watch(server, [...jobs, braked, busy]);
  const metrics = await metricsAt(watching.url);
  expect(metrics.get('holdfast_job_last_success_timestamp_seconds{job="purge"}')).toBe(seconds);
  expect(metrics.get('holdfast_job_last_success_timestamp_seconds{job="sweep-strays"}')).toBe(0);
  expect(metrics.get('holdfast_job_failures_total{job="purge"}')).toBe(0);
  expect(metrics.get('holdfast_job_failures_total{job="braked"}')).toBe(1);
  expect(metrics.get('holdfast_job_braked{job="braked"}')).toBe(1);
  expect(metrics.get('holdfast_job_braked{job="busy"}')).toBe(0);
  expect(metrics.get('holdfast_job_done_total{job="busy",what="bytes"}')).toBe(14);
  expect(metrics.get('holdfast_job_duration_seconds{job="busy"}')).toBeLessThan(5);
  expect((await metricsAt(watching.url)).get('holdfast_job_done_total{job="busy",what="bytes"}')).toBe(14);
});

test('the metrics tell what there is and what was done', async () => {
  await using server = await start();
  const ada = await signUpAndIn(server, { plan: 'power' });
  await signUpAndIn(server);
  const [name] = [await uploadFile(server, ada, 'hello'), await uploadFile(server, ada, 'hello again')];
  await (await fetch(fileUrl(server, name))).text();
  await (await fetch(`${fileUrl(server, name)}?no-count=true`)).text();
  await server.context.db.updateTable('files').set({ pending_scan: 1 }).where('name', '=', name).execute();
  await using watching = await watch(server);
  const before = await metricsAt(watching.url);
  expect(before.get('holdfast_database_up')).toBe(1);
  expect(before.get('holdfast_accounts{plan="power"}')).toBe(1);
  expect(before.get('holdfast_accounts{plan="free"}')).toBe(1);
  expect(before.get('holdfast_live_files{plan="power"}')).toBe(2);
  expect(before.get('holdfast_live_bytes{plan="power"}')).toBe(16);
  expect(before.get('holdfast_files_pending_scan')).toBe(1);
  expect(before.get('holdfast_letters_waiting')).toBe(0);
  expect(before.get('holdfast_uploads_total')).toBe(2);
  expect(before.get('holdfast_uploaded_bytes_total')).toBe(16);
  expect(before.get('holdfast_downloads_total')).toBe(1);
  expect(before.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  await ada.browser.client.deleteFiles({ body: { files: [name] } });
  await signUp(server, 'late@example.com');
  server.clock.advance(minutes(1));
  const after = await metricsAt(watching.url);
  expect(after.get('holdfast_live_files{plan="power"}')).toBe(1);
  expect(after.get('holdfast_accounts{plan="free"}')).toBe(2);
});

test('a database that is away costs its own samples, and nothing tells a person or a secret', async () => {
  await using server = await start();
  const ada = await signUpAndIn(server);
  await using watching = await watch(server);
  const page = await (await fetch(`${watching.url}/metrics`)).text();
  for (const secret of [ada.email, ada.apiKey, server.dataDir]) expect(page).not.toContain(secret);
  await server.context.db.schema.dropTable('jobs').execute();
  const metrics = await metricsAt(watching.url);
  expect(metrics.get('holdfast_database_up')).toBe(0);
  expect(metrics.get('holdfast_uploads_total')).toBe(0);
});
