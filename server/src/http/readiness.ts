import { sql } from 'kysely';
import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { type PrivatePage, plain } from './private-port.ts';

type Parts = Pick<Context, 'db' | 'blobs' | 'log'>;

const patience = seconds(2);
/** A check costs a synced write, so frequent requests share one result. */
const heldFor = seconds(5);

/** Liveness: shows that the process responds at all. Its supervisor restarts it when this fails. */
export const livez = async (): Promise<PrivatePage> => ({ status: 200, type: plain, body: 'ok\n' });

/**
 * Readiness: 200, or 503 if a part that every request needs does not work, with one line per part. Parts whose failure
 * affects only their own feature, such as email, are not checked. It is 503 as soon as the process is about to stop.
 */
export async function createReadiness(parts: Parts, stopping?: AbortSignal): Promise<() => Promise<PrivatePage>> {
  const checks: Checks = {
    database: () => sql`SELECT 1`.execute(parts.db),
    migrations: sameMigrations(parts, await migrationsIn(parts)),
    storage: () => parts.blobs.probe(),
  };
  let asked: Promise<PrivatePage> | null = null;
  let askedAt = 0;
  return async () => {
    if (stopping?.aborted) return { status: 503, type: plain, body: 'stopping\n' };
    const now = performance.now();
    if (asked && now - askedAt < heldFor) return asked;
    askedAt = now;
    return (asked = ask(checks, parts));
  };
}

type Checks = Readonly<Record<string, () => Promise<unknown>>>;

async function ask(checks: Checks, { log }: Parts): Promise<PrivatePage> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, problem: await problemOf(check()) })),
  );
  const failed = found.filter(({ problem }) => problem !== null);
  if (failed.length > 0) log.warn({ failed }, 'not ready');
  const lines = found.map(({ name, problem }) => `${name}: ${problem ?? 'ok'}`);
  const status = failed.length === 0 ? 'ok' : 'degraded';
  return { status: failed.length === 0 ? 200 : 503, type: plain, body: `${[status, ...lines].join('\n')}\n` };
}

/**
 * Opening the database brought its schema to this program's version. Since then, another version may have migrated it,
 * or a backup may have been restored.
 */
const sameMigrations = (parts: Parts, before: readonly string[]) => async (): Promise<void> => {
  const now = await migrationsIn(parts);
  const other = [...before, ...now].filter((name) => !(before.includes(name) && now.includes(name)));
  if (other.length > 0) throw new Error(`the schema has changed since this process started: ${other.join(', ')}`);
};

async function migrationsIn({ db }: Parts): Promise<string[]> {
  return (await db.selectFrom('migrations').select('name').execute()).map((row) => row.name);
}

async function problemOf(checked: Promise<unknown>): Promise<string | null> {
  const { promise: late, resolve } = Promise.withResolvers<string>();
  const timer = setTimeout(() => resolve(`no response within ${patience / 1000} seconds`), patience);
  const answered = checked.then(
    () => null,
    (error: unknown) => (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] ?? '',
  );
  try {
    return await Promise.race([answered, late]);
  } finally {
    clearTimeout(timer);
  }
}
