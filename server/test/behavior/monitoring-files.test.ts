/** The dashboard and the alert rules that a release contains fit the metrics of a server. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openMonitoring } from '../../src/monitoring/open-monitoring.ts';
import { serverPages } from '../../src/monitoring/server-metrics.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { alertRules, metricsIn, panelQueries } from '../harness/monitoring-files.ts';
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

test('the page for operators explains every metric of our own', async () => {
  const page = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8');
  const named = new Set([...panelQueries, ...alertRules].flatMap(({ expr }) => metricsIn(expr)));
  const own = [...named].filter((name) => name.startsWith('holdfast_'));
  expect(own.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
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
