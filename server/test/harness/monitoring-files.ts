/** The dashboard and the alert rules that a release contains. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const packaging = new URL('../../../packaging/', import.meta.url);

export const alertsPath = fileURLToPath(new URL('prometheus-alerts.yaml', packaging));

export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

export const alertRules = (
  parse(readFileSync(alertsPath, 'utf8')) as { readonly groups: readonly { readonly rules: readonly AlertRule[] }[] }
).groups.flatMap(({ rules }) => rules);

export interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly datasource?: { readonly type: string; readonly uid: string };
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[];
}

const dashboard = JSON.parse(readFileSync(new URL('grafana-dashboard.json', packaging), 'utf8')) as {
  readonly uid: string;
  readonly title: string;
  readonly schemaVersion: number;
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};

/** Expressions of all panels, by the panel's title. */
export const panelQueries = dashboard.panels.flatMap(({ title, targets = [] }) =>
  targets.map(({ refId, expr }) => ({ panel: `${title} (${refId})`, expr })),
);

/** Replaces the variables of Grafana, as it does with everything selected. */
export const withoutVariables = (expr: string): string =>
  expr.replaceAll(/\$(?:job|instance)\b/g, '.*').replaceAll('$__rate_interval', '1m');

/** Names of the metrics in an expression; those of histograms without the ending of their series. */
export function metricsIn(expr: string): string[] {
  const names = [...expr.matchAll(/\b(?:holdfast|process|nodejs)_\w+/g)].map(([name]) => name);
  return names.map((name) => name.replace(/_(?:bucket|sum|count)$/, ''));
}
