import { pino } from 'pino';
import { onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context.ts';
import { newPlace } from './new-place.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';

export interface OneOfSeveral extends ServerProcess {
  readonly url: string;
}

export interface SeveralProcesses {
  readonly processes: readonly OneOfSeveral[];
  readonly context: Context;
  readonly start: (environment?: Readonly<Record<string, string>>) => Promise<OneOfSeveral>;
}

/** Real processes on one database and one storage, which end with the test. */
export async function startSeveral(
  count: number,
  environment: Readonly<Record<string, string>> = {},
): Promise<SeveralProcesses> {
  const { environment: place, dataDir } = await newPlace();
  const settings = {
    ...place,
    BLOBS_URL: `file:${dataDir}/blobs`,
    SECRET_KEY: 'the secret key of all these processes',
    TRUST_PROXY: '127.0.0.1',
    ...environment,
  };
  const start = async (more: Readonly<Record<string, string>> = {}): Promise<OneOfSeveral> => {
    const started = await startServerProcess({ ...settings, ...more });
    onTestFinished(() => started[Symbol.asyncDispose]());
    return Object.assign(started, { url: await started.listening });
  };
  // The first one makes the database.
  const processes = [await start()];
  processes.push(...(await Promise.all(Array.from({ length: count - 1 }, () => start()))));
  const config = readConfig({ ...settings, PUBLIC_URL: processes[0]?.url });
  const context = await openContext(config, pino({ enabled: false }));
  onTestFinished(() => context[Symbol.asyncDispose]());
  return { processes, context, start };
}

/** No email is read from processes that are started like this. */
export const noMail = { newestSecretFor: () => Promise.reject(new Error('no email is read here')) };
