/** The list of what the first owner does once. Each step ticks itself off, and stays done. */
import {
  type FirstSteps,
  type FirstStepsChange,
  type StepName,
  stepNames,
} from '@holdfast/contract/src/first-steps.ts';
import type { Context } from '../context.ts';
import { reasonOf } from '../email/failure-reason.ts';
import { testEmail } from '../email/templates.ts';
import { spend } from '../http/rate-limits.ts';
import { seconds } from '../lib/clock.ts';
import { inTime } from '../lib/in-time.ts';
import { OperatorError } from '../lib/operator-error.ts';
import { randomText } from '../lib/random-text.ts';
import { EmailRefused } from '../services/mail/mail.ts';
import type { Database } from '../storage/db/database.ts';
import { unlessReadOnly } from '../storage/db/read-only.ts';
import type { AccountRow } from '../storage/db/schema.ts';
import { backupFolderFact, readFact, writeFact } from '../storage/db/service-facts.ts';
import type { Caller } from './identify.ts';
import { isOwner } from './invitations.ts';
import { changeAs } from './lock-caller.ts';

/** A restore brings it back. */
export const firstStepsFact = 'first steps';

interface Noted {
  /** If it is closed and somebody else becomes the first owner, the list starts empty. */
  readonly account: string;
  readonly done: readonly StepName[];
  readonly dismissed: boolean;
}

/** Null if the account has no list, or has dismissed it. */
export async function stepsNoted({ db }: { readonly db: Database }, account: AccountRow): Promise<Noted | null> {
  if (!isOwner(account)) return null;
  const fact = await readFact(db, firstStepsFact);
  const found = fact && (JSON.parse(fact.value) as Noted);
  if (found?.account !== account.id) return { account: account.id, done: [], dismissed: false };
  return found.dismissed ? null : found;
}

export async function firstStepsOf(context: Context, caller: Caller): Promise<FirstSteps | null> {
  const before = await stepsNoted(context, caller.account);
  if (!before) return null;
  const done = new Set([...before.done, ...(await doneNow(context, caller.account))]);
  if (done.size > before.done.length) await unlessReadOnly(noteSteps(context, caller, [...done]));
  const { mail } = context.config;
  return {
    steps: stepNames.map((step) => ({ step, done: done.has(step) })),
    outbox: mail.engine === 'outbox' ? mail.folder : null,
  };
}

async function doneNow({ config, db }: Context, account: AccountRow): Promise<StepName[]> {
  const facts = {
    address: config.publicUrl !== null,
    backup: (await readFact(db, backupFolderFact)) !== null,
    sign_up: config.isSignUpChosen,
    // It grows with each new file, and stays when all are deleted.
    upload: account.files_full_at > 0 || account.slots_used > 0,
  };
  return stepNames.filter((step) => step in facts && facts[step as keyof typeof facts]);
}

/** @throws {Failure} AUTH_REQUIRED, TOO_MANY_ATTEMPTS. */
export async function changeFirstSteps(context: Context, caller: Caller, change: FirstStepsChange) {
  const sends = 'send_email' in change && (await stepsNoted(context, caller.account)) !== null;
  const problem = sends ? await sendTestEmail(context, caller.account) : undefined;
  const isSent = sends && problem === undefined;
  const done: StepName[] = 'copied' in change ? ['api_key'] : isSent ? ['mail'] : [];
  await noteSteps(context, caller, done, 'dismiss' in change);
  return {
    first_steps: await firstStepsOf(context, caller),
    ...(problem !== undefined && { email_problem: problem }),
  };
}

function noteSteps(context: Context, caller: Caller, done: readonly StepName[], dismissed = false): Promise<void> {
  return changeAs(context, caller, async (tx) => {
    const before = await stepsNoted({ db: tx }, caller.account);
    if (!before) return;
    const after: Noted = { ...before, done: [...new Set([...before.done, ...done])], dismissed };
    await writeFact(tx, firstStepsFact, { value: JSON.stringify(after), at: context.clock.now() });
  });
}

/** Less than the browser waits for the answer. */
const patience = seconds(20);

/** Returns why it was not sent, and the setting to look at. */
async function sendTestEmail(context: Context, { id, email }: AccountRow): Promise<string | undefined> {
  const { mail } = context;
  if (!mail.reachesPeople) return 'Emails are files in the outbox. Set MAIL_URL to send them.';
  await spend(context, 'test emails', id);
  const late = () => new OperatorError('the mail server did not respond in time');
  try {
    await inTime(mail.send(testEmail(context, email), randomText(22)), patience, late);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

function problemOf(error: unknown): string {
  const cause = error instanceof EmailRefused ? (error.cause ?? error) : error;
  const { command, response } = cause as { command?: string; response?: string };
  const reason = reasonOf(response === undefined ? cause : new Error(response)).replace(/\.$/, '');
  const says =
    cause instanceof OperatorError ? 'The mail server cannot be reached' : 'The mail server refused the email';
  // RFC 5321: what it replies to these commands is about the sender.
  const setting = command === 'MAIL FROM' || command === 'DATA' ? 'CONTACT_EMAIL, the sender' : 'MAIL_URL';
  return `${says}: ${reason}. Look at ${setting}.`;
}
