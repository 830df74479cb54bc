/** The sessions of an account, which its owner can view and end (Security). */
import type { SignedInSession } from '@holdfast/contract/src/account.ts';
import type { Context } from '../context.ts';
import { timeText } from '../lib/clock.ts';
import { deviceName } from './device-name.ts';
import type { ClientFacts } from '../http/serve.ts';
import type { Caller } from './identify.ts';
import { endSessionsOf, liveSessions } from './sessions.ts';

/** More than a person would read; `others` also ends sessions that are not listed. */
const mostListed = 100;

/** The address of the current session is the one that asks: a changed address is recorded once a minute at most. */
export async function listSessions(
  context: Context,
  caller: Caller,
  { address }: Pick<ClientFacts, 'address'>,
): Promise<SignedInSession[]> {
  const rows = await liveSessions(context, caller.account.id, mostListed);
  const addressOf = (row: (typeof rows)[number]) => (row.id === caller.sessionId ? address : row.address);
  return rows
    .map((row) => ({
      id: row.id,
      device: deviceName(row.agent),
      // An IPv4 client on a dual-stack socket.
      address: addressOf(row).replace(/^::ffff:(?=\d+\.)/i, ''),
      time_created: timeText(row.created_at),
      last_seen: timeText(row.last_seen_at),
      is_current: row.id === caller.sessionId,
    }))
    .toSorted((a, b) => Number(b.is_current) - Number(a.is_current));
}

/** Ends one of the caller's sessions, or all but the current one. Returns the number of ended sessions. */
export async function endSessions(
  context: Context,
  { account, sessionId }: Caller,
  wanted: { session: string } | { others: true },
): Promise<number> {
  if ('others' in wanted) return endSessionsOf(context, account.id, sessionId);
  const ended = await context.db
    .deleteFrom('sessions')
    .where('account_id', '=', account.id)
    .where('id', '=', wanted.session)
    .executeTakeFirst();
  return Number(ended.numDeletedRows);
}
