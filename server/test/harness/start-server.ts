import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { type Environment, readConfig } from '../../src/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { originsOf } from '../../src/origins.ts';
import { type CapturedMail, createCapturedMail } from './captured-mail.ts';
import { createTestClock, type TestClock } from './test-clock.ts';
import { createTestDatabase } from './test-database.ts';

export interface TestServer extends AsyncDisposable {
  /** Its origin, on loopback. */
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly context: Context;
  readonly clock: TestClock;
  readonly mail: CapturedMail;
  /** Every line that was logged. */
  readonly log: readonly string[];
}

/** The whole product on a free port with a folder and a database of its own. Only time and the post are stand-ins. */
export async function startServer(environment: Environment = {}): Promise<TestServer> {
  const opened = new AsyncDisposableStack();
  try {
    const database = opened.use(await createTestDatabase());
    const dataDir = await mkdtemp(join(tmpdir(), 'holdfast-test-'));
    opened.defer(() => rm(dataDir, { recursive: true, force: true }));
    const clock = createTestClock();
    const mail = createCapturedMail();
    const log: string[] = [];
    const config = readConfig({
      DATA_DIR: dataDir,
      PORT: '0',
      CAPTCHA: 'none',
      ...(database.url !== null && { DATABASE_URL: database.url }),
      ...environment,
    });
    const logger = pino({ base: null }, { write: (line: string) => void log.push(line) });
    const context = opened.use(await openContext(config, logger, { clock, mail }));
    const app = await buildApp(context);
    opened.defer(() => app.close());
    const url = await app.listen({ host: '127.0.0.1', port: 0 });
    const port = Number(new URL(url).port);
    const origins = originsOf(config, port);
    // Once PUBLIC_URL is set only its hosts are served, and a test comes by loopback.
    context.origins = { ...origins, hosts: new Map([...origins.hosts, [new URL(url).host, 'both' as const]]) };
    const closing = opened.move();
    return { url, port, dataDir, context, clock, mail, log, [Symbol.asyncDispose]: () => closing.disposeAsync() };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}
