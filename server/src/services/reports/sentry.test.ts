import { expect, test } from 'vitest';
import { reportsConformance } from './conformance.ts';
import { type IngestStandIn, type IngestTrouble, startIngest } from '../../../test/stand-ins/sentry-ingest.ts';
import { openServerSentry } from './sentry.ts';

reportsConformance(async () => {
  const ingest = await startIngest();
  const reports = openServerSentry({ dsn: ingest.dsn });
  return {
    report: (error, where) => reports.report(error, where),
    async [Symbol.asyncDispose]() {
      await reports[Symbol.asyncDispose]();
      await ingest[Symbol.asyncDispose]();
    },
  };
});

interface SentEvent {
  readonly exception: {
    readonly values: readonly {
      readonly type: string;
      readonly value: string;
      readonly stacktrace: { readonly frames: readonly { readonly filename: string; readonly lineno: number }[] };
    }[];
  };
}

const eventsOf = (ingest: IngestStandIn) => ingest.itemsOf('event') as (Record<string, unknown> & SentEvent)[];

test('a report contains the error, the place and the source file', async () => {
  await using ingest = await startIngest();
  const reports = openServerSentry({ dsn: ingest.dsn });
  reports.report(new RangeError('the tide is out'), 'request');
  await reports[Symbol.asyncDispose]();
  const [event, ...more] = eventsOf(ingest);
  expect(more).toEqual([]);
  expect(event).toMatchObject({ platform: 'node', level: 'error', tags: { where: 'request' } });
  const [exception] = event?.exception.values ?? [];
  expect(exception).toMatchObject({ type: 'RangeError', value: 'the tide is out' });
  expect(exception?.stacktrace.frames.at(-1)?.filename).toMatch(/sentry\.test\.ts$/);
});

test('a report contains only the failure: no request, machine or person', async () => {
  await using ingest = await startIngest();
  const reports = openServerSentry({ dsn: ingest.dsn });
  reports.report(
    Object.assign(new Error('kelp'), { password: 'Correct-Horse-7', headers: { cookie: 'x=1' } }),
    'request',
  );
  await reports[Symbol.asyncDispose]();
  expect(Object.keys(eventsOf(ingest)[0] ?? {}).toSorted()).toEqual([
    'contexts',
    'event_id',
    'exception',
    'level',
    'platform',
    'tags',
    'timestamp',
  ]);
  expect(ingest.received.join()).not.toMatch(/Correct-Horse|cookie/);
});

test('secrets in messages and causes are masked', async () => {
  await using ingest = await startIngest();
  const reports = openServerSentry({ dsn: ingest.dsn });
  const key = `hf_${'aB3'.repeat(15)}z`;
  const token = 'Zk9-_'.repeat(9);
  const cause = new Error(`holdfast-session=${token}; /reset-password#key=${token}`);
  reports.report(new Error(`${key} for ada@example.com with code 123456`, { cause }), 'request');
  await reports[Symbol.asyncDispose]();
  const sent = ingest.received.join();
  expect(sent).toContain('hf_… for …@… with code …');
  for (const secret of [key, token, 'ada@example.com', '123456']) expect(sent).not.toContain(secret);
});

test('5,000 failures send at most 30 reports', async () => {
  await using ingest = await startIngest();
  const reports = openServerSentry({ dsn: ingest.dsn });
  for (let failure = 0; failure < 5_000; failure += 1) reports.report(new Error(`failure ${failure}`), 'request');
  await reports[Symbol.asyncDispose]();
  expect(ingest.received.length).toBeGreaterThan(0);
  expect(ingest.received.length).toBeLessThanOrEqual(30);
});

test.each<IngestTrouble>(['overloaded', 'dropped', 'silent'])(
  'with trouble %s at the report service, nothing is thrown and closing ends',
  async (trouble) => {
    await using ingest = await startIngest();
    ingest.suffer(trouble);
    const reports = openServerSentry({ dsn: ingest.dsn, lastMs: 200 });
    reports.report(new Error('kelp'), 'request');
    await ingest.hasReceived(1);
    await reports[Symbol.asyncDispose]();
  },
);
