/** Every letter about an account. Links in them begin with the address of the app, never with a Host header. */
import type { Context } from '../context.ts';
import { minutes } from '../lib/clock.ts';
import type { LetterToQueue } from '../post/queue-letter.ts';
import { type Line, writeLetter } from './write-letter.ts';

type Site = Pick<Context, 'config' | 'origins'>;

/** As long as the letters say. */
export const codeValidFor = minutes(10);
export const resetLinkValidFor = minutes(30);

/** The code that proves that an address belongs to who signed up with it. */
export function codeLetter(site: Site, to: string, code: string): LetterToQueue {
  const { name } = site.config.site;
  return {
    ...letter(to, `Your ${name} verification code`, [
      `Your verification code for ${name} is:`,
      { code },
      'It is valid for 10 minutes and works once.',
      { aside: `If you did not sign up for ${name}, ignore this message: without the code nothing happens.` },
    ]),
    secret: code,
    validFor: codeValidFor,
  };
}

/** `link` leads to the page that sets a new password; see `resetLink`. */
export function resetLetter(site: Site, to: string, link: string): LetterToQueue {
  const { name } = site.config.site;
  return {
    ...letter(to, `Reset your ${name} password`, [
      `Someone asked for a new password for your ${name} account. To choose one, open this link:`,
      { link, label: 'Choose a new password' },
      'It is valid for 30 minutes and works once.',
      { aside: 'If it was not you, ignore this message: your password stays as it is.' },
    ]),
    secret: link,
    validFor: resetLinkValidFor,
  };
}

export function resetLink({ origins }: Pick<Site, 'origins'>, key: string): string {
  return `${origins.app}/reset-password?key=${encodeURIComponent(key)}`;
}

export function passwordChangedLetter(site: Site, to: string): LetterToQueue {
  const { name } = site.config.site;
  return letter(to, `Your ${name} password was changed`, [
    `The password of your ${name} account was changed, and every other browser was signed out.`,
    ...ifItWasNotYou(site),
  ]);
}

export function keyChangedLetter(site: Site, to: string): LetterToQueue {
  const { name } = site.config.site;
  return letter(to, `Your ${name} API key was changed`, [
    `Your ${name} account has a new API key. The old one no longer works: scripts that use it need the new one.`,
    ...ifItWasNotYou(site),
  ]);
}

export function accountDeletedLetter(site: Site, to: string): LetterToQueue {
  const { name, contactEmail } = site.config.site;
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return letter(to, `Your ${name} account was deleted`, [
    `Your ${name} account was deleted, and your files can no longer be downloaded.`,
    { aside: `If it was not you, write to ${write} at once.` },
  ]);
}

/** Sent 30 and 7 days before the files of an account that nobody uses are deleted, at `deletedAt`. */
export function inactivityLetter(site: Site, to: string, deletedAt: number): LetterToQueue {
  const { name } = site.config.site;
  const date = dateText(deletedAt);
  // The day is named and not how long it is until then: what a mail server that was away sends late stays true.
  return letter(to, `Your ${name} files will be deleted on ${date}`, [
    `Nobody has used your ${name} account for a long time. Its files, favorites too, will be deleted on ${date}.`,
    'To keep them, sign in before that day:',
    { link: `${site.origins.app}/sign-in`, label: 'Sign in' },
    { aside: 'If you no longer need the files, you need not do anything.' },
  ]);
}

/** Sent when a payment for a plan failed for the first time; the plan stays until `graceEnds`. */
export function paymentFailedLetter(site: Site, to: string, graceEnds: number): LetterToQueue {
  const { name } = site.config.site;
  return letter(to, `A payment for your ${name} plan failed`, [
    `The payment for your ${name} plan did not go through. Your plan stays as it is until ${dateText(graceEnds)}.`,
    'To keep it, look after the payment before that day:',
    { link: planInfoLink(site), label: 'See your plan' },
    { aside: 'None of your files is deleted for this.' },
  ]);
}

