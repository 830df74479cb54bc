import { expect, test } from 'vitest';
import { readConfig } from '../config.ts';
import { originsOf } from '../origins.ts';
import {
  accountDeletedLetter,
  codeLetter,
  inactivityLetter,
  keyChangedLetter,
  passwordChangedLetter,
  resetLetter,
  resetLink,
} from './letters.ts';

function siteOf(environment: Record<string, string>) {
  const config = readConfig({ PUBLIC_URL: 'https://kelp.example', ...environment });
  return { config, origins: originsOf(config, 3000) };
}

const to = 'ada@example.com';
const lettersOf = (site: ReturnType<typeof siteOf>) => [
  codeLetter(site, to, '123456'),
  resetLetter(site, to, resetLink(site, 'a key/+&')),
  passwordChangedLetter(site, to),
  keyChangedLetter(site, to),
  accountDeletedLetter(site, to),
  inactivityLetter(site, to, Date.UTC(2030, 0, 31)),
];

test('every link in every letter begins with the public address', () => {
  const letters = lettersOf(siteOf({ FILE_ORIGINS: 'https://files.example' }));
  const links = letters.flatMap(({ text, html }) => `${text} ${html}`.match(/https?:[^\s"<]+/g) ?? []);
  expect(links).toHaveLength(8);
  for (const link of links) expect(link).toMatch(/^https:\/\/kelp\.example\//);
});

test('text and HTML hold the same code or link', () => {
  const site = siteOf({});
  expect(codeLetter(site, to, '123456').text).toMatch(/^ {4}123456$/m);
  expect(codeLetter(site, to, '123456').html).toContain('>123456<');
  const link = resetLink(site, 'a key/+&');
  expect(link).toBe('https://kelp.example/reset-password?key=a%20key%2F%2B%26');
  expect(resetLetter(site, to, link).text.split('\n')).toContain(link);
  expect(resetLetter(site, to, link).html).toContain(`href="${link}"`);
});

test('a letter with a code or link is of use as long as that, and news always', () => {
  const minutes = lettersOf(siteOf({})).map(({ validFor }) => validFor && validFor / 60_000);
  expect(minutes).toEqual([10, 30, null, null, null, null]);
});

test('the name of the site cannot bring HTML into a letter', () => {
  for (const { html, text } of lettersOf(siteOf({ SITE_NAME: '<b>"Kelp"&' }))) {
    expect(html).not.toContain('<b>');
    expect(html).toContain('&lt;b&gt;&quot;Kelp&quot;&amp;');
    expect(text).toContain('<b>"Kelp"&');
  }
});

test('a warning names the day, and whom to write to is said where it is known', () => {
  const letter = inactivityLetter(siteOf({}), to, Date.UTC(2030, 0, 31));
  expect(letter.subject).toBe('Your Holdfast files will be deleted on 31 January 2030');
  expect(letter.text).toContain('31 January 2030');
  expect(accountDeletedLetter(siteOf({ CONTACT_EMAIL: 'us@kelp.example' }), to).text).toContain('us@kelp.example');
});
