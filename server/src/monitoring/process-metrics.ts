import { collectDefaultMetrics, Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Logger } from 'pino';
import { type ConnectionCounts, type Database, readConnections } from '../storage/db/database.ts';
import { countAlarms } from '../lib/open-log.ts';
import { countResponses } from './response-metrics.ts';
import { countSentBytes } from './sent-bytes.ts';

export interface ProcessMetricsOptions {
  /** On all metrics of this process. */
  readonly labels: Readonly<Record<string, string>>;
  readonly log: Logger;
  /** Those that this process has open. */
  readonly databases: readonly Database[];
  /** Whether the scanner responded last, or null if nobody knows; undefined without a scanner. */
  readonly wasScannerUp?: (() => boolean | null) | undefined;
}

export interface ProcessMetrics extends Disposable {
  /** Returns the metrics in the format of Prometheus. */
  readonly read: () => Promise<string>;
}

/** What one process measures of itself. Of several workers each has a metric of its own. */
export function createProcessMetrics(options: ProcessMetricsOptions): ProcessMetrics {
  const register = new Registry();
  register.setDefaultLabels(options.labels);
  collectDefaultMetrics({ register });
  const responses = countResponses(register);
  const sent = countSentBytes(register);
  const updates = [
    responses.update,
    sent.update,
    alarmCounter(register, options.log),
    connectionGauges(register, options.databases),
    scannerGauge(register, options.wasScannerUp),
  ];
  return {
    read() {
      for (const update of updates) update();
      return register.metrics();
    },
    [Symbol.dispose]() {
      responses[Symbol.dispose]();
      sent[Symbol.dispose]();
    },
  };
}

function alarmCounter(register: Registry, log: Logger): () => void {
  const alarms = new Counter({
    name: 'holdfast_alarms_total',
    help: 'Lines with ALARM in the log of this process.',
    registers: [register],
  });
  return () => {
    alarms.reset();
    alarms.inc(countAlarms(log));
  };
}

function connectionGauges(register: Registry, databases: readonly Database[]): () => void {
  const read = () => databases.map((db) => readConnections(db)).filter((counts) => counts !== null);
  if (read().length === 0) return () => {};
  const registers = [register];
  const connections = new Gauge({
    name: 'holdfast_database_connections',
    help: 'Connections of this process to PostgreSQL, by state: used or idle.',
    labelNames: ['state'],
    registers,
  });
  const waiting = new Gauge({
    name: 'holdfast_database_calls_waiting',
    help: 'Calls of this process that wait for one of its connections to PostgreSQL.',
    registers,
  });
  return () => {
    const all = read();
    const sum = (name: keyof ConnectionCounts) => all.reduce((total, counts) => total + counts[name], 0);
    for (const state of ['used', 'idle'] as const) connections.set({ state }, sum(state));
    waiting.set(sum('waiting'));
  };
}

function scannerGauge(register: Registry, wasScannerUp: ProcessMetricsOptions['wasScannerUp']): () => void {
  if (!wasScannerUp) return () => {};
  const gauge = new Gauge({
    name: 'holdfast_scanner_up',
    help: '1 if the malware scanner responded to the last check of this process; NaN before the first one.',
    registers: [register],
  });
  return () => {
    const wasUp = wasScannerUp();
    gauge.set(wasUp === null ? NaN : Number(wasUp));
  };
}
