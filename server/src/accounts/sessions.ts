import type { SignedInSession } from '@holdfast/contract/src/account.ts';
import { Failure } from '@holdfast/contract/src/errors.ts';
import type { ExpressionBuilder } from 'kysely';
import type { Context } from '../context.ts';
import { prepared } from '../storage/db/prepared.ts';
import type { Transaction } from '../storage/db/database.ts';
import { unlessReadOnly } from '../storage/db/read-only.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';
import { clientKey } from '../http/client-address.ts';
import { type CookieJar, sessionCookie } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { days, hours, minutes, timeText } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';
import { deviceName } from './device-name.ts';
import type { Caller } from './identify.ts';

/** A session ends after this time without use, … */
export const idleFor = days(14);
/** … and in any case after this time since sign-in. */
export const validFor = days(30);
/** Minimum interval between writes of the last-seen time, … */
const noteEvery = hours(1);
/** … and for a changed address, because a client can change it with each call. */
const noteMoveEvery = minutes(1);
/** How long the token before a renewal is good for what was under way. */
const previousFor = minutes(1);
/** Each has rate limits of its own. */
const mostSessions = 20;
const longestAgent = 400;

export function sessionKeyOf(cookies: CookieJar): string | undefined {
  const token = cookies.read(sessionCookie);
  return token === undefined ? undefined : sha256Hex(token);
}

export type Parts = Pick<Context, 'db' | 'clock'>;

/** Returns the token. The caller sets the cookie after the transaction was committed. */
export async function startSession(
  { db, clock }: Parts,
  accountId: string,
  client: Pick<ClientFacts, 'address' | 'agent'>,
): Promise<string> {
  const token = randomText(43);
  const now = clock.now();
  await db
    .insertInto('sessions')
    .values({
      token_hash: sha256Hex(token),
      id: randomText(22),
      account_id: accountId,
      agent: client.agent.slice(0, longestAgent),
      address: client.address,
      created_at: now,
      last_seen_at: now,
      confirmed_at: clock.now(),
    })
    .execute();
  await endOldest(db, accountId, sha256Hex(token));
  return token;
}

async function endOldest(db: Parts['db'], accountId: string, newest: string): Promise<void> {
  const others = db
    .selectFrom('sessions')
    .select('token_hash')
    .where('account_id', '=', accountId)
    .where('token_hash', '<>', newest);
  const kept = others
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .limit(mostSessions - 1);
  await db.deleteFrom('sessions').where('token_hash', 'in', others).where('token_hash', 'not in', kept).execute();
}

/**
 * Gives a session a new token, and the calls that are under way with the previous one a minute.
 * @throws {Failure} AUTH_REQUIRED when it has ended meanwhile.
 */
export async function renewSession({ db, clock }: Parts, sessionId: string | null, address: string): Promise<string> {
  const token = randomText(43);
  const renewed = await db
    .updateTable('sessions')
    .set((eb) => ({
      token_hash: sha256Hex(token),
      previous_token_hash: eb.ref('token_hash'),
      confirmed_at: clock.now(),
      address,
    }))
    .where('id', '=', sessionId ?? '')
    .executeTakeFirst();
  if (Number(renewed.numUpdatedRows) !== 1) throw new Failure('AUTH_REQUIRED');
  return token;
}

export function giveSessionCookie(cookies: CookieJar, token: string): void {
  cookies.set(sessionCookie, token, validFor);
}

export function clearSessionCookie(cookies: CookieJar): void {
  cookies.clear(sessionCookie);
}

export async function endSession(context: Parts, cookies: CookieJar): Promise<void> {
  await replaceSession(context, cookies);
  clearSessionCookie(cookies);
}

export async function replaceSession({ db, clock }: Parts, cookies: CookieJar): Promise<void> {
  const token = cookies.read(sessionCookie);
  if (token === undefined) return;
  const hash = sha256Hex(token);
  await db
    .deleteFrom('sessions')
    .where((eb) => eb.or([eb('token_hash', '=', hash), isPrevious(eb, hash, clock.now())]))
    .execute();
}

export async function endSessionsOf(
  { db }: Pick<Context, 'db'>,
  accountId: string,
  keep: string | null = null,
): Promise<number> {
  const ended = await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '<>', keep ?? '')
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}

