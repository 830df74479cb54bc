/** Every letter about an account. Links in them begin with the address of the app, never with a Host header. */
import type { Context } from '../context.ts';
import { hours, minutes } from '../lib/clock.ts';
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

/** Sent `days` days before the files of an account that nobody uses are deleted, at `deletedAt`. */
export function inactivityLetter(site: Site, to: string, days: number, deletedAt: number): LetterToQueue {
  const { name } = site.config.site;
  const date = new Date(deletedAt).toLocaleDateString('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
  return {
    ...letter(to, `Your ${name} files will be deleted in ${days} days`, [
      `Nobody has used your ${name} account for a long time. Its files will be deleted on ${date}.`,
      'To keep them, sign in before that day:',
      { link: `${site.origins.app}/sign-in`, label: 'Sign in' },
      { aside: 'If you no longer need the files, you need not do anything.' },
    ]),
    // Said later than on its day, the number of days would be wrong.
    validFor: hours(24),
  };
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
