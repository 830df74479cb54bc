/** Links start with the configured address, never with a Host header. */
import type { Context } from '../context.ts';
import { momentText } from '../lib/calendar-days.ts';
import { minutes } from '../lib/clock.ts';
import { shellArgument } from './shell-argument.ts';
import type { EmailToQueue } from './queue-email.ts';
import { type Line, renderEmail } from './layout.ts';

type Site = Pick<Context, 'config'>;

export function testEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `A test email from ${name}`, [`The mail server of ${name} works.`]);
}

export function codeEmail(site: Site, to: string, code: string, validFor: number): EmailToQueue {
  const { name } = site.config.site;
  return {
    ...email(site, to, `Your ${name} verification code`, [
      `Your verification code for ${name} is:`,
      { code },
      `It works once and expires in ${validFor / minutes(1)} minutes.`,
      { aside: "If this wasn't you, ignore this email." },
    ]),
    secret: code,
    validFor,
  };
}

export function resetEmail(site: Site, to: string, link: string, validFor: number): EmailToQueue {
  const { name } = site.config.site;
  return {
    ...email(site, to, `Reset your ${name} password`, [
      `Reset your ${name} password:`,
      { link, label: 'Choose a new password' },
      `The link works once and expires in ${validFor / minutes(1)} minutes.`,
      { aside: "If this wasn't you, ignore this email. Your password has not changed." },
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
  return email(site, to, `Your ${name} password was changed`, [
    `The password of your ${name} account was changed, and every other browser was signed out.`,
    keyChanged
      ? 'Your API key was changed too. The old one no longer works: scripts that use it need the new one.'
      : 'Your API key was not changed.',
    ...ifItWasNotYou(site),
  ]);
}

export function keyChangedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Your ${name} API key was changed`, [
    `Your ${name} account has a new API key. The old one no longer works: scripts that use it need the new one.`,
    ...ifItWasNotYou(site),
  ]);
}

interface NewBrowser {
  readonly device: string;
  readonly at: number;
  readonly timeZone: string;
}

export function newBrowserEmail(site: Site, to: string, { device, at, timeZone }: NewBrowser): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `New sign-in to your ${name} account`, [
    `New sign-in to your ${name} account: ${device}, ${momentText(at, timeZone)}.`,
    ...ifItWasNotYou(site),
  ]);
}

export function accountDeletedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Your ${name} account was deleted`, [
    `Your ${name} account was deleted, and your files can no longer be downloaded.`,
    ...contactFor(site, "If this wasn't you"),
  ]);
}

export function inactivityEmail(site: Site, to: string, lastDay: string): EmailToQueue {
  const { name } = site.config.site;
  // A date stays true when an outage delays the email.
  return email(site, to, `Your ${name} files will be deleted after ${lastDay}`, [
    `Your ${name} account has not been used for a long time. Its files, including favorites, will be deleted after ${lastDay}.`,
    'To keep them, sign in by the end of that day:',
    { link: `${site.config.origins.app}/sign-in`, label: 'Sign in' },
    { aside: "If you don't need the files, no action is needed." },
  ]);
}

export function paymentFailedEmail(site: Site, to: string, lastDay: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `A payment for your ${name} plan failed`, [
    `The payment for your ${name} plan did not go through. Your plan stays as it is until the end of ${lastDay}.`,
    'To keep it, complete the payment by then:',
    { link: planInfoLink(site), label: 'See your plan' },
    { aside: 'No files are deleted because of this.' },
  ]);
}

