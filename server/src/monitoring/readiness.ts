import { sql } from 'kysely';
import type { Logger } from 'pino';
import { version } from '../config/version.ts';
import type { Context } from '../context.ts';
import { isReadOnly } from '../storage/db/moves.ts';
import { readSchemaChange, type SchemaChange } from '../storage/db/migrate.ts';
import { seconds } from '../lib/clock.ts';
import { type PrivatePage, plain } from './private-port.ts';

type Parts = Pick<Context, 'db' | 'blobs' | 'log'>;

const patience = seconds(2);
/** A check costs a synced write, so frequent requests share one result. */
const heldFor = seconds(5);

export const livez = async (): Promise<PrivatePage> => ({ status: 200, type: plain, body: 'ok\n' });

/** 200, or 503 if a part that every request needs does not work, or the process is about to stop. */
export function createReadiness(parts: Parts, stopping?: AbortSignal): () => Promise<PrivatePage> {
  const checks = {
    database: () => sql`SELECT 1`.execute(parts.db),
    migrations: async () => checkMigrations(await readSchemaChange(parts.db)),
    storage: () => parts.blobs.probe(),
  };
  const notes = async () => ({
    // Downloads go on while the storage is nearly full, and during a move, so the process stays ready.
    space: await parts.blobs.freeSpace.problem().catch(() => null),
    changes: (await isReadOnly(parts.db).catch(() => false)) ? 'refused, because the service is being moved' : null,
  });
  return readinessPage({ checks, notes, log: parts.log }, stopping);
}

export interface Readiness {
  /** Parts without which the process is not ready. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Problems that leave it ready. */
  readonly notes: () => Promise<Readonly<Record<string, string | null>>>;
  readonly log: Pick<Logger, 'warn'>;
}

export function readinessPage(readiness: Readiness, stopping?: AbortSignal): () => Promise<PrivatePage> {
  let asked: Promise<PrivatePage> | null = null;
  let askedAt = 0;
  return async () => {
    if (stopping?.aborted) return { status: 503, type: plain, body: 'stopping\n' };
    const now = performance.now();
    if (asked && now - askedAt < heldFor) return asked;
    askedAt = now;
    return (asked = ask(readiness));
  };
}

async function ask({ checks, notes, log }: Readiness): Promise<PrivatePage> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, problem: await problemOf(check()) })),
  );
  const failed = found.filter(({ problem }) => problem !== null);
  if (failed.length > 0) log.warn({ failed }, 'not ready');
  const noted = Object.entries(await notes()).filter(([, problem]) => problem !== null);
  const lines = [
    ...found.map(({ name, problem }) => `${name}: ${problem ?? 'ok'}`),
    ...noted.map(([name, problem]) => `${name}: ${problem}`),
    `version: ${version}`,
  ];
  const status = failed.length === 0 && noted.length === 0 ? 'ok' : 'degraded';
  return { status: failed.length === 0 ? 200 : 503, type: plain, body: `${[status, ...lines].join('\n')}\n` };
}

/** A newer version may have migrated the database since it was opened. */
export function checkMigrations({ missing, removing }: SchemaChange): void {
  if (missing.length > 0) throw new Error(`the database no longer has ${missing.join(', ')}`);
  if (removing.length > 0)
    throw new Error(`a newer version has applied ${removing.join(', ')}, and this older one must stop`);
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
