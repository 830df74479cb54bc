/** Links start with the configured address, never with a Host header. */
import type { Context } from '../context.ts';
import { dateText } from '../lib/calendar-days.ts';
import { minutes } from '../lib/clock.ts';
import { shellArgument } from './shell-argument.ts';
import type { EmailToQueue } from './queue-email.ts';
import { type Line, renderEmail } from './layout.ts';

type Site = Pick<Context, 'config'>;

export function testEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `A test email from ${name}`, [`The mail server of ${name} works.`]);
}

export function codeEmail(site: Site, to: string, code: string, validFor: number): EmailToQueue {
  const { name } = site.config.site;
  return {
    ...email(to, `Your ${name} verification code`, [
      `Your verification code for ${name} is:`,
      { code },
      `It is valid for ${validFor / minutes(1)} minutes and works once.`,
      { aside: `If you did not sign up for ${name}, ignore this message: without the code nothing happens.` },
    ]),
    secret: code,
    validFor,
  };
}

export function resetEmail(site: Site, to: string, link: string, validFor: number): EmailToQueue {
  const { name } = site.config.site;
  return {
    ...email(to, `Reset your ${name} password`, [
      `Someone asked for a new password for your ${name} account. To choose one, open this link:`,
      { link, label: 'Choose a new password' },
      `It is valid for ${validFor / minutes(1)} minutes and works once.`,
      { aside: 'If it was not you, ignore this message: your password stays as it is.' },
    ]),
    secret: link,
    validFor,
  };
}

/** Browsers send the fragment to no server, so no log of a proxy contains the key. */
export function resetLink({ config: { origins } }: Pick<Site, 'config'>, key: string): string {
  return `${origins.app}/reset-password#key=${encodeURIComponent(key)}`;
}

export function passwordChangedEmail(site: Site, to: string, { keyChanged }: { keyChanged: boolean }): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `Your ${name} password was changed`, [
    `The password of your ${name} account was changed, and every other browser was signed out.`,
    keyChanged
      ? 'Your API key was changed too. The old one no longer works: scripts that use it need the new one.'
      : 'Your API key was not changed.',
    ...ifItWasNotYou(site),
  ]);
}

export function keyChangedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `Your ${name} API key was changed`, [
    `Your ${name} account has a new API key. The old one no longer works: scripts that use it need the new one.`,
    ...ifItWasNotYou(site),
  ]);
}

export function newBrowserEmail(site: Site, to: string, { device, at }: { device: string; at: number }): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `New sign-in to your ${name} account`, [
    `Someone signed in to your ${name} account from a browser that it was not used in before: ${device}, on ${dateText(at)} at ${clockText(at)} UTC.`,
    ...ifItWasNotYou(site),
  ]);
}

export function accountDeletedEmail(site: Site, to: string): EmailToQueue {
  const { name, contactEmail } = site.config.site;
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return email(to, `Your ${name} account was deleted`, [
    `Your ${name} account was deleted, and your files can no longer be downloaded.`,
    { aside: `If it was not you, write to ${write} at once.` },
  ]);
}

export function inactivityEmail(site: Site, to: string, lastDay: string): EmailToQueue {
  const { name } = site.config.site;
  // A date stays true when an outage delays the email.
  return email(to, `Your ${name} files will be deleted after ${lastDay}`, [
    `Your ${name} account has not been used for a long time. Its files, including favorites, will be deleted after ${lastDay}.`,
    'To keep them, sign in by the end of that day:',
    { link: `${site.config.origins.app}/sign-in`, label: 'Sign in' },
    { aside: 'If you no longer need the files, you need not do anything.' },
  ]);
}

export function paymentFailedEmail(site: Site, to: string, lastDay: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `A payment for your ${name} plan failed`, [
    `The payment for your ${name} plan did not go through. Your plan stays as it is until the end of ${lastDay}.`,
    'To keep it, complete the payment by then:',
    { link: planInfoLink(site), label: 'See your plan' },
    { aside: 'No files are deleted because of this.' },
  ]);
}

export function graceEndedEmail(site: Site, to: string, level: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `Your ${name} plan is paused`, [
    `No payment for your ${name} plan has reached us, so your account has the limits of the ${level} plan now.`,
    'Your files are kept. Your plan returns as soon as the payment arrives:',
    { link: planInfoLink(site), label: 'See your plan' },
  ]);
}

