import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { BlobsUnavailable } from '../../src/storage/blobs/blobs.ts';
import { version } from '../../src/config/version.ts';
import { createReadiness } from '../../src/monitoring/readiness.ts';
import { minutes } from '../../src/lib/clock.ts';
import type { Job } from '../../src/jobs/job.ts';
import { processCounts } from '../../src/lib/process-counts.ts';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import { serverPages } from '../../src/monitoring/server-metrics.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { checkScanner } from '../../src/moderation/scanner-health.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { openLine } from '../harness/raw-http.ts';
import { signUp } from '../harness/sign-ups.ts';
import { startServer, type TestServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { storedNames } from '../harness/stored-bytes.ts';
import { bytesAreOnS3 } from '../harness/test-blobs.ts';
import { startClamdStandIn } from '../stand-ins/clamd.ts';
import { testOn } from '../harness/server-test.ts';

const start = () => startServer({ METRICS_PORT: '0' });
const test = testOn(start);

async function watch(server: TestServer, watched: readonly Job[] = jobs) {
  const monitoring = await openMonitoring(server.context, serverPages(server.context, watched));
  if (!monitoring) throw new Error('there is no private port');
  return monitoring;
}

/** Returns the samples of a page, by name and labels. */
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

test('all metrics of a node with a region have it as a label', async () => {
  await using server = await startServer({ METRICS_PORT: '0', REGION: 'Frankfurt' });
  await using monitoring = await watch(server);
  const names = [...(await metricsAt(monitoring.url)).keys()];
  expect(names.filter((name) => !name.includes('region="Frankfurt"'))).toEqual([]);
  expect(names).toContain(`holdfast_build_info{version="${version}",region="Frankfurt"}`);
});

test('without METRICS_PORT there is no private port, and the public port lacks its pages', async () => {
  await using server = await startServer();
  expect(await openMonitoring(server.context, serverPages(server.context, jobs))).toBeNull();
  for (const path of ['/readyz', '/metrics']) {
    const answer = await fetch(server.url + path);
    expect(answer.status, path).toBe(404);
  }
});

test('the public port says under every name that the process is alive, however often, and without a database', async () => {
  const names = { PUBLIC_URL: 'https://app.example', FILE_ORIGINS: 'https://files.example' };
  await using server = await startServer(names, { limits: 'real' });
  using line = openLine(server);
  await server.context.db.destroy();
  for (const host of ['app.example', 'files.example', 'unknown.example', '192.0.2.1:3000', 'no name'])
    for (const method of ['GET', 'HEAD'])
      expect(await line.send(method, '/livez?now', { Host: host }), `${method} ${host}`).toMatchObject({
        status: 200,
        text: method === 'GET' ? 'ok\n' : '',
        headers: { 'content-length': '3', 'cache-control': 'no-store' },
      });
  for (let sent = 0; sent < 50; sent += 1) expect((await line.send('GET', '/livez')).status).toBe(200);
  const refused = await line.send('POST', '/livez', { Host: 'app.example' });
  expect(refused).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD' } });
  expect((await line.send('GET', '/livez/', { Host: 'app.example' })).status).toBe(404);
});

test('the server reports that it is alive and ready, and rejects unknown pages', async ({ server }) => {
  await using monitoring = await watch(server);
  const ask = async (path: string, method = 'GET') => {
    const answer = await fetch(monitoring.url + path, { method });
    return [answer.status, await answer.text()];
  };
  expect(await ask('/livez')).toEqual([200, 'ok\n']);
  expect(await ask('/readyz?verbose')).toEqual([
    200,
    `ok\ndatabase: ok\nmigrations: ok\nstorage: ok\nversion: ${version}\n`,
  ]);
  expect(await ask('/readyz', 'HEAD')).toEqual([200, '']);
  expect(await ask('/livez', 'POST')).toEqual([405, 'Only GET is allowed\n']);
  for (const path of ['/', '/api/v3/session/server-info', '/__proto__', '/constructor'])
    expect((await ask(path))[0], path).toBe(404);
  expect(await storedNames(server)).toEqual([]);
});

test('the private port refuses the names of other sites', async ({ server }) => {
  await using monitoring = await watch(server);
  const { port } = new URL(monitoring.url);
  const ask = async (host: string) => {
    using line = openLine({ port: Number(port) });
    return (await line.send('GET', '/livez', { Host: host })).status;
  };
  for (const host of [
    'localhost',
    `localhost:${port}`,
    `LOCALHOST:${port}`,
    `127.0.0.1:${port}`,
    '10.0.0.5',
    '[::1]:1',
  ])
    expect(await ask(host), host).toBe(200);
  for (const host of ['evil.example', `rebound.example:${port}`, 'localhost.evil.example', '127.0.0.1.evil.example'])
    expect(await ask(host), host).toBe(421);
});

test('storage that cannot be written is reported as degraded', async ({ skip }) => {
  skip(bytesAreOnS3, 'Its temp folder is on the disk.');
  await using server = await start();
  await rm(join(server.dataDir, 'blobs', 'tmp'), { recursive: true });
  for (const name of ['tmp', 'damaged']) await writeFile(join(server.dataDir, 'blobs', name), 'no folder');
  await using monitoring = await watch(server);
  const answer = await fetch(`${monitoring.url}/readyz`);
  expect(answer.status).toBe(503);
  expect(await answer.text()).toMatch(
    /^degraded\ndatabase: ok\nmigrations: ok\nstorage: .+ must be a folder\nversion: .+\n$/,
  );
  expect((await fetch(`${monitoring.url}/livez`)).status).toBe(200);
});

/** Readiness as a new server reports it; one that runs would keep its result for some seconds. */
async function readinessOf({ context }: TestServer) {
  const { status, body } = await createReadiness(context)();
  return { status, migrations: /^migrations: (.+)$/m.exec(body)?.[1] };
}

test('a process stays ready beside a newer version, unless that has removed something or a backup was restored', async ({
  server,
}) => {
  const { db } = server.context;
  const apply = (name: string) => db.insertInto('migrations').values({ name, applied_at: 0 }).execute();
  await apply('9997-adds.sql');
  // This program has the migration since which nothing uses what was removed.
  await apply('9998-removes.needs-0029.sql');
  expect(await readinessOf(server)).toEqual({ status: 200, migrations: 'ok' });
  await apply('9999-removes.needs-9997.sql');
  expect(await readinessOf(server)).toEqual({
    status: 503,
    migrations: 'a newer version has applied 9999-removes.needs-9997.sql, and this older one must stop',
  });
  await db
    .deleteFrom('migrations')
    .where('name', 'in', ['9999-removes.needs-9997.sql', '0027-keys-in-forms.sql'])
    .execute();
  expect(await readinessOf(server)).toEqual({
    status: 503,
    migrations: 'the database no longer has 0027-keys-in-forms.sql',
  });
});

test('hanging storage is reported as degraded', async ({ server }) => {
  const hung = { ...server.context, blobs: { ...server.context.blobs, probe: () => new Promise<void>(() => {}) } };
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const checked = createReadiness(hung)();
  await vi.advanceTimersByTimeAsync(2_000);
  const { status, body } = await checked;
  expect([status, body]).toEqual([503, expect.stringContaining('storage: no response within 2 s')]);
});

test('frequent requests share one check', async ({ server }) => {
  let probes = 0;
  const { blobs } = server.context;
  const counted = {
    ...server.context,
    blobs: { ...blobs, probe: () => ((probes += 1), blobs.probe()) },
  };
  await using monitoring = await openMonitoring(counted, serverPages(counted, jobs));
  await Promise.all(Array.from({ length: 20 }, () => fetch(`${monitoring?.url}/readyz`)));
  expect(probes).toBe(1);
});

test('the metrics include the free space of the storage, and NaN while it cannot be read', async ({ server }) => {
  Object.assign(server.context.blobs, { space: async () => ({ free: 7_000_000_000, total: 9_000_000_000 }) });
  const freeBytes = async () => {
    await using monitoring = await watch(server);
    return (await metricsAt(monitoring.url)).get('holdfast_storage_free_bytes');
  };
  expect(await freeBytes()).toBe(7_000_000_000);
  Object.assign(server.context.blobs.freeSpace, { free: () => Promise.reject(new Error('the disk is gone')) });
  expect(await freeBytes()).toBe(NaN);
});

test('the metrics report the results of each job, including jobs that never ran', async ({ server }) => {
  const seconds = server.clock.now() / 1000;
  await server.runJob('purge');
  const limited: Job = {
    name: 'limited',
    pattern: '0 0 * * *',
    async run({ deletionLimit }) {
      deletionLimit.check(1_000, 1_000);
      return {};
    },
  };
  await server.runJob(limited).catch(() => {});
  const busy: Job = { ...limited, name: 'busy', run: async () => ({ files: 3, bytes: 7 }) };
  for (let run = 0; run < 2; run += 1) await server.runJob(busy);
  await using monitoring = await watch(server, [...jobs, limited, busy]);
  const metrics = await metricsAt(monitoring.url);
  expect(metrics.get(`holdfast_build_info{version="${version}"}`)).toBe(1);
  expect(metrics.get('holdfast_job_last_success_timestamp_seconds{job="purge"}')).toBe(seconds);
  expect(metrics.get('holdfast_job_last_success_timestamp_seconds{job="sweep-strays"}')).toBe(0);
  expect(metrics.get('holdfast_job_failures_total{job="purge"}')).toBe(0);
  expect(metrics.get('holdfast_job_failures_total{job="limited"}')).toBe(1);
  expect(metrics.get('holdfast_job_deletion_limit_exceeded{job="limited"}')).toBe(1);
  expect(metrics.get('holdfast_job_deletion_limit_exceeded{job="busy"}')).toBe(0);
  expect(metrics.get('holdfast_job_done_total{job="busy",what="bytes"}')).toBe(14);
  expect(metrics.get('holdfast_job_duration_seconds{job="busy"}')).toBeLessThan(5);
  expect((await metricsAt(monitoring.url)).get('holdfast_job_done_total{job="busy",what="bytes"}')).toBe(14);
});

test('the metrics report totals and job results', async ({ server }) => {
  const ada = await signUpAndIn(server, { plan: 'power' });
  await signUpAndIn(server);
  Object.assign(processCounts, { uploads: 0, uploadedBytes: 0, downloads: 0 });
  const [name] = [await uploadFile(server, ada, 'hello'), await uploadFile(server, ada, 'hello again')];
  await (await fetch(fileUrl(server, name))).text();
  await (await fetch(`${fileUrl(server, name)}?no-count=true`)).text();
  await server.context.db.updateTable('files').set({ pending_scan: 1 }).where('name', '=', name).execute();
  await using monitoring = await watch(server);
  const before = await metricsAt(monitoring.url);
  expect(before.get('holdfast_database_up')).toBe(1);
  expect(before.get('holdfast_accounts{plan="power"}')).toBe(1);
  expect(before.get('holdfast_accounts{plan="free"}')).toBe(1);
  expect(before.get('holdfast_live_files{plan="power"}')).toBe(2);
  expect(before.get('holdfast_live_bytes{plan="power"}')).toBe(16);
  expect(before.get('holdfast_files_pending_scan')).toBe(1);
  expect(before.get('holdfast_emails_waiting')).toBe(0);
  expect(before.get('holdfast_uploads_total')).toBe(2);
  expect(before.get('holdfast_uploaded_bytes_total')).toBe(16);
  expect(before.get('holdfast_downloads_total')).toBe(1);
  expect(before.get('process_cpu_seconds_total')).toBeGreaterThan(0);
  await ada.browser.client.deleteFiles({ body: { files: [name] } });
  await signUp(server, 'late@example.com');
  server.clock.advance(minutes(1));
  const after = await metricsAt(monitoring.url);
  expect(after.get('holdfast_live_files{plan="power"}')).toBe(1);
  expect(after.get('holdfast_accounts{plan="free"}')).toBe(2);
});

test('an unavailable database loses only its own metrics, and metrics contain no secrets', async ({ server }) => {
  const ada = await signUpAndIn(server);
  await using monitoring = await watch(server);
  const page = await (await fetch(`${monitoring.url}/metrics`)).text();
  for (const secret of [ada.email, ada.apiKey, server.dataDir]) expect(page).not.toContain(secret);
  await server.context.db.schema.dropTable('jobs').execute();
  const metrics = await metricsAt(monitoring.url);
  expect(metrics.get('holdfast_database_up')).toBe(0);
  expect(metrics.get('holdfast_uploads_total')).toBe(processCounts.uploads);
});

test('the metrics say whether the server is ready, as /readyz does', async ({ server }) => {
  const ready = async () => {
    await using monitoring = await watch(server);
    return (await metricsAt(monitoring.url)).get('holdfast_ready');
  };
  expect(await ready()).toBe(1);
  Object.assign(server.context.blobs, { probe: () => Promise.reject(new BlobsUnavailable('away')) });
  expect(await ready()).toBe(0);
});

test('the metrics count responses by kind and status, times of calls, and sent bytes', async ({ server }) => {
  const ada = await signUpAndIn(server);
  await using monitoring = await watch(server);
  const before = await metricsAt(monitoring.url);
  const name = await uploadFile(server, ada, 'hello '.repeat(10_000));
  for (let times = 0; times < 3; times += 1) await (await fetch(fileUrl(server, name))).text();
  await (await fetch(`${server.url}/file/none.zip`)).text();
  await (await fetch(`${server.url}/api/v3/session/server-info`)).text();
  await (await fetch(`${server.url}/`)).text();
  const pages = 'holdfast_responses_total{kind="page",status="200"}';
  let after = before;
  // A response may be complete for the client a moment before it is for the server.
  await expect
    .poll(async () => (after = await metricsAt(monitoring.url)).get(pages))
    .toBe((before.get(pages) ?? 0) + 1);
  const grown = (metric: string) => (after.get(metric) ?? 0) - (before.get(metric) ?? 0);
  const responses = (kind: string, status: number) =>
    grown(`holdfast_responses_total{kind="${kind}",status="${status}"}`);
  expect(responses('upload', 200)).toBe(1);
  expect([responses('file', 200), responses('file', 404)]).toEqual([3, 1]);
  expect(responses('call', 200)).toBe(1);
  expect(grown('holdfast_call_duration_seconds_count')).toBe(1);
  expect(grown('holdfast_call_duration_seconds_bucket{le="+Inf"}')).toBe(1);
  expect(grown('holdfast_call_duration_seconds_sum')).toBeGreaterThan(0);
  expect(grown('holdfast_sent_bytes_total')).toBeGreaterThanOrEqual(3 * 60_000);
  // Nor do requests to the private port count.
  expect((await metricsAt(monitoring.url)).get(pages)).toBe(after.get(pages));
});

test('the metrics count the alarms in the log', async ({ server }) => {
  await using monitoring = await watch(server);
  const alarms = async () => (await metricsAt(monitoring.url)).get('holdfast_alarms_total');
  expect(await alarms()).toBe(0);
  // Equal alarms are written five times a minute and counted each time.
  for (let times = 0; times < 7; times += 1) server.context.log.error({ blob: 'x' }, 'ALARM: stored bytes are missing');
  server.context.log.error('ALARM: the clock has jumped');
  server.context.log.error('a job failed');
  expect(await alarms()).toBe(8);
});

test('the metrics include the connections to PostgreSQL, which SQLite has not', async ({ server }) => {
  await using monitoring = await watch(server);
  const metrics = await metricsAt(monitoring.url);
  const has = server.context.config.database.engine === 'postgres';
  expect(metrics.has('holdfast_database_calls_waiting')).toBe(has);
  if (!has) return;
  // The first page asks for several at once, while only one connection may be open.
  await expect.poll(async () => (await metricsAt(monitoring.url)).get('holdfast_database_calls_waiting')).toBe(0);
  expect(metrics.get('holdfast_database_connections{state="idle"}')).toBeGreaterThan(0);
});

test('the metrics say whether the scanner responded to the last check', async () => {
  await using clamd = await startClamdStandIn();
  await using server = await startServer({ METRICS_PORT: '0', SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` });
  await using monitoring = await watch(server);
  const up = async () => (await metricsAt(monitoring.url)).get('holdfast_scanner_up');
  expect(await up()).toBe(NaN);
  await checkScanner(server.context);
  expect(await up()).toBe(1);
  clamd.behavior = { kind: 'closes', afterBytes: 0 };
  await checkScanner(server.context);
  expect(await up()).toBe(0);
});