export function graceEndedEmail(site: Site, to: string, level: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Your ${name} plan is paused`, [
    `No payment for your ${name} plan has reached us, so your account has the limits of the ${level} plan now.`,
    'Your files are kept. Your plan returns as soon as the payment arrives:',
    { link: planInfoLink(site), label: 'See your plan' },
  ]);
}

export function paidTwiceEmail(site: Site, to: string, kept: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `You paid for two ${name} plans`, [
    `Your ${name} account had two subscriptions at the same time, and one is enough. The one for ${kept} stays as it is. The other one is ended, and what you paid for it will be refunded.`,
    'No action is needed. Your plan:',
    { link: planInfoLink(site), label: 'See your plan' },
    ...contactFor(site, 'If the refund does not arrive'),
  ]);
}

const planInfoLink = ({ config: { origins } }: Site): string => `${origins.app}/dashboard/plan-info`;

export interface FilesWithheld {
  readonly files: number;
  readonly some: readonly { readonly name: string; readonly original_name: string }[];
}

export function malwareEmail(site: Site, to: string, { files, some }: FilesWithheld): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Malware was found in your ${name} account`, [
    `A scan found malware in ${files === 1 ? 'a file' : `${files} files`} of your ${name} account. ${files === 1 ? 'It' : 'They'} can no longer be downloaded:`,
    listOf(some),
    ...(files > some.length ? [`and ${files - some.length} more.`] : []),
    ...contactFor(site, 'If you think this is a mistake'),
  ]);
}

export function takedownEmail(site: Site, to: string, reference: string, { files, some }: FilesWithheld): EmailToQueue {
  const { name } = site.config.site;
  const what = files === 1 ? 'A file' : `${files} files`;
  const were = files === 1 ? 'was' : 'were';
  return email(site, to, `${what} of your ${name} account ${were} taken down`, [
    `We received a notice that ${files === 1 ? 'a file' : `${files} files`} of your ${name} account infringed a copyright, and took ${files === 1 ? 'it' : 'them'} down. The ${files === 1 ? 'link no longer works' : 'links no longer work'}, and the same content cannot be uploaded again:`,
    listOf(some),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    `The reference of the case is ${reference}. It counts against your account: accounts of repeat infringers are closed.`,
    'If this was a mistake, you can send a counter-notification. See what to include and where to send it:',
    { link: `${site.config.origins.app}${counterNotificationPath}`, label: 'Counter-notification' },
    { aside: 'We will send you the notice itself separately.' },
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
  return email(site, to, `${what} of your ${name} account ${files === 1 ? 'is' : 'are'} back`, [
    `${what} of your ${name} account ${files === 1 ? 'was' : 'were'} removed, and ${files === 1 ? 'is' : 'are'} back now, under the same ${files === 1 ? 'link' : 'links'} as before:`,
    listOf(some),
    ...(files > some.length ? [`and ${files - some.length} more with the same content.`] : []),
    ...(reference === null
      ? []
      : [`The reference of the case was ${reference}. It no longer counts against your account.`]),
  ]);
}

export function wantsToJoinEmail(site: Site, to: string, address: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `${address} wants to join ${name}`, [
    `${address} has signed up for ${name}, has entered the code, and waits for your approval. On the server, in the program's folder:`,
    { command: `./holdfast account approve ${shellArgument(address)}` },
    'or',
    { command: `./holdfast account reject ${shellArgument(address)}` },
  ]);
}

export function approvedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Your ${name} account is ready`, [
    `The operator of ${name} has approved your account. You can sign in now:`,
    { link: `${site.config.origins.app}/sign-in`, label: 'Sign in' },
  ]);
}

export function rejectedEmail(site: Site, to: string): EmailToQueue {
  const { name } = site.config.site;
  return email(site, to, `Your ${name} account was not approved`, [
    `The operator of ${name} has not approved your account. It was deleted. We only keep a note that this address was refused.`,
  ]);
}

const listOf = (some: FilesWithheld['some']): Line => ({
  list: some.map((file) => `${file.original_name} (${file.name})`),
});

/** A site without an address to write to gives no advice to write. */
const contactFor = ({ config: { site } }: Site, when: string): Line[] =>
  site.contactEmail === null ? [] : [{ aside: `${when}, contact the administrator: ${site.contactEmail}` }];

function ifItWasNotYou({ config: { origins } }: Site): Line[] {
  return [
    'If this was you, no action is needed. If not, change your password now.',
    { link: `${origins.app}/forget-password`, label: 'Change your password' },
  ];
}

function email({ config: { site, origins } }: Site, to: string, subject: string, lines: readonly Line[]): EmailToQueue {
  const frame = { subject, to, name: site.name, url: origins.app, contact: site.contactEmail };
  return { to, subject, ...renderEmail(frame, lines), secret: null, validFor: null };
}
