/** Series that raise each alert, and similar ones that raise none. */

/** Values of a series at each step, in the notation of promtool: `0x10` repeats, `0+5x10` grows. */
type Series = Readonly<Record<string, string>>;

export interface AlertCase {
  readonly alert: string;
  /** Minutes from one value to the next, and between evaluations of the rules; 1 if absent. Times are multiples of it. */
  readonly step?: number;
  readonly raise: Series;
  /** Minutes from the start after which the alert fires. */
  readonly after: number;
  /** Minutes from the start at which it does not fire yet, because it has to last. */
  readonly notYet?: number;
  /** What must raise no alert at all, after the same time. */
  readonly quiet: Series;
}

const of = 'job="holdfast",instance="a:9464"';
const day = 1440;

const oneSeries = (
  alert: string,
  series: string,
  raise: string,
  quiet: string,
  after: number,
  rest: Pick<AlertCase, 'step' | 'notYet'> = {},
): AlertCase => ({ alert, raise: { [series]: raise }, after, quiet: { [series]: quiet }, ...rest });

export const alertCases: readonly AlertCase[] = [
  {
    alert: 'HoldfastDown',
    raise: { [`up{${of}}`]: '1x5 0x60' },
    notYet: 7,
    after: 9,
    // A scrape that fails once, and a target of another service.
    quiet: { [`up{${of}}`]: '1x5 0 1x60', 'up{job="node",instance="a:9100"}': '0x60' },
  },
  oneSeries('HoldfastNotReady', `holdfast_ready{${of}}`, '1x5 0x60', '1x5 0x3 1x60', 12, { notYet: 9 }),
  oneSeries('HoldfastDatabaseDown', `holdfast_database_up{${of}}`, '1x5 0x60', '1x5 0 1x60', 9, { notYet: 7 }),
  oneSeries('HoldfastRestarts', `process_start_time_seconds{${of}}`, '0x5 1 2 3 4 5 5x30', '0x5 1 2 3 3x60', 12, {
    notYet: 8,
  }),
  {
    alert: 'HoldfastAlarm',
    raise: { [`holdfast_alarms_total{${of}}`]: '0x5 1x60' },
    notYet: 5,
    after: 8,
    // One that was raised long ago.
    quiet: { [`holdfast_alarms_total{${of}}`]: '3x60', [`process_start_time_seconds{${of}}`]: `-${day * 60}x60` },
  },
  {
    // It has been there since the first scrape.
    alert: 'HoldfastAlarm',
    raise: { [`holdfast_alarms_total{${of}}`]: '1x60', [`process_start_time_seconds{${of}}`]: '0x60' },
    after: 2,
    quiet: { [`holdfast_alarms_total{${of}}`]: '0x60', [`process_start_time_seconds{${of}}`]: '0x60' },
  },
  {
    alert: 'HoldfastErrors',
    raise: {
      [`holdfast_responses_total{${of},kind="file",status="200"}`]: '0+6000x60',
      [`holdfast_responses_total{${of},kind="call",status="503"}`]: '0+180x60',
    },
    notYet: 8,
    after: 15,
    // One in a hundred, and one failure among the few requests of a quiet night.
    quiet: {
      [`holdfast_responses_total{${of},kind="file",status="200"}`]: '0+6000x60',
      [`holdfast_responses_total{${of},kind="call",status="503"}`]: '0+60x60',
      'holdfast_responses_total{job="holdfast-small",instance="b:9464",kind="page",status="200"}': '0+1x60',
      'holdfast_responses_total{job="holdfast-small",instance="b:9464",kind="page",status="500"}': '0+1x60',
    },
  },
  {
    alert: 'HoldfastSlowCalls',
    raise: {
      [`holdfast_call_duration_seconds_bucket{${of},le="2.5"}`]: '0+90x60',
      [`holdfast_call_duration_seconds_bucket{${of},le="5"}`]: '0+100x60',
      [`holdfast_call_duration_seconds_bucket{${of},le="+Inf"}`]: '0+100x60',
      [`holdfast_call_duration_seconds_count{${of}}`]: '0+100x60',
    },
    notYet: 10,
    after: 20,
    quiet: {
      [`holdfast_call_duration_seconds_bucket{${of},le="1"}`]: '0+99x60',
      [`holdfast_call_duration_seconds_bucket{${of},le="5"}`]: '0+100x60',
      [`holdfast_call_duration_seconds_bucket{${of},le="+Inf"}`]: '0+100x60',
      [`holdfast_call_duration_seconds_count{${of}}`]: '0+100x60',
    },
  },
  {
    alert: 'HoldfastEventLoopSlow',
    raise: { [`nodejs_eventloop_lag_p99_seconds{${of}}`]: '0.3x60' },
    notYet: 9,
    after: 12,
    quiet: {
      [`nodejs_eventloop_lag_p99_seconds{${of}}`]: '0.05x60',
      'nodejs_eventloop_lag_p99_seconds{job="other",instance="b"}': '3x60',
    },
  },
  {
    alert: 'HoldfastMemory',
    raise: { [`process_resident_memory_bytes{${of}}`]: '800000000x60' },
    notYet: 14,
    after: 17,
    quiet: {
      [`process_resident_memory_bytes{${of}}`]: '290000000x60',
      'process_resident_memory_bytes{job="postgres",instance="b"}': '4000000000x60',
    },
  },
  oneSeries('HoldfastConnectionsRefused', `holdfast_connections_refused_total{${of}}`, '0+120x60', '0+6x60', 13, {
    notYet: 9,
  }),
  {
    alert: 'HoldfastFilesOpen',
    raise: { [`process_open_fds{${of}}`]: '60000x60', [`process_max_fds{${of}}`]: '65536x60' },
    notYet: 4,
    after: 7,
    quiet: { [`process_open_fds{${of}}`]: '8000x60', [`process_max_fds{${of}}`]: '65536x60' },
  },
  oneSeries('HoldfastConnectionsUsedUp', `holdfast_database_calls_waiting{${of}}`, '12x60', '0x4 12 0x60', 12, {
    notYet: 4,
  }),
  // It cannot be read.
  oneSeries(
    'HoldfastDiskNearlyFull',
    `holdfast_storage_free_bytes{${of}}`,
    '4000000000x60',
    'NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN',
    7,
    { notYet: 4 },
  ),
  // 100 GB, less by 1 GB each ten minutes: enough for 16 hours.
  oneSeries(
    'HoldfastDiskFillsUp',
    `holdfast_storage_free_bytes{${of}}`,
    '100000000000-1000000000x40',
    '100000000000-10000000x40',
    200,
    { notYet: 50, step: 10 },
  ),
  oneSeries(
    'HoldfastJobStopped',
    `holdfast_job_deletion_limit_exceeded{${of},exported_job="auto-delete"}`,
    '0x5 1x60',
    '0x60',
    7,
    { notYet: 5 },
  ),
  {
    // Both processes report the same runs.
    alert: 'HoldfastJobFails',
    raise: {
      [`holdfast_job_failures_total{${of},exported_job="dormancy"}`]: '7x5 8x5 9x5 10x60',
      'holdfast_job_failures_total{job="holdfast",instance="b:9464",exported_job="dormancy"}': '7x5 8x5 9x5 10x60',
    },
    notYet: 12,
    after: 30,
    quiet: { [`holdfast_job_failures_total{${of},exported_job="dormancy"}`]: '7x5 8x60' },
  },
  oneSeries(
    'HoldfastPurgeLate',
    `holdfast_job_last_success_timestamp_seconds{${of},exported_job="purge"}`,
    '0x60',
    '0+600x60',
    390,
    { notYet: 350, step: 10 },
  ),
  {
    alert: 'HoldfastJobLate',
    step: 60,
    raise: { [`holdfast_job_last_success_timestamp_seconds{${of},exported_job="sweep-strays"}`]: '0x72' },
    notYet: 2 * day,
    after: 2 * day + 180,
    quiet: { [`holdfast_job_last_success_timestamp_seconds{${of},exported_job="sweep-strays"}`]: '60000x72' },
  },
  {
    alert: 'HoldfastClockHeld',
    step: 60,
    raise: {
      [`holdfast_clock_hold_seconds{${of}}`]: '80000x72',
      // They are late because of it.
      [`holdfast_job_last_success_timestamp_seconds{${of},exported_job="purge"}`]: '0x72',
      [`holdfast_job_last_success_timestamp_seconds{${of},exported_job="dormancy"}`]: '0x72',
    },
    notYet: 0,
    after: 2 * day + 180,
    quiet: { [`holdfast_clock_hold_seconds{${of}}`]: '0x72' },
  },
  oneSeries('HoldfastMailWaits', `holdfast_emails_waiting{${of}}`, '200x100', '50x100', 62, { notYet: 55 }),
  {
    alert: 'HoldfastOwnersUnreached',
    step: 60,
    raise: { [`holdfast_owners_unreached{${of}}`]: '2x48' },
    notYet: day - 60,
    after: day + 60,
    quiet: { [`holdfast_owners_unreached{${of}}`]: '0x48' },
  },
  // Not checked yet.
  oneSeries(
    'HoldfastScannerDown',
    `holdfast_scanner_up{${of}}`,
    '1x5 0x60',
    'NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN NaN',
    12,
    { notYet: 9 },
  ),
  oneSeries('HoldfastScansWait', `holdfast_files_pending_scan{${of}}`, '150x60', '20x60', 32, { notYet: 28 }),
  oneSeries('HoldfastPaymentsUnread', `holdfast_payments_unread{${of}}`, '0x5 1x60', '0x60', 7, { notYet: 5 }),
  oneSeries('HoldfastWrongPrices', `holdfast_wrong_prices{${of}}`, '0x5 1x60', '0x60', 7, { notYet: 5 }),
  oneSeries('HoldfastReplicaUnused', `holdfast_replica_used{${of}}`, '1x5 0x60', '1x5 0x3 1x60', 12, { notYet: 9 }),
  {
    // An old alarm of one worker is no alarm of another one that has just started.
    alert: 'HoldfastAlarm',
    raise: {
      [`holdfast_alarms_total{${of},worker="1"}`]: '1x60',
      [`process_start_time_seconds{${of},worker="1"}`]: '0x60',
    },
    after: 2,
    quiet: {
      [`holdfast_alarms_total{${of},worker="1"}`]: '1x60',
      [`process_start_time_seconds{${of},worker="1"}`]: `-${day * 60}x60`,
      [`process_start_time_seconds{${of},worker="2"}`]: '0x60',
    },
  },
  {
    alert: 'HoldfastVersionsDiffer',
    raise: {
      [`holdfast_build_info{${of},version="1.0.0"}`]: '1x100',
      'holdfast_build_info{job="holdfast",instance="b:9464",version="1.1.0"}': '1x100',
    },
    notYet: 55,
    after: 62,
    // Another service may have another version.
    quiet: {
      [`holdfast_build_info{${of},version="1.0.0"}`]: '1x100',
      'holdfast_build_info{job="holdfast-staging",instance="b:9464",version="1.1.0"}': '1x100',
    },
  },
];
