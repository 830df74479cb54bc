import { Failure } from '@holdfast/contract/src/errors.ts';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { Context } from '../context.ts';
import type { Transaction } from '../storage/db/database.ts';
import type { CookieJar } from '../http/cookies.ts';
import type { ClientFacts } from '../http/serve.ts';
import { newRowId } from '../lib/row-id.ts';
import { apiKeyHash, newApiKey, sealApiKey } from './api-key.ts';
import { clientKey } from '../http/client-address.ts';
import { spend } from '../http/rate-limits.ts';
import { mailboxOf } from '../lib/mailbox.ts';
import { forgetMistyped } from './close-account.ts';
import { sendNewCode } from './email-code.ts';
import { emailKey } from './find-account.ts';
import { returnInvitations, takeInvitation } from './invitations.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import { closeResetKeys } from './reset-keys.ts';
import { readPending, rememberBrowser, setPending } from './sealed-cookies.ts';
import { giveSessionCookie, replaceSession, startSession } from './sessions.ts';

export interface Beginning {
  readonly level: PlanLevel;
  readonly invitationId: string | null;
  readonly isVerified: boolean;
  readonly needsApproval: boolean;
}

/**
 * An unverified address has no owner yet: signing up with it again replaces the password.
 * @returns whether the browser is signed in.
 * @throws {Failure} CAPTCHA_FAILED, EMAIL_TAKEN, TOO_MANY_ATTEMPTS, SIGN_UP_CLOSED, INVITATION_REQUIRED,
 * INVITATION_INVALID, EMAIL_DOMAIN_REFUSED.
 */
export async function signUp(
  context: Context,
  cookies: CookieJar,
  client: ClientFacts,
  form: { email: string; password: string; captcha_token?: string | undefined; invitation?: string | undefined },
): Promise<boolean> {
  const ofBoth = `${clientKey(client.address)} ${mailboxOf(form.email)}`;
  const spent = [
    await spend(context, 'sign-ups', client.address),
    await spend(context, 'sign-ups by address and mailbox', ofBoth),
  ];
  if (form.invitation === undefined) refuseUninvited(context, form.email);
  if (!(await context.captcha.check(form.captcha_token, 'create_account'))) throw new Failure('CAPTCHA_FAILED');
  spent.push(await spend(context, 'sign-ups by mailbox', form.email));
  refuseCommonPassword(context, form.password, form.email);
  const forgive = () => Promise.all(spent.map((giveBack) => giveBack()));
  const passwordHash = await hashPassword(form.password, context.passwordCost, { gone: client.gone, forgive });
  const earlier = readPending(context, cookies);
  // One transaction: each replaced password has its new code.
  const made = await context.db.transaction().execute(async (tx) => {
    const within = { ...context, db: tx };
    if (earlier && form.invitation !== undefined) await forgetMistyped(within, earlier, form.invitation, form.email);
    const beginning = await begin(within, form.invitation, form.email);
    const id = await storeAccount(within, form.email, passwordHash, beginning);
    if (id === undefined) throw new Failure('EMAIL_TAKEN');
    await closeResetKeys(tx, id);
    if (beginning.isVerified) {
      // Somebody may have signed up with the address before, and never entered the code.
      await tx.deleteFrom('email_codes').where('account_id', '=', id).execute();
      return { accountId: id, session: await startSession(within, id, client) };
    }
    return sendNewCode(within, { id, email: form.email }, 'sign-up');
  });
  client.logAccount(made.accountId);
  if (!('session' in made)) {
    setPending(context, cookies, made);
    return false;
  }
  await replaceSession(context, cookies);
  giveSessionCookie(cookies, made.session);
  rememberBrowser(context, cookies, { id: made.accountId, password_version: 0 });
  return true;
}

async function begin(
  context: { readonly db: Transaction } & Pick<Context, 'config' | 'clock'>,
  token: string | undefined,
  email: string,
): Promise<Beginning> {
  if (token === undefined)
    return {
      level: context.config.defaultPlan,
      invitationId: null,
      isVerified: false,
      needsApproval: context.config.signUp === 'approval',
    };
  const { id, level, for_owner, verifies } = await takeInvitation(context, token, email);
  if (for_owner === 0) {
    if (context.config.signUp === 'closed') throw new Failure('SIGN_UP_CLOSED');
    refuseDomain(context, email);
  }
  return { level, invitationId: id, isVerified: verifies === 1, needsApproval: false };
}

function refuseUninvited(context: Pick<Context, 'config'>, email: string): void {
  const { signUp: who } = context.config;
  if (who === 'closed') throw new Failure('SIGN_UP_CLOSED');
  if (who === 'invite') throw new Failure('INVITATION_REQUIRED');
  refuseDomain(context, email);
}

function refuseDomain({ config }: Pick<Context, 'config'>, email: string): void {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase();
  const { allowedEmailDomains: allowed } = config;
  if (allowed.length > 0 && !allowed.includes(domain)) throw new Failure('EMAIL_DOMAIN_REFUSED');
}

/** Returns undefined if the address is taken. The insert alone decides. */
export async function storeAccount(
  context: { readonly db: Transaction } & Pick<Context, 'clock' | 'secret'>,
  email: string,
  passwordHash: string,
  { level, invitationId, isVerified, needsApproval }: Beginning,
): Promise<string | undefined> {
  const now = context.clock.now();
  const verified = isVerified ? { verified_at: now, signed_in_at: now } : {};
  // Nothing of an earlier sign-up is kept: the plan and the mode of `SIGN_UP` may have changed since.
  const decided = { level, granted_level: level, needs_approval: needsApproval ? 1 : 0 } as const;
  const id = newRowId(now);
  const key = newApiKey();
  const row = await context.db
    .insertInto('accounts')
    .values({
      id,
      email,
      email_key: emailKey(email),
      name: email.slice(0, email.indexOf('@')),
      password_hash: passwordHash,
      ...decided,
      key_hash: apiKeyHash(key),
      key_sealed: sealApiKey(context, id, key),
      created_at: now,
      last_active_at: now,
      verified_at: null,
      ...verified,
    })
    .onConflict((conflict) =>
      conflict
        .column('email_key')
        .where('closed_at', 'is', null)
        .doUpdateSet({ password_hash: passwordHash, email, created_at: now, ...decided, ...verified })
        .where('accounts.verified_at', 'is', null)
        .where('accounts.asked_at', 'is', null),
    )
    .returning(['id', 'invitation_id'])
    .executeTakeFirst();
  if (row && row.invitation_id !== invitationId) await replaceInvitation(context.db, row.id, invitationId);
  return row?.id;
}

async function replaceInvitation(tx: Transaction, accountId: string, invitationId: string | null): Promise<void> {
  await returnInvitations(tx, [accountId]);
  await tx.updateTable('accounts').set({ invitation_id: invitationId }).where('id', '=', accountId).execute();
}
