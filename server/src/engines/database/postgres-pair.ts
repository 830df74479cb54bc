import type { Logger } from 'pino';
import { UnusableSetting } from '../../config/setting-errors.ts';
import { type Database, DatabaseUnavailable, OtherSchema } from './database.ts';
import { connectPostgres, longestStart, whenItResponds } from './postgres.ts';

/** A node that reads a replica asks the primary for little. */
const connectionsToPrimary = 5;

export interface PostgresUrls {
  readonly primary: string;
  readonly replica: string;
}

export interface PostgresPair {
  readonly primary: Database;
  readonly replica: Database;
  /** The one that responded at the start; the replica if both did. */
  readonly responding: Database;
}

/**
 * Connects to a primary and its replica, and changes nothing in them. One of them may be away.
 * @throws {OtherSchema} when the schema is older or newer than this program.
 * @throws {UnusableSetting} when an address needs an operator, or neither responds within `patience`.
 */
export async function openPostgresPair(
  urls: PostgresUrls,
  log: Logger,
  patience = longestStart,
): Promise<PostgresPair> {
  try {
    return await whenItResponds(log, patience, () => connectBoth(urls, log));
  } catch (error) {
    throw error instanceof DatabaseUnavailable ? new UnusableSetting('DATABASE_URL', error) : error;
  }
}

async function connectBoth(urls: PostgresUrls, log: Logger): Promise<PostgresPair> {
  await using opened = new AsyncDisposableStack();
  const connect = async (variable: string, url: string, database: string, connections?: number) => {
    const connected = await connectOrName(variable, () => connectPostgres(url, log.child({ database }), connections));
    opened.defer(() => connected.db.destroy());
    return connected;
  };
  const [primary, replica] = await inBoth(
    connect('DATABASE_URL', urls.primary, 'primary', connectionsToPrimary),
    connect('DATABASE_READ_URL', urls.replica, 'replica'),
  );
  if (primary.away && replica.away) throw primary.away;
  opened.move();
  return { primary: primary.db, replica: replica.db, responding: (replica.away ? primary : replica).db };
}

/** Waits for both, so that what one of them has opened is known when the other fails. */
async function inBoth<T>(one: Promise<T>, other: Promise<T>): Promise<[T, T]> {
  await Promise.allSettled([one, other]);
  return [await one, await other];
}

async function connectOrName<T>(variable: string, connect: () => Promise<T>): Promise<T> {
  try {
    return await connect();
  } catch (error) {
    // OtherSchema means that the setting is correct but the database does not fit.
    throw error instanceof OtherSchema ? error : new UnusableSetting(variable, error);
  }
}
