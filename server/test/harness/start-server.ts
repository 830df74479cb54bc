import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { type PasswordCost, standardCost } from '../../src/lib/password-cost.ts';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Environment } from '../../src/config/read-setting.ts';
import { type Context, openContext } from '../../src/context.ts';
import { openLog } from '../../src/lib/open-log.ts';
import { type HitCounter, openHitCounter } from '../../src/delivery/hits.ts';
import type { Job, JobResult } from '../../src/jobs/job.ts';
import { runJob, type RunOptions } from '../../src/jobs/run-job.ts';
import { jobs } from '../../src/jobs/schedule.ts';
import type { Email } from '../../src/services/mail/mail.ts';
import type { Counters } from '../../src/storage/counters/counters.ts';
import { originsOf } from '../../src/config/origins.ts';
import { openEmailWorker, type EmailWorker } from '../../src/email/worker.ts';
import { goodPassword } from './accounts.ts';
import { createCapturedMail, type Mailboxes, openMailboxes } from './captured-mail.ts';
import { holdAnswersAgainstDocument } from './documented-answers.ts';
import { TestRunner } from 'vitest';
import { memoryFolder } from '@holdfast/test-support/memory-folder.ts';
import { createTestClock, type TestClock } from '@holdfast/test-support/test-clock.ts';
import { newTestBlobs } from './test-blobs.ts';
import { createMigratedDatabase, placeMigrated } from './test-database.ts';

export interface TestServer extends AsyncDisposable {
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
  readonly log: readonly string[];
  /** Every existing route, as `GET /path`; `ANY` for one that accepts every method. */
  readonly routes: readonly string[];
}

/** Counters that never refuse. */
const limitless: Counters = {
  take: async (_key, { capacity }) => ({ allowed: true, remaining: capacity, resetSeconds: 0, retryAfterSeconds: 0 }),
  async giveBack() {},
};

/** Most tests would pay the real one many times. */
const cheapest: PasswordCost = { ...standardCost, memoryCost: 64, timeCost: 1 };

/**
 * The whole product on a free port with its own folder and database. Only four parts are stand-ins: time; the mail
 * server, unless `MAIL_URL` names one; the cost of passwords; and the counters, which never refuse, as all tests come
 * from one address in almost no time. Tests of limits request real counters.
 */
export async function startServer(
  environment: Environment = {},
  { limits = 'none', passwordCost = cheapest }: { limits?: 'none' | 'real'; passwordCost?: PasswordCost } = {},
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
        passwordCost,
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
      runningJobs: { runSoon: (job) => soon.push(job.name), async tick() {}, async [Symbol.asyncDispose]() {} },
      onRoute: (route) => void routes.push(...namesOf(route)),
    });
    opened.defer(holdAnswersAgainstDocument(app));
    opened.defer(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(url).port);
    const origins = originsOf(config, port);
    // With PUBLIC_URL set, only its hosts are served, but a test connects over loopback.
    context.config.origins = { ...origins, hosts: new Map([...origins.hosts, [new URL(url).host, 'both' as const]]) };
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

/**
 * The context of another process of the same service: its own engines on the same database and storage. Two connections
 * to SQLite in one thread would wait for each other, so there it shares the first one's; `startJob` starts real
 * processes.
 */
export async function openSecond({ context, clock }: TestServer): Promise<Context> {
  if (context.config.database.engine === 'sqlite') return { ...context, async [Symbol.asyncDispose]() {} };
  return openContext(context.config, pino({ enabled: false }), { clock, mail: context.mail, counters: limitless });
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

/** Checks that no log line contains a secret. It runs when a server ends, so every test of the suite is covered. */
function refuseSecretsIn(log: readonly string[], emails: readonly Email[]): void {
  const sent = emails.flatMap(({ secret }) => (secret === null ? [] : [keyOf(secret)]));
  const secrets = [goodPassword, ...sent].map(
    (secret) => new RegExp(`(?<![0-9A-Za-z])${escaped(secret)}(?![0-9A-Za-z])`),
  );
  const shapes = [/hf_[0-9A-Za-z]{46}/, /holdfast-(session|pending)[\w-]*=\w/, /[?&#]key=\w/, ...secrets];
  const line = log.find((each) => shapes.some((shape) => shape.test(each)));
  if (line !== undefined) throw new Error(`a secret was logged: ${line}`);
}

/** A link is as secret as the key in it. */
const keyOf = (secret: string) =>
  URL.canParse(secret) ? (new URLSearchParams(new URL(secret).hash.slice(1)).get('key') ?? secret) : secret;

const escaped = (text: string) => text.replaceAll(/[^0-9A-Za-z]/g, String.raw`\$&`);
