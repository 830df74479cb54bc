import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { settingWarnings } from './setting-warnings.ts';

test.each([
  ['TRUST_PROXIES', 'TRUST_PROXIES is not a setting. Is it TRUST_PROXY?'],
  ['PUBLIC_URI', 'PUBLIC_URI is not a setting. Is it PUBLIC_URL?'],
  ['SECRET_KEY_FIL', 'SECRET_KEY_FIL is not a setting. Is it SECRET_KEY_FILE?'],
])('%s in a file or in the environment is a warning with the nearest name', (name, warning) => {
  expect(settingWarnings(readConfig({}), { [name]: 'x' }, {})).toEqual([warning]);
  expect(settingWarnings(readConfig({}), {}, { [name]: 'x' })).toEqual([warning]);
});

test('of names that are like no setting only those in the file are warned about', () => {
  expect(settingWarnings(readConfig({}), { EGRESS_MBPS: '9' }, {})).toEqual(['EGRESS_MBPS is not a setting']);
  const others = { HOME: '/', HOSTNAME: 'a', PATH: '', USER: '', SHELL: '', SHLVL: '', MAIL: '/var/mail/a', PWD: '/' };
  expect(settingWarnings(readConfig({}), {}, { ...others, EGRESS_MBPS: '9', POSTGRES_PORT: '5432' })).toEqual([]);
  const ofLibraries = { PGPASSWORD: 'x', NODE_OPTIONS: '', AWS_REGION: 'eu', HTTPS_PROXY: 'http://proxy', TZ: 'UTC' };
  expect(settingWarnings(readConfig({}), ofLibraries, ofLibraries)).toEqual([]);
});

test.each([
  [{ RECAPTCHA_SECRET: 'x' }, 'RECAPTCHA_SECRET does nothing unless CAPTCHA is recaptcha'],
  [{ CAPTCHA: 'none', ALTCHA_DIFFICULTY: '5' }, 'ALTCHA_DIFFICULTY does nothing unless CAPTCHA is altcha'],
  [{ STRIPE_API_URL: 'https://api.example.com' }, 'STRIPE_API_URL does nothing unless STRIPE_SECRET_KEY is set'],
  [
    { PUBLIC_URL: 'http://[::1]:3000', FILE_ORIGINS: 'http://[::1]:3000,http://[fd00::1]:3000' },
    'pages show no previews from http://[fd00::1]:3000 in FILE_ORIGINS: give it a name instead of an IPv6 address',
  ],
  [
    { MAIL_URL: 'smtp://mail.example.com' },
    'MAIL_URL is set and PUBLIC_URL is not: the links in emails lead to this machine alone',
  ],
])('%j is a warning', (environment, warning) => {
  expect(settingWarnings(readConfig(environment), environment, environment)).toEqual([warning]);
});

test('a certificate for a server that no setting names is a warning', () => {
  const certificates = { DATABASE_CA_FILE: 'ca.pem', MAIL_CA_FILE: 'ca.pem' };
  expect(settingWarnings(readConfig({}), certificates, certificates)).toEqual([
    'DATABASE_CA_FILE does nothing unless DATABASE_URL is that of PostgreSQL',
    'MAIL_CA_FILE does nothing unless MAIL_URL is a mail server',
  ]);
});

test('settings that are used cause no warning', () => {
  const environment = { MAIL_URL: 'smtp://mail.example.com', PUBLIC_URL: 'https://holdfast.example', PORT: '80' };
  expect(settingWarnings(readConfig(environment), environment, environment)).toEqual([]);
});
