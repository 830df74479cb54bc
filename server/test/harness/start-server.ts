import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import type { Memory } from '../../src/accounts/close-account.ts';
import type { Job, JobResult } from '../../src/maintenance/job.ts';
import { runJob, type RunOptions } from '../../src/maintenance/run-job.ts';
import { noteRunning } from '../../src/maintenance/running-time.ts';
import { jobs } from '../../src/maintenance/schedule.ts';
import { originsOf } from '../../src/origins.ts';
import { openPost, type Post } from '../../src/post/send-letters.ts';
import { createCapturedMail, type LetterBoxes, openLetterBoxes } from './captured-mail.ts';
import { holdAnswersAgainstDocument } from './documented-answers.ts';
import { refuseSecretsIn } from './no-secrets.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { limitless } from './limitless.ts';
import { createTestDatabase } from './test-database.ts';

export interface TestServer extends AsyncDisposable {
  /** Its origin, on loopback. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly context: Context;
  readonly clock: TestClock;
  readonly mail: LetterBoxes;
  readonly post: Post;
  /** What holds bytes of files in memory. */
  readonly memory: Memory;
  /** Runs a job of maintenance: here none runs by itself. It rejects with what stops the job, and when it is not its turn. */
  runJob(job: string | Job, options?: RunOptions): Promise<JobResult>;
  /** The names of jobs that would run now, before their time. */
  readonly soon: readonly string[];
  /** Every line that was logged. */
  readonly log: readonly string[];
  /** Every route there is, as `GET /path`; `ANY` for one that takes every method. */
  readonly routes: readonly string[];
}

/**
 * The whole product on a free port with a folder and a database of its own. Only time and, where `MAIL_URL` names none,
 * the mail server are stand-ins, and the counters, which refuse nothing: all tests come from one address in no time.
 * Tests of limits ask for real ones.
 */
export async function startServer(
  environment: Environment = {},
  { limits = 'none' }: { limits?: 'none' | 'real' } = {},
): Promise<TestServer> {
  const opened = new AsyncDisposableStack();
  try {
    const database = opened.use(await createTestDatabase());
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const clock = createTestClock();
    const captured = createCapturedMail();
    const log: string[] = [];
    opened.defer(() => refuseSecretsIn(log, captured.sent));
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      CAPTCHA: 'none',
      ...(database.url !== null && { DATABASE_URL: database.url }),
      ...environment,
    });
    const logger = pino({ base: null }, { write: (line: string) => void log.push(line) });
    const context = opened.use(
      await openContext(config, logger, {
        clock,
        ...(environment['MAIL_URL'] === undefined && { mail: captured }),
        ...(limits === 'none' && { counters: limitless }),
      }),
    );
    // As every process does when it begins, and then once a minute; see `letRun`.
    await noteRunning(context);
    const post = openPost(context);
    const routes: string[] = [];
    const memories: Memory[] = [];
    const soon: string[] = [];
    const app = await buildApp(context, {
      post,
      maintain: (held) => (
        memories.push(held),
        { runSoon: (job) => soon.push(job.name), async [Symbol.asyncDispose]() {} }
      ),
      onRoute: (route) => void routes.push(...namesOf(route)),
    });
    const memory: Memory = {
      forget: (ids) => memories[0]?.forget(ids),
      writeAccesses: async () => memories[0]?.writeAccesses?.(),
    };
    opened.defer(holdAnswersAgainstDocument(app));
    opened.defer(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(url).port);
    const origins = originsOf(config, port);
    // Once PUBLIC_URL is set only its hosts are served, and a test comes by loopback.
    context.origins = { ...origins, hosts: new Map([...origins.hosts, [new URL(url).host, 'both' as const]]) };
    const mail = openLetterBoxes(captured, post);
    const closing = opened.move();
    return {
      url,
      port,
      dataDir,
      context,
      clock,
      mail,
      post,
      memory,
      runJob: (job, options) => runNamed(context, memory, job, options),
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

async function runNamed(
  context: Context,
  memory: Memory,
  named: string | Job,
  options?: RunOptions,
): Promise<JobResult> {
  const job = typeof named === 'string' ? jobs.find(({ name }) => name === named) : named;
  if (!job) throw new Error('There is no such job.');
  const result = await runJob(context, memory, job, options);
  if (!result) throw new Error(`Another process runs ${job.name}.`);
  return result;
}

function namesOf({ method, url }: { readonly method: string | readonly string[]; readonly url: string }): string[] {
  const methods = [method].flat();
  return methods.length > 5 ? [`ANY ${url}`] : methods.map((each) => `${each} ${url}`);
}
