/** The alert rules and the dashboard of a release, read by a real Prometheus. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import { serverPages } from '../../src/monitoring/server-metrics.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { signUpAndIn } from '../harness/accounts.ts';
import { blockOf } from '../harness/documented-blocks.ts';
import { alertRules, alertsPath, panelQueries, withoutVariables } from '../harness/monitoring-files.ts';
import { startServer } from '../harness/start-server.ts';
import { fileUrl, uploadFile } from '../harness/uploads.ts';
import { startClamdStandIn } from '../stand-ins/clamd.ts';
import { type AlertCase, alertCases } from './alert-cases.ts';

const run = promisify(execFile);

async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'holdfast-prometheus-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('promtool accepts the rules', async () => {
  const { stdout } = await run('promtool', ['check', 'rules', alertsPath]);
  expect(stdout).toContain(`SUCCESS: ${alertRules.length} rules found`);
});

test('each alert fires on its condition and not before, and nothing else fires', async () => {
  const named = new Set(alertCases.map(({ alert }) => alert));
  expect(alertRules.filter(({ alert }) => !named.has(alert))).toEqual([]);
  for (const [step, cases] of Map.groupBy(alertCases, (each) => each.step ?? 1)) await runUnitTests(cases, step);
});

async function runUnitTests(cases: readonly AlertCase[], step: number): Promise<void> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'alerts.test.yaml');
  const tests = cases.flatMap(({ raise, quiet, ...each }) => [
    unitTest(`${each.alert} fires`, step, raise, timesOf(each)),
    unitTest(`${each.alert} is quiet`, step, quiet, [[each.after, []]]),
  ]);
  await writeFile(path, stringify({ rule_files: [alertsPath], evaluation_interval: `${step}m`, tests }));
  const { stdout } = await run('promtool', ['test', 'rules', path]).catch((error: unknown) => {
    throw new Error((error as { readonly stderr: string }).stderr);
  });
  expect(stdout).toContain('SUCCESS');
}

type Expected = readonly [minutes: number, alerts: readonly string[]];

const timesOf = ({ alert, notYet, after }: Pick<AlertCase, 'alert' | 'notYet' | 'after'>): readonly Expected[] => [
  ...(notYet === undefined ? [] : [[notYet, []] as const]),
  [after, [alert]],
];

/** In the format of promtool: which alerts of all rules fire at each time. */
const unitTest = (
  name: string,
  step: number,
  series: Readonly<Record<string, string>>,
  times: readonly Expected[],
) => ({
  name,
  interval: `${step}m`,
  input_series: Object.entries(series).map(([of, values]) => ({ series: of, values })),
  promql_expr_test: times.map(([minutes, alerts]) => ({
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minutes}m`,
    exp_samples: alerts.map((alert) => ({ labels: `{alertname="${alert}"}`, value: 1 })),
  })),
});

/** Panels without data on this server: it has no database connections and no replica, and there were no failures. */
const empty: ReadonlySet<string> = new Set([
  'Connections to PostgreSQL (A)',
  'Connections to PostgreSQL (B)',
  'Failures by status (A)',
  'Age of replicas (A)',
  'Hits that wait (A)',
  'Replica in use (A)',
]);

test('Prometheus, set up as the docs say, evaluates every rule, and every panel has data of a server', async () => {
  await using clamd = await startClamdStandIn();
  await using server = await startServer({ METRICS_PORT: '0', SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` });
  await using monitoring = await openMonitoring(server.context, serverPages(server.context, jobs));
  const ada = await signUpAndIn(server);
  const name = await uploadFile(server, ada, 'hello');
  await server.runJob('purge');
  await using prometheus = await startPrometheus(new URL(monitoring?.url ?? '').host);
  const ask = async () => {
    await (await fetch(fileUrl(server, name))).text();
    await (await fetch(`${server.url}/file/none.zip`)).text();
    await (await fetch(`${server.url}/api/v3/session/server-info`)).text();
    return prometheus.query('sum(rate(holdfast_responses_total{kind="call"}[1m]))');
  };
  await expect
    .poll(async () => Number((await ask())[0]?.value[1] ?? 0), { timeout: 30_000, interval: 500 })
    .toBeGreaterThan(0);
  for (const { panel, expr } of panelQueries) {
    const found = await prometheus.query(withoutVariables(expr));
    expect([panel, found.length > 0]).toEqual([panel, !empty.has(panel)]);
  }
  const purges = await prometheus.query('holdfast_job_last_success_timestamp_seconds{exported_job="purge"} > 0');
  expect(purges.map(({ metric }) => metric['job'])).toEqual(['holdfast']);
  await expect
    .poll(async () => (await prometheus.rules()).map(({ health }) => health), { timeout: 30_000 })
    .toEqual(alertRules.map(() => 'ok'));
});

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Prometheus extends AsyncDisposable {
  readonly query: (expr: string) => Promise<readonly Sample[]>;
  readonly rules: () => Promise<readonly { readonly name: string; readonly health: string }[]>;
}

/** With the settings of docs/operations.md, but for the file of the rules, the target and a shorter interval. */
async function startPrometheus(target: string): Promise<Prometheus> {
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(await temporaryFolder());
  const settings = blockOf('docs/operations.md', 'Prometheus and Grafana', 'yaml')
    .replace('/opt/holdfast/packaging/prometheus-alerts.yaml', alertsPath)
    .replace('127.0.0.1:9464', target)
    .replace('scrape_interval: 15s', 'scrape_interval: 1s');
  expect(settings).toContain(target);
  expect(settings).toContain(alertsPath);
  expect(settings).toContain('scrape_interval: 1s');
  const file = join(folder.path, 'prometheus.yml');
  await writeFile(file, `global: { evaluation_interval: 1s }\n${settings}`);
  const url = `http://127.0.0.1:${await freePort()}`;
  const args = [
    `--config.file=${file}`,
    `--storage.tsdb.path=${join(folder.path, 'data')}`,
    `--web.listen-address=${new URL(url).host}`,
  ];
  const child = spawn('prometheus', args, { stdio: 'ignore' });
  opened.defer(async () => {
    const ended = once(child, 'exit');
    if (child.kill('SIGTERM')) await ended;
  });
  const ask = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(`${url}/api/v1/${path}`)).json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${path}: ${answer.error}`);
    return answer.data;
  };
  await expect
    .poll(
      () =>
        fetch(`${url}/-/ready`).then(
          ({ status }) => status,
          () => 0,
        ),
      { timeout: 30_000 },
    )
    .toBe(200);
  const closing = opened.move();
  return {
    query: async (expr) => (await ask<{ result: Sample[] }>(`query?query=${encodeURIComponent(expr)}`)).result,
    async rules() {
      const { groups } = await ask<{ groups: { rules: { name: string; health: string }[] }[] }>('rules');
      return groups.flatMap(({ rules }) => rules);
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}
