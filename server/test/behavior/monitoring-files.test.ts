/** The dashboard and the alert rules that a release contains fit the metrics of a server. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import { serverPages } from '../../src/monitoring/server-metrics.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { alertRules, dashboard, metricsIn, panelQueries, withoutVariables } from '../harness/monitoring-files.ts';
import { startServer } from '../harness/start-server.ts';
import { startClamdStandIn } from '../stand-ins/clamd.ts';

/** Metrics that a server on SQLite has not. */
const ofPostgres = ['holdfast_database_connections', 'holdfast_database_calls_waiting'];

/** Metrics that only a node for public links has. Its own tests read them. */
const ofFilesNodes = ['holdfast_replica_used', 'holdfast_replica_stale_seconds'];

test('a server has every metric that the dashboard and the alerts name, and they name every metric of our own', async () => {
  await using clamd = await startClamdStandIn();
  await using server = await startServer({ METRICS_PORT: '0', SCANNER_URL: `clamd://127.0.0.1:${clamd.port}` });
  await using monitoring = await openMonitoring(server.context, serverPages(server.context, jobs));
  const page = await (await fetch(`${monitoring?.url}/metrics`)).text();
  const known = new Set([...page.matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name));
  if (server.context.config.database.engine === 'sqlite') for (const name of ofPostgres) known.add(name);
  for (const name of ofFilesNodes) known.add(name);
  const named = new Set([...panelQueries, ...alertRules].flatMap(({ expr }) => metricsIn(expr)));
  expect(named.size).toBeGreaterThan(30);
  expect([...named].filter((name) => !known.has(name))).toEqual([]);
  const own = [...known].filter((name) => name.startsWith('holdfast_'));
  expect(own.filter((name) => !named.has(name))).toEqual([]);
});

test('the page for operators explains every metric of our own, and names every alert', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const named = [...panelQueries, ...alertRules].flatMap(({ expr }) => metricsIn(expr));
  const missing = [
    ...new Set([...named.filter((name) => name.startsWith('holdfast_')), ...alertRules.map(({ alert }) => alert)]),
  ].filter((name) => !page.includes(`\`${name}`));
  expect(missing).toEqual([]);
  const documented = [...page.matchAll(/`(Holdfast[A-Z]\w+)`/g)].map(([, name = '']) => name);
  expect(documented.filter((name) => !alertRules.some(({ alert }) => alert === name))).toEqual([]);
});

test('every alert has a name of its own, a severity, a summary and a description that says what to do', () => {
  expect(new Set(alertRules.map(({ alert }) => alert)).size).toBe(alertRules.length);
  for (const { alert, labels, annotations } of alertRules) {
    expect(alert).toMatch(/^Holdfast[A-Z]\w+$/);
    expect(['critical', 'warning'], alert).toContain(labels.severity);
    expect(annotations.summary.length, alert).toBeGreaterThan(20);
    expect(annotations.description.length, alert).toBeGreaterThan(60);
  }
});

test('the dashboard can be imported: panels of its data source, in a grid, without overlaps', () => {
  const variables = dashboard.templating.list.map(({ name }) => name);
  expect(variables).toEqual(['datasource', 'job', 'instance']);
  expect(dashboard.templating.list[0]?.type).toBe('datasource');
  expect([dashboard.uid, dashboard.title]).toEqual(['holdfast', 'Holdfast']);
  const { panels } = dashboard;
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const [at, { type, title, description, datasource, gridPos, targets = [] }] of panels.entries()) {
    expect(title, `panel ${at}`).not.toBe('');
    expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
    const over = panels.slice(0, at).filter((other) => overlaps(gridPos, other.gridPos));
    expect(
      over.map((other) => other.title),
      title,
    ).toEqual([]);
    if (type === 'row') continue;
    expect(datasource, title).toEqual({ type: 'prometheus', uid: '${datasource}' });
    expect(description, title).toMatch(/\.$/);
    expect(targets.length, title).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    for (const { expr } of targets) expect(withoutVariables(expr), title).not.toContain('$');
  }
});

type Place = (typeof dashboard.panels)[number]['gridPos'];

const overlaps = (a: Place, b: Place): boolean =>
  a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