export interface OpenSession {
  readonly account: AccountRow;
  /** Identifies the session, but does not authenticate. */
  readonly sessionId: string;
  readonly confirmedAt: number;
  readonly isPrevious: boolean;
}

/** Records the use of the session. `found` spares the look-up. */
export async function openSessionOf(
  context: Parts,
  cookies: CookieJar,
  { address }: Pick<ClientFacts, 'address'>,
  found?: FoundSession,
): Promise<OpenSession | undefined> {
  found ??= await findSession(context, cookies);
  if (!found) return undefined;
  const { session_id, last_seen_at, address: lastAddress, confirmed_at: confirmedAt, isPrevious, ...account } = found;
  const hasMoved = clientKey(lastAddress) !== clientKey(address);
  // A stolen token is used from another address. It must not reveal the new key.
  if (isPrevious)
    return hasMoved
      ? undefined
      : { account: { ...account, key_sealed: '' }, sessionId: session_id, confirmedAt: 0, isPrevious };
  if (last_seen_at < context.clock.now() - (hasMoved ? noteMoveEvery : noteEvery))
    await unlessReadOnly(noteUse(context, found, address));
  return { account, sessionId: session_id, confirmedAt, isPrevious };
}

export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** It records nothing, so that a refused call writes nothing. */
export async function findSession({ db, clock }: Parts, cookies: CookieJar) {
  const token = cookies.read(sessionCookie);
  if (token === undefined) return undefined;
  const now = clock.now();
  const hash = sha256Hex(token);
  const open = db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.id as session_id', 'sessions.last_seen_at', 'sessions.address', 'sessions.confirmed_at'])
    .where('sessions.created_at', '>', now - validFor)
    .where('sessions.last_seen_at', '>', now - idleFor)
    .where('accounts.closed_at', 'is', null);
  const found = await open.where('sessions.token_hash', '=', hash).modifyEnd(prepared).executeTakeFirst();
  if (found) return { ...found, isPrevious: false };
  const previous = await open.where((eb) => isPrevious(eb, hash, now)).executeTakeFirst();
  return previous && { ...previous, isPrevious: true };
}

const isPrevious = (eb: ExpressionBuilder<Schema, 'sessions'>, hash: string, now: number) =>
  eb.and([eb('previous_token_hash', '=', hash), eb('sessions.confirmed_at', '>', now - previousFor)]);

async function noteUse(
  { db, clock }: Parts,
  { id, session_id, last_seen_at }: FoundSession,
  address: string,
): Promise<void> {
  const now = clock.now();
  const noted = await db
    .updateTable('sessions')
    .set({ last_seen_at: now, address })
    .where('id', '=', session_id)
    // Of calls that arrive together, one records it.
    .where('last_seen_at', '=', last_seen_at)
    .executeTakeFirst();
  if (Number(noted.numUpdatedRows) === 0) return;
  await db.updateTable('accounts').set({ last_active_at: now }).where('id', '=', id).execute();
}

/** The current one first. */
export async function listSessions(
  { db, clock }: Parts,
  { account, sessionId }: Caller,
  { address }: Pick<ClientFacts, 'address'>,
): Promise<SignedInSession[]> {
  const now = clock.now();
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'agent', 'address', 'created_at', 'last_seen_at'])
    .where('account_id', '=', account.id)
    .where('created_at', '>', now - validFor)
    .where('last_seen_at', '>', now - idleFor)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .execute();
  return rows
    .map((row) => ({
      id: row.id,
      device: deviceName(row.agent),
      // An IPv4 client on a dual-stack socket.
      address: (row.id === sessionId ? address : row.address).replace(/^::ffff:(?=\d+\.)/i, ''),
      time_created: timeText(row.created_at),
      last_seen: timeText(row.last_seen_at),
      is_current: row.id === sessionId,
    }))
    .toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
}

/** Returns the number of ended sessions. */
export async function endSessions(
  tx: Transaction,
  { account, sessionId }: Caller,
  wanted: { session: string } | { others: true },
): Promise<number> {
  if ('others' in wanted) return endSessionsOf({ db: tx }, account.id, sessionId);
  const ended = await tx
    .deleteFrom('sessions')
    .where('account_id', '=', account.id)
    .where('id', '=', wanted.session)
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}
