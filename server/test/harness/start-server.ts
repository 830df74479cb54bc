import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-setting.ts';
import { type Context, openContext } from '../../src/context.ts';
import { openLog } from '../../src/lib/open-log.ts';
import { type HitCounter, openHitCounter } from '../../src/delivery/hits.ts';
import type { Job, JobResult } from '../../src/jobs/job.ts';
import { runJob, type RunOptions } from '../../src/jobs/run-job.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import { originsOf } from '../../src/config/origins.ts';
import { openEmailWorker, type EmailWorker } from '../../src/email/worker.ts';
import { createCapturedMail, type Mailboxes, openMailboxes } from './captured-mail.ts';
import { holdAnswersAgainstDocument } from './documented-answers.ts';
import { refuseSecretsIn } from './no-secrets.ts';
import { TestRunner } from 'vitest';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { createTestClock, type TestClock } from '@holdfast/test-support/test-clock.ts';
import { limitless } from './limitless.ts';
import { newTestBlobs } from './test-blobs.ts';
import { createMigratedDatabase, placeMigrated } from './test-database.ts';

export interface TestServer extends AsyncDisposable {
  /** Its origin, on loopback. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly context: Context;
  readonly clock: TestClock;
  readonly mail: Mailboxes;
  readonly emailWorker: EmailWorker;
  readonly hits: HitCounter;
  /**
   * Runs a job: none runs automatically here. It rejects with the reason that stops the job, and also when
   * it is not its turn.
   */
  runJob(job: string | Job, options?: RunOptions): Promise<JobResult>;
  /** Names of jobs that would run early, before their scheduled time. */
  readonly soon: readonly string[];
  /** Every logged line. */
  readonly log: readonly string[];
  /** Every existing route, as `GET /path`; `ANY` for one that accepts every method. */
  readonly routes: readonly string[];
}

/**
 * The whole product on a free port with its own folder and database. Only three parts are stand-ins: time; the mail
 * server, unless `MAIL_URL` names one; and the counters, which never refuse, as all tests come from one address in
 * almost no time. Tests of limits request real counters.
 */
export async function startServer(
  environment: Environment = {},
  { limits = 'none' }: { limits?: 'none' | 'real' } = {},
): Promise<TestServer> {
  const opened = new AsyncDisposableStack();
  try {
    const database = opened.use(await createMigratedDatabase());
    const dataDir = await mkdtemp(join(memoryFolder(), 'holdfast-test-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const clock = createTestClock();
    const captured = createCapturedMail();
    const log: string[] = [];
    showErrorsOnFailure(log);
    opened.defer(() => refuseSecretsIn(log, captured.sent));
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      CAPTCHA: 'none',
      ...(database.url !== null && { DATABASE_URL: database.url }),
      ...newTestBlobs(),
      ...environment,
    });
    if (config.database.engine === 'sqlite') await placeMigrated(config.database.path);
    const logger = openLog({ write: (line) => void log.push(line) });
    const context = opened.use(
      await openContext(config, logger, {
        clock,
        ...(environment['MAIL_URL'] === undefined && { mail: captured }),
        ...(limits === 'none' && { counters: limitless }),
      }),
    );
    const emailWorker = openEmailWorker(context);
    const hits = openHitCounter(context);
    const routes: string[] = [];
    const soon: string[] = [];
    const app = await buildApp(context, {
      emailWorker,
      hits,
      runningJobs: { runSoon: (job) => soon.push(job.name), async [Symbol.asyncDispose]() {} },
      onRoute: (route) => void routes.push(...namesOf(route)),
    });
    opened.defer(holdAnswersAgainstDocument(app));
    opened.defer(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(url).port);
    const origins = originsOf(config, port);
    // With PUBLIC_URL set, only its hosts are served, but a test connects over loopback.
    context.origins = { ...origins, hosts: new Map([...origins.hosts, [new URL(url).host, 'both' as const]]) };
    const mail = openMailboxes(captured, emailWorker);
    const closing = opened.move();
    return {
      url,
      port,
      dataDir,
      context,
      clock,
      mail,
      emailWorker,
      hits,
      runJob: (job, options) => runNamed(context, job, options),
      soon,
      log,
      routes,
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function runNamed(context: Context, named: string | Job, options?: RunOptions): Promise<JobResult> {
  const job = typeof named === 'string' ? jobs.find(({ name }) => name === named) : named;
  if (!job) throw new Error('There is no such job.');
  const result = await runJob(context, job, options);
  if (!result) throw new Error(`${job.name} does not run: another process runs it, or the clock has jumped.`);
  return result;
}

function namesOf({ method, url }: { readonly method: string | readonly string[]; readonly url: string }): string[] {
  const methods = [method].flat();
  return methods.length > 5 ? [`ANY ${url}`] : methods.map((each) => `${each} ${url}`);
}

/** Prints the errors that the server logged if the test fails: a 500 alone does not say why. */
function showErrorsOnFailure(log: readonly string[]): void {
  TestRunner.getCurrentTest()?.context.onTestFailed(() => {
    const errors = log.filter((line) => line.includes('request failed'));
    for (const line of errors.slice(0, 5)) process.stderr.write(line);
  });
}
