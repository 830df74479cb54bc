import { Failure } from '@holdfast/contract/src/errors.ts';
import { resendWaitSeconds } from '@holdfast/contract/src/limits.ts';
import { type ExpressionBuilder, sql, type SqlBool } from 'kysely';
import { timingSafeEqual } from 'node:crypto';
import type { Context } from '../context.ts';
import { lockRows } from '../storage/db/lock-rows.ts';
import type { AccountRow, Schema } from '../storage/db/schema.ts';
import { days, minutes, seconds } from '../lib/clock.ts';
import { deriveKey, hmacHex } from '../lib/derive-key.ts';
import { randomText } from '../lib/random-text.ts';
import { queueEmail } from '../email/queue-email.ts';
import { codeEmail, wantsToJoinEmail } from '../email/templates.ts';
import type { Attempt } from './sealed-cookies.ts';

const validFor = minutes(10);
export const maxGuesses = 5;
/** The one of the sign-up included. */
const maxSendsPerDay = 10;

type Addressee = Pick<AccountRow, 'id' | 'email'>;

export async function resendCodeTo(context: Context, account: Addressee): Promise<Attempt> {
  return context.db.transaction().execute((tx) => sendNewCode({ ...context, db: tx }, account, 'resend'));
}

/** Runs in the caller's transaction. */
export async function sendNewCode(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'secret'>,
  account: Addressee,
  reason: 'sign-up' | 'resend',
): Promise<Attempt> {
  const { code, attempt } = await renewCode(context, account.id, reason);
  await queueEmail(context, codeEmail(context, account.email, code, validFor));
  return { accountId: account.id, attempt };
}

/**
 * A sign-up starts a new attempt and need not wait: the pending code must not confirm its password.
 * @throws {Failure} TOO_MANY_ATTEMPTS.
 */
async function renewCode(
  { db, clock, secret }: Pick<Context, 'db' | 'clock' | 'secret'>,
  accountId: string,
  reason: 'sign-up' | 'resend',
): Promise<{ code: string; attempt: string }> {
  const code = randomText(6, '0123456789');
  const now = clock.now();
  const fresh = {
    code_hash: codeHash(secret, accountId, code),
    guesses: 0,
    sent_at: now,
    expires_at: now + validFor,
  };
  const stored = await db
    .insertInto('email_codes')
    .values({ account_id: accountId, attempt: randomText(16), day_started_at: now, sent_in_day: 1, ...fresh })
    .onConflict((conflict) =>
      conflict
        .column('account_id')
        .doUpdateSet((eb) => ({
          ...fresh,
          attempt: eb.ref(reason === 'sign-up' ? 'excluded.attempt' : 'email_codes.attempt'),
          day_started_at: eb.case().when(isSameDay(now)).then(eb.ref('email_codes.day_started_at')).else(now).end(),
          sent_in_day: eb
            .case()
            .when(isSameDay(now))
            .then(eb('email_codes.sent_in_day', '+', 1))
            .else(1)
            .end(),
        }))
        .where('email_codes.sent_at', '<=', reason === 'sign-up' ? now : now - seconds(resendWaitSeconds))
        .where((eb) => eb.or([eb('email_codes.sent_in_day', '<', maxSendsPerDay), eb.not(isSameDay(now))])),
    )
    .returning('attempt')
    .executeTakeFirst();
  if (!stored) throw await tooSoon({ db, clock }, accountId);
  return { code, attempt: stored.attempt };
}

const isSameDay = (now: number) =>
  sql<SqlBool>`(email_codes.day_started_at > ${now - days(1)} AND email_codes.day_started_at <= ${now})`;

async function tooSoon({ db, clock }: Pick<Context, 'db' | 'clock'>, accountId: string): Promise<Failure> {
  const row = await db
    .selectFrom('email_codes')
    .select(['sent_at', 'sent_in_day', 'day_started_at'])
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  const until =
    row && row.sent_in_day >= maxSendsPerDay
      ? row.day_started_at + days(1)
      : (row?.sent_at ?? 0) + seconds(resendWaitSeconds);
  const retryAfterSeconds = Math.max(1, Math.ceil((until - clock.now()) / 1000));
  const message =
    retryAfterSeconds <= resendWaitSeconds
      ? `Wait ${retryAfterSeconds} seconds before asking for another code.`
      : 'Too many codes were sent to this address today. Try again tomorrow.';
  return new Failure('TOO_MANY_ATTEMPTS', message, { retryAfterSeconds });
}

