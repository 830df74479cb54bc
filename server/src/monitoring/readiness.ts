import { sql } from 'kysely';
import type { Logger } from 'pino';
import { version } from '../config/version.ts';
import type { Context } from '../context.ts';
import { seconds } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { StorageFull } from '../storage/blobs/blobs.ts';
import { readSchemaChange, type SchemaChange } from '../storage/db/migrate.ts';
import { isReadOnly } from '../storage/db/moves.ts';

export interface Page {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

export const textPage = (status: number, body: string): Page => ({ status, type: 'text/plain; charset=utf-8', body });

const patience = seconds(2);
/** A check costs a synced write, so frequent requests share one result. */
const heldFor = seconds(5);

/** 200, or 503 if a part that every request needs does not work, or the process is about to stop. */
export function createReadiness({ db, blobs, log }: Pick<Context, 'db' | 'blobs' | 'log'>, stopping?: AbortSignal) {
  let isFull = false;
  const checks = {
    database: () => sql`SELECT 1`.execute(db),
    migrations: async () => checkMigrations(await readSchemaChange(db)),
    storage: async () => {
      isFull = false;
      await blobs.probe().catch((error: unknown) => {
        isFull = error instanceof StorageFull;
        if (!isFull) throw error;
      });
    },
  };
  const notes = async () => ({
    // Downloads go on while the storage is full, and during a move, so the process stays ready.
    space:
      (await blobs.freeSpace.problem().catch(() => null)) ??
      (isFull ? 'uploads are refused, because the storage is full' : null),
    changes: (await isReadOnly(db).catch(() => false)) ? 'refused, because the service is being moved' : null,
  });
  return createReadinessPage({ checks, notes, log }, stopping);
}

interface Readiness {
  /** Parts without which the process is not ready. */
  readonly checks: Readonly<Record<string, () => Promise<unknown>>>;
  /** Problems that leave it ready. */
  readonly notes: () => Promise<Readonly<Record<string, string | null>>>;
  readonly log: Pick<Logger, 'warn'>;
}

export function createReadinessPage(readiness: Readiness, stopping?: AbortSignal): () => Promise<Page> {
  let asked: Promise<Page> | null = null;
  let askedAt = 0;
  return async () => {
    if (stopping?.aborted) return textPage(503, 'stopping\n');
    const now = performance.now();
    if (asked && now - askedAt < heldFor) return asked;
    askedAt = now;
    return (asked = ask(readiness));
  };
}

async function ask({ checks, notes, log }: Readiness): Promise<Page> {
  const found = await Promise.all(
    Object.entries(checks).map(async ([name, check]) => ({ name, problem: await problemOf(check()) })),
  );
  const failed = found.filter(({ problem }) => problem !== null);
  if (failed.length > 0) log.warn({ failed }, 'not ready');
  const noted = Object.entries(await notes()).filter(([, problem]) => problem !== null);
  const lines = [
    failed.length === 0 && noted.length === 0 ? 'ok' : 'degraded',
    ...found.map(({ name, problem }) => `${name}: ${problem ?? 'ok'}`),
    ...noted.map(([name, problem]) => `${name}: ${problem}`),
    `version: ${version}`,
  ];
  return textPage(failed.length === 0 ? 200 : 503, `${lines.join('\n')}\n`);
}

/** A newer version may have migrated the database since it was opened. */
export function checkMigrations({ missing, removing }: SchemaChange): void {
  if (missing.length > 0) throw new Error(`the database no longer has ${missing.join(', ')}`);
  if (removing.length > 0)
    throw new Error(`a newer version has applied ${removing.join(', ')}, and this older one must stop`);
}

async function problemOf(checked: Promise<unknown>): Promise<string | null> {
  const late = () => new Error(`no response within ${patience / 1000} seconds`);
  try {
    await inTime(checked, patience, late);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message || error.name : String(error)).split('\n')[0] ?? '';
  }
}
