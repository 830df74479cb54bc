import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '@holdfast/test-support/free-ports.ts';
import { newAccountRows } from '@holdfast/test-support/account-rows.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import { pino } from 'pino';
import { readConfig } from '../../src/config/config.ts';
import { type Context, openContext } from '../../src/context.ts';

/** Folder, settings and port of a service that outlives its processes. */
export interface Place {
  readonly folder: string;
  readonly dataDir: string;
  readonly logPath: string;
  readonly port: number;
  readonly environment: Readonly<Record<string, string>>;
}

/** An account that calls with its API key. */
export interface Uploader {
  readonly id: string;
  readonly email: string;
  apiKey: string;
}

/** @param databaseUrl null for SQLite in the data folder. */
export async function openPlace(
  folder: string,
  databaseUrl: string | null,
  environment: Readonly<Record<string, string>> = {},
): Promise<Place> {
  const port = await freePort();
  const dataDir = join(folder, 'data');
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  return {
    folder,
    dataDir,
    logPath: join(folder, 'server.log'),
    port,
    environment: {
      DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: String(port),
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      CAPTCHA: 'none',
      // Each request names a client address of its own, so that no limit of an address is reached.
      TRUST_PROXY: '127.0.0.1',
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      ...environment,
    },
  };
}

/** Runs `use` with the engines of the place, beside its server or without one, as the operator's command does. */
export async function withContext<T>(place: Place, use: (context: Context) => Promise<T>): Promise<T> {
  await using context = await openContext(readConfig(place.environment), pino({ enabled: false }), {
    schema: 'as it is',
  });
  return await use(context);
}

/** The place must have been served before. */
export function addUploaders(place: Place, count: number, plan: PlanLevel = 'power'): Promise<Uploader[]> {
  return withContext(place, async (context) => {
    const uploaders: Uploader[] = [];
    for (let at = 0; at < count; at += 1) {
      const email = `uploader${at}@example.com`;
      const { account, apiKey } = await newAccountRows({
        email,
        password: 'Correct-Horse-7',
        plan,
        now: Date.now(),
        secret: context.secret,
      });
      await context.db.insertInto('accounts').values(account).execute();
      uploaders.push({ id: account.id, email, apiKey });
    }
    return uploaders;
  });
}
