import type { Context } from '../context.ts';
import type { AccountRow } from '../engines/database/schema.ts';
import type { CookieJar } from '../http/cookies.ts';
import { days, hours } from '../lib/clock.ts';
import { sha256Hex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';

/** Decisions section 3. */
const idleFor = days(14);
const validFor = days(30);
/** Being seen is written at most this often, so that looking around writes nothing. */
const noteEvery = hours(1);

const cookieName = 'session';

/** Starts a session; only a hash of its token is stored, so the database cannot sign anyone in. */
export async function startSession({ db, clock }: Context, accountId: string, cookies: CookieJar): Promise<void> {
  const token = randomText(43);
  const now = clock.now();
  await db
    .insertInto('sessions')
    .values({ token_hash: sha256Hex(token), account_id: accountId, created_at: now, last_seen_at: now })
    .execute();
  cookies.set(cookieName, token, validFor);
}

export async function endSession({ db }: Context, cookies: CookieJar): Promise<void> {
  const token = cookies.read(cookieName);
  if (token !== undefined) await db.deleteFrom('sessions').where('token_hash', '=', sha256Hex(token)).execute();
  cookies.clear(cookieName);
}

/** The open account that the cookie belongs to, or undefined when nobody is signed in. */
export async function accountOfSession({ db, clock }: Context, cookies: CookieJar): Promise<AccountRow | undefined> {
  const token = cookies.read(cookieName);
  if (token === undefined) return undefined;
  const now = clock.now();
  const found = await db
    .selectFrom('sessions')
    .innerJoin('accounts', 'accounts.id', 'sessions.account_id')
    .selectAll('accounts')
    .select('sessions.last_seen_at')
    .where('sessions.token_hash', '=', sha256Hex(token))
    .where('sessions.created_at', '>', now - validFor)
    .where('sessions.last_seen_at', '>', now - idleFor)
    .where('accounts.closed_at', 'is', null)
    .executeTakeFirst();
  if (found && found.last_seen_at < now - noteEvery) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('token_hash', '=', sha256Hex(token)).execute();
  }
  return found;
}