/** `waiting`: the code is right, and an operator has to approve the account. */
export type CodeCheck = 'verified' | 'waiting' | 'wrong' | 'expired' | 'too-many';

/** Counts a guess before it checks it, so parallel guesses cannot share one count. */
export async function checkCode(context: Context, { accountId, attempt }: Attempt, code: string): Promise<CodeCheck> {
  const { db, clock, secret } = context;
  return db.transaction().execute(async (tx) => {
    // Lock the account's row first, as everywhere.
    await lockRows(tx, tx.selectFrom('accounts').select('id').where('id', '=', accountId));
    const now = clock.now();
    const pending = await tx
      .selectFrom('email_codes')
      .selectAll()
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!pending || pending.expires_at <= now) return 'expired';
    // A later sign-up has replaced the attempt: the browser of the earlier one can neither confirm nor use it up.
    if (attempt !== pending.attempt) return 'wrong';
    if (pending.guesses >= maxGuesses) return 'too-many';
    await tx
      .updateTable('email_codes')
      .set((eb) => ({ guesses: eb('guesses', '+', 1) }))
      .where('account_id', '=', accountId)
      .execute();
    if (!isEqual(pending.code_hash, codeHash(secret, accountId, code))) return 'wrong';
    await tx.deleteFrom('email_codes').where('account_id', '=', accountId).execute();
    const proved = await tx
      .updateTable('accounts')
      .set((eb) => provedColumns(eb, now))
      .where('id', '=', accountId)
      .where('verified_at', 'is', null)
      .where('asked_at', 'is', null)
      .returning(['id', 'email', 'verified_at', 'asked_at'])
      .executeTakeFirst();
    if (!proved) return 'expired';
    if (!isWaiting(proved)) return 'verified';
    await announceWaiting({ ...context, db: tx }, proved);
    return 'waiting';
  });
}

export async function attemptOf({ db }: Pick<Context, 'db'>, accountId: string): Promise<Attempt | undefined> {
  const row = await db
    .selectFrom('email_codes')
    .select('attempt')
    .where('account_id', '=', accountId)
    .executeTakeFirst();
  return row && { accountId, attempt: row.attempt };
}

const codeHash = (secret: Buffer, accountId: string, code: string) =>
  hmacHex(deriveKey(secret, 'email code'), `${accountId}.${code}`);

const isEqual = (a: string, b: string) => timingSafeEqual(Buffer.from(a), Buffer.from(b));

/** If an operator has to approve the account, it waits, and counts as unverified everywhere. */
export const provedColumns = (eb: ExpressionBuilder<Schema, 'accounts'>, now: number) => ({
  verified_at: sql<
    number | null
  >`CASE WHEN ${eb.ref('needs_approval')} = 1 THEN verified_at ELSE coalesce(verified_at, ${now}) END`,
  asked_at: sql<
    number | null
  >`CASE WHEN ${eb.ref('needs_approval')} = 1 THEN coalesce(asked_at, ${now}) ELSE asked_at END`,
});

export const isWaiting = ({ verified_at, asked_at }: Pick<AccountRow, 'verified_at' | 'asked_at'>): boolean =>
  verified_at === null && asked_at !== null;

export async function announceWaiting(
  context: Pick<Context, 'config' | 'db' | 'clock' | 'secret' | 'log'>,
  { id, email }: Pick<AccountRow, 'id' | 'email'>,
): Promise<void> {
  const { contactEmail } = context.config.site;
  context.log.info({ event: 'approval', outcome: 'asked', account: id }, 'an account waits for approval');
  if (contactEmail !== null) await queueEmail(context, wantsToJoinEmail(context, contactEmail, email));
}
