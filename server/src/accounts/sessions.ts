import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import { type CookieJar, sessionCookie } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { days, hours } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';

/** Decisions section 3. */
export const idleFor = days(14);
export const validFor = days(30);
/** Being seen is written at most this often, so that looking around writes nothing. */
const noteEvery = hours(1);
/** Longer ones are no browser's. */
const longestAgent = 400;

/** What a browser's session is counted by, whether it exists or not. */
export function sessionKeyOf(cookies: CookieJar): string | undefined {
  const token = cookies.read(sessionCookie);
  return token === undefined ? undefined : sha256Hex(token);
}

export type Writer = Pick<Context, 'db' | 'clock'>;

/**
 * Starts a session; only a hash of its token is stored, so the database cannot sign anyone in. Answers the token: the
 * cookie is set when the transaction has come through.
 */
export async function startSession({ db, clock }: Writer, accountId: string, client: ClientFacts): Promise<string> {
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
    })
    .execute();
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

/** Ends the session that a browser had, whose cookie is about to be another. */
export async function replaceSession({ db }: Pick<Context, 'db'>, cookies: CookieJar): Promise<void> {
  const token = cookies.read(sessionCookie);
  if (token !== undefined) await db.deleteFrom('sessions').where('token_hash', '=', sha256Hex(token)).execute();
}

/** Ends every session of an account but the one that is kept. Answers how many. */
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
  /** Names the session and lets nobody in. */
  readonly sessionId: string;
}

/** The open account that the cookie belongs to, or undefined when nobody is signed in. */
export async function openSessionOf(
  { db, clock }: Writer,
  cookies: CookieJar,
  { address }: Pick<ClientFacts, 'address'>,
): Promise<OpenSession | undefined> {
  const token = cookies.read(sessionCookie);
  if (token === undefined) return undefined;
  const now = clock.now();
  const found = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select(['sessions.id as session_id', 'sessions.last_seen_at', 'sessions.address'])
    .where('sessions.token_hash', '=', sha256Hex(token))
    .where('sessions.created_at', '>', now - validFor)
    .where('sessions.last_seen_at', '>', now - idleFor)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
  if (!found) return undefined;
  const { session_id, last_seen_at, address: lastAddress, ...account } = found;
  if (last_seen_at < now - noteEvery || lastAddress !== address) {
    await db.updateTable('sessions').set({ last_seen_at: now, address }).where('id', '=', session_id).execute();
    // Whoever is signed in uses the account, whatever they look at.
    await db.updateTable('accounts').set({ last_active_at: now }).where('id', '=', account.id).execute();
  }
  return { account, sessionId: session_id };
}

/** The sessions of an account that would still be let in, the latest first. */
export function liveSessions({ db, clock }: Writer, accountId: string, most: number) {
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
