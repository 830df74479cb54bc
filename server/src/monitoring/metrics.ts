import { collectDefaultMetrics, Counter, Gauge, Registry } from '@prometheus-io/client';

type Value = number | readonly (readonly [labels: Readonly<Record<string, string>>, value: number])[];

/**
 * The name is without `holdfast_`; that of a counter ends in `_total`, as Prometheus asks. `read` returns nothing while
 * the value is unknown.
 */
export type Metric = readonly [
  name: string,
  help: string,
  read: () => Value | undefined | Promise<Value | undefined>,
  ...labels: string[],
];

/** A page in the format of Prometheus, with `labels` on every metric. */
export function createMetricsPage(metrics: readonly Metric[], labels: Readonly<Record<string, string>>) {
  const register = new Registry();
  register.setDefaultLabels(labels);
  collectDefaultMetrics({ register });
  for (const metric of metrics) add(register, metric);
  const page = async () => ({ status: 200, type: register.contentType, body: await register.metrics() });
  return { register, page };
}

function add(register: Registry, [name, help, read, ...labelNames]: Metric): void {
  const options = { name: `holdfast_${name}`, help, labelNames, registers: [register] };
  const metric = name.endsWith('_total') ? new Counter(options) : new Gauge(options);
  Object.assign(metric, {
    async collect() {
      const value = await read();
      metric.reset();
      for (const [labels, each] of typeof value === 'number' ? [[{}, value] as const] : (value ?? []))
        metric.inc(labels, each);
    },
  });
}
