import { Failure } from '@holdfast/contract/src/errors.ts';
import type { Context } from '../context.ts';
import { prepared } from '../storage/db/prepared.ts';
import { unlessReadOnly } from '../storage/db/read-only.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { clientKey } from '../http/client-address.ts';
import { type CookieJar, sessionCookie } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { days, hours, minutes } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';

/** A session ends after this time without use, … */
export const idleFor = days(14);
/** … and in any case after this time since sign-in. */
export const validFor = days(30);
/** Minimum interval between writes of the last-seen time, so that most reads write nothing, … */
const noteEvery = hours(1);
/** … and for a changed address, because a client can change it with each call. */
const noteMoveEvery = minutes(1);
/** More sessions at once end the oldest ones: each has rate limits of its own. */
const mostSessions = 20;
/** No real browser sends a longer user agent. */
const longestAgent = 400;

/** The rate-limit key of a browser's session, whether or not the session exists. */
export function sessionKeyOf(cookies: CookieJar): string | undefined {
  const token = cookies.read(sessionCookie);
  return token === undefined ? undefined : sha256Hex(token);
}

export type Parts = Pick<Context, 'db' | 'clock'>;

/**
 * Starts a session, and ends the oldest ones of the account if it has too many. Only a hash of the token is stored, so
 * a leaked database cannot be used to sign in. Returns the token: the caller sets the cookie after the transaction has
 * been committed.
 */
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
 * Gives a session a new token after its user has entered the password; the old token no longer works. The session keeps
 * its id and its age. Returns the token, as `startSession` does.
 * @throws {Failure} AUTH_REQUIRED when the session has ended meanwhile.
 */
export async function renewSession({ db, clock }: Parts, sessionId: string | null): Promise<string> {
  const token = randomText(43);
  const renewed = await db
    .updateTable('sessions')
    .set({ token_hash: sha256Hex(token), confirmed_at: clock.now() })
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

export async function endSession(context: Pick<Context, 'db'>, cookies: CookieJar): Promise<void> {
  await replaceSession(context, cookies);
  clearSessionCookie(cookies);
}

/** Ends the browser's previous session, whose cookie is about to be replaced. */
export async function replaceSession({ db }: Pick<Context, 'db'>, cookies: CookieJar): Promise<void> {
  const token = cookies.read(sessionCookie);
  if (token !== undefined) await db.deleteFrom('sessions').where('token_hash', '=', sha256Hex(token)).execute();
}

/** Ends all sessions of an account except `keep`. Returns the number of ended sessions. */
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
  /** When the password was last entered in the session, by the steady time. */
  readonly confirmedAt: number;
}

/**
 * Returns the open account that the cookie belongs to, or undefined without a valid session. Records the use of it.
 * `found` spares the look-up if the session was found a moment ago.
 */
export async function openSessionOf(
  context: Parts,
  cookies: CookieJar,
  { address }: Pick<ClientFacts, 'address'>,
  found?: FoundSession,
): Promise<OpenSession | undefined> {
  found ??= await findSession(context, cookies);
  if (!found) return undefined;
  const { session_id, last_seen_at, address: lastAddress, confirmed_at: confirmedAt, ...account } = found;
  const hasMoved = clientKey(lastAddress) !== clientKey(address);
  if (last_seen_at < context.clock.now() - (hasMoved ? noteMoveEvery : noteEvery))
    await unlessReadOnly(noteUse(context, found, address));
  return { account, sessionId: session_id, confirmedAt };
}

export type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** Finds the open session of a cookie. It records nothing, so that a refused call writes nothing. */
export async function findSession({ db, clock }: Parts, cookies: CookieJar) {
  const token = cookies.read(sessionCookie);
  if (token === undefined) return undefined;
  const now = clock.now();
  return db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.id as session_id', 'sessions.last_seen_at', 'sessions.address', 'sessions.confirmed_at'])
    .where('sessions.token_hash', '=', sha256Hex(token))
    .where('sessions.created_at', '>', now - validFor)
    .where('sessions.last_seen_at', '>', now - idleFor)
    .where('accounts.closed_at', 'is', null)
    .modifyEnd(prepared)
    .executeTakeFirst();
}

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
  // A signed-in browser counts as account activity, whatever it requests.
  await db.updateTable('accounts').set({ last_active_at: now }).where('id', '=', id).execute();
}

/** The valid sessions of an account, latest first. */
export function liveSessions({ db, clock }: Parts, accountId: string, most: number) {
  const now = clock.now();
  return db
    .selectFrom('sessions')
    .select(['id', 'agent', 'address', 'created_at', 'last_seen_at'])
    .where('account_id', '=', accountId)
    .where('created_at', '>', now - validFor)
    .where('last_seen_at', '>', now - idleFor)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(most)
    .execute();
}