/** Sent when a plan goes because no payment for it is known; `level` is the name of the plan that is left. */
export function graceEndedLetter(site: Site, to: string, level: string): LetterToQueue {
  const { name } = site.config.site;
  return letter(to, `Your ${name} plan is paused`, [
    `No payment for your ${name} plan has reached us, so your account has the limits of the ${level} plan now.`,
    'Your files are kept. As soon as we know of the payment, the plan is back:',
    { link: planInfoLink(site), label: 'See your plan' },
  ]);
}

/** Sent once for a subscription that was paid for beside a better one; `kept` is the name of the plan that stays. */
export function paidTwiceLetter(site: Site, to: string, kept: string): LetterToQueue {
  const { name, contactEmail } = site.config.site;
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return letter(to, `You paid for two ${name} plans`, [
    `Your ${name} account had two subscriptions at the same time, and one is enough. The one for ${kept} stays as it is. The other one is ended, and what you paid for it will be refunded.`,
    'You need not do anything. Here is what you have:',
    { link: planInfoLink(site), label: 'See your plan' },
    { aside: `If the refund does not come, write to ${write}.` },
  ]);
}

const planInfoLink = ({ origins }: Site): string => `${origins.app}/dashboard/plan-info`;

const dateText = (time: number): string =>
  new Date(time).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

export interface FilesWithheld {
  readonly files: number;
  /** Not all of them where there are many. */
  readonly some: readonly { readonly name: string; readonly original_name: string }[];
}

/** Sent once for all files that were found at one time. */
export function malwareLetter(site: Site, to: string, { files, some }: FilesWithheld): LetterToQueue {
  const { name, contactEmail } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  const were = files === 1 ? 'was' : 'were';
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return letter(to, `Malware was found in your ${name} account`, [
    `${what} of your ${name} account ${were} found to be malware and can no longer be downloaded:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more.`] : []),
    { aside: `If you think that this is a mistake, write to ${write}.` },
  ]);
}

/** Sent once for all files of the same bytes that a case took. The DMCA policy says the rest. */
export function takedownLetter(
  site: Site,
  to: string,
  reference: string,
  { files, some }: FilesWithheld,
): LetterToQueue {
  const { name } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  const were = files === 1 ? 'was' : 'were';
  return letter(to, `${what} of your ${name} account ${were} taken down`, [
    `We received a notice that ${files === 1 ? 'a file' : `${files} files`} of your ${name} account infringed a copyright, and took ${files === 1 ? 'it' : 'them'} down. The links stopped working at once, and the same content cannot be uploaded again:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    `The reference of the case is ${reference}. It counts against your account: accounts of repeat infringers are closed.`,
    'If it was a mistake, or the file was taken for something else, you can answer with a counter-notification. What it must contain and where it goes is said here:',
    { link: `${site.origins.app}${counterNotificationPath}`, label: 'Counter-notification' },
    { aside: 'We send you the notice itself separately.' },
  ]);
}

const counterNotificationPath = '/dmca-policy#counter-notification';

/** Sent when files come back that were withheld. */
export function restoredLetter(
  site: Site,
  to: string,
  reference: string | null,
  { files, some }: FilesWithheld,
): LetterToQueue {
  const { name } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  return letter(to, `${what} of your ${name} account ${files === 1 ? 'is' : 'are'} back`, [
    `${what} of your ${name} account ${files === 1 ? 'was' : 'were'} removed, and ${files === 1 ? 'is' : 'are'} back now, under the same ${files === 1 ? 'link' : 'links'} as before:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    ...(reference === null
      ? []
      : [`The reference of the case was ${reference}. It no longer counts against your account.`]),
  ]);
}

function ifItWasNotYou({ origins }: Site): Line[] {
  return [
    'If it was you, all is well. If not, someone else knows your password: choose a new one at once.',
    { link: `${origins.app}/forget-password`, label: 'Reset your password' },
  ];
}

/** News without a secret in it, which stays true. */
function letter(to: string, subject: string, lines: readonly Line[]): LetterToQueue {
  return { to, subject, ...writeLetter(lines), secret: null, validFor: null };
}