export function paidTwiceEmail(site: Site, to: string, kept: string): EmailToQueue {
  const { name, contactEmail } = site.config.site;
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return email(to, `You paid for two ${name} plans`, [
    `Your ${name} account had two subscriptions at the same time, and one is enough. The one for ${kept} stays as it is. The other one is ended, and what you paid for it will be refunded.`,
    'You need not do anything. Here is what you have:',
    { link: planInfoLink(site), label: 'See your plan' },
    { aside: `If the refund does not come, write to ${write}.` },
  ]);
}

const planInfoLink = ({ config: { origins } }: Site): string => `${origins.app}/dashboard/plan-info`;

const clockText = (time: number): string => new Date(time).toISOString().slice(11, 16);

export interface FilesWithheld {
  readonly files: number;
  readonly some: readonly { readonly name: string; readonly original_name: string }[];
}

export function malwareEmail(site: Site, to: string, { files, some }: FilesWithheld): EmailToQueue {
  const { name, contactEmail } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  const were = files === 1 ? 'was' : 'were';
  const write = contactEmail === null ? 'the people who run this service' : contactEmail;
  return email(to, `Malware was found in your ${name} account`, [
    `${what} of your ${name} account ${were} found to be malware and can no longer be downloaded:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more.`] : []),
    { aside: `If you think that this is a mistake, write to ${write}.` },
  ]);
}

export function takedownEmail(site: Site, to: string, reference: string, { files, some }: FilesWithheld): EmailToQueue {
  const { name } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  const were = files === 1 ? 'was' : 'were';
  return email(to, `${what} of your ${name} account ${were} taken down`, [
    `We received a notice that ${files === 1 ? 'a file' : `${files} files`} of your ${name} account infringed a copyright, and took ${files === 1 ? 'it' : 'them'} down. The links stopped working at once, and the same content cannot be uploaded again:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    `The reference of the case is ${reference}. It counts against your account: accounts of repeat infringers are closed.`,
    'If it was a mistake, or the file was taken for something else, you can answer with a counter-notification. What it must contain and where it goes is said here:',
    { link: `${site.config.origins.app}${counterNotificationPath}`, label: 'Counter-notification' },
    { aside: 'We send you the notice itself separately.' },
  ]);
}

const counterNotificationPath = '/dmca-policy#counter-notification';

export function restoredEmail(
  site: Site,
  to: string,
  reference: string | null,
  { files, some }: FilesWithheld,
): EmailToQueue {
  const { name } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  return email(to, `${what} of your ${name} account ${files === 1 ? 'is' : 'are'} back`, [
    `${what} of your ${name} account ${files === 1 ? 'was' : 'were'} removed, and ${files === 1 ? 'is' : 'are'} back now, under the same ${files === 1 ? 'link' : 'links'} as before:`,
    ...some.map((file) => `${file.original_name} (${file.name})`),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    ...(reference === null
      ? []
      : [`The reference of the case was ${reference}. It no longer counts against your account.`]),
  ]);
}

export function wantsToJoinEmail(site: Site, to: string, address: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `${address} wants to join ${name}`, [
    `${address} has signed up for ${name}, has entered the code, and waits for you. On the server, in the program's folder:`,
    `./holdfast account approve ${shellArgument(address)}`,
    `./holdfast account reject ${shellArgument(address)}`,
  ]);
}

export function approvedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `Your ${name} account is ready`, [
    `The operator of ${name} has approved your account. You can sign in now:`,
    { link: `${site.config.origins.app}/sign-in`, label: 'Sign in' },
  ]);
}

export function rejectedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(to, `Your ${name} account was not approved`, [
    `The operator of ${name} has not approved your account. It is deleted. Only the note that the operator has refused this address is kept.`,
  ]);
}

function ifItWasNotYou({ config: { origins } }: Site): Line[] {
  return [
    'If this was you, there is nothing to do. If not, someone else knows your password: choose a new one at once.',
    { link: `${origins.app}/forget-password`, label: 'Reset your password' },
  ];
}

function email(to: string, subject: string, lines: readonly Line[]): EmailToQueue {
  return { to, subject, ...renderEmail(lines), secret: null, validFor: null };
}
