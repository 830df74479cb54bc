import { expect, test } from 'vitest';
import { readConfig } from '../config/config.ts';
import { minutes } from '../lib/clock.ts';
import {
  accountDeletedEmail,
  codeEmail,
  inactivityEmail,
  keyChangedEmail,
  passwordChangedEmail,
  resetEmail,
  resetLink,
} from './templates.ts';

function siteOf(environment: Record<string, string>) {
  return { config: readConfig({ PUBLIC_URL: 'https://kelp.example', ...environment }) };
}

const to = 'ada@example.com';
const emailsOf = (site: ReturnType<typeof siteOf>) => [
  codeEmail(site, to, '123456', minutes(10)),
  resetEmail(site, to, resetLink(site, 'a key/+&'), minutes(30)),
  passwordChangedEmail(site, to, { keyChanged: true }),
  keyChangedEmail(site, to),
  accountDeletedEmail(site, to),
  inactivityEmail(site, to, '31 January 2030'),
];

test('every link in every email begins with the public address', () => {
  const emails = emailsOf(siteOf({ FILE_ORIGINS: 'https://files.example' }));
  const links = emails.flatMap(({ text, html }) => `${text} ${html}`.match(/https?:[^\s"<]+/g) ?? []);
  expect(links).toHaveLength(34);
  for (const link of links) expect(link).toMatch(/^https:\/\/kelp\.example(\/|$)/);
});

test('text and HTML hold the same code or link', () => {
  const site = siteOf({});
  expect(codeEmail(site, to, '123456', minutes(10)).text).toMatch(/^ {4}123456$/m);
  expect(codeEmail(site, to, '123456', minutes(10)).html).toContain('>123456<');
  const link = resetLink(site, 'a key/+&');
  expect(link).toBe('https://kelp.example/reset-password#key=a%20key%2F%2B%26');
  expect(resetEmail(site, to, link, minutes(30)).text.split('\n')).toContain(link);
  expect(resetEmail(site, to, link, minutes(30)).html).toContain(`href="${link}"`);
  // The address of the button.
  expect(resetEmail(site, to, link, minutes(30)).html).toContain(`>${link}</a>`);
});

test('an email with a code or link expires with it, and other emails never expire', () => {
  const validMinutes = emailsOf(siteOf({})).map(({ validFor }) => validFor && validFor / 60_000);
  expect(validMinutes).toEqual([10, 30, null, null, null, null]);
});

test('the name of the site cannot inject HTML into an email', () => {
  for (const { html, text } of emailsOf(siteOf({ SITE_NAME: '<b>"Kelp"&' }))) {
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;b&gt;&quot;Kelp&quot;&amp;');
    expect(text).toContain('<b>"Kelp"&');
  }
});

test('a warning names the day, and emails name the contact address if one is set', () => {
  const email = inactivityEmail(siteOf({}), to, '31 January 2030');
  expect(email.subject).toBe('Your Holdfast files will be deleted after 31 January 2030');
  expect(email.text).toContain('31 January 2030');
  expect(accountDeletedEmail(siteOf({}), to).text).not.toContain('contact');
  expect(accountDeletedEmail(siteOf({ CONTACT_EMAIL: 'us@kelp.example' }), to).text).toContain('us@kelp.example');
});
