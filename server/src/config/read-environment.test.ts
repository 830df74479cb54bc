import { standardPlans } from '@holdfast/contract/src/plans.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigError } from './setting-errors.ts';
import { readConfig } from './read-environment.ts';

test('without variables, the embedded engines are used and the server listens on localhost', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    workers: null,
    dataDir: resolve('data'),
    publicUrl: null,
    fileOrigins: [],
    database: { engine: 'sqlite', path: resolve('data/holdfast.db') },
    filesOnly: null,
    blobs: { engine: 'disk', folder: resolve('data/blobs') },
    minFreeSpace: { bytes: 1e9, percent: 5 },
    mail: { engine: 'outbox', folder: resolve('data/outbox') },
    dormantAccounts: null,
    captcha: { engine: 'altcha', difficulty: 4 },
    secretKey: null,
    trustProxy: [],
    accel: null,
    redirects: false,
    previewBurst: 8e6,
    shutdownDelayMs: 1_000,
    metrics: null,
    region: null,
    reports: { engine: 'none' },
    scanner: { engine: 'none' },
    payments: { engine: 'none' },
    planChanges: {},
    plans: standardPlans,
    signUp: 'open',
    allowedEmailDomains: [],
    defaultPlan: 'free',
    site: {
      name: 'Holdfast',
      contactEmail: null,
      contactChatUrl: null,
      dmcaAgent: null,
      since: null,
      claims: null,
      pricing: true,
      policiesDir: null,
    },
  });
});

test('every variable is read', () => {
  const secret = 'k'.repeat(32);
  const plansFile = writeText('{ "free": { "slots_quota": 9 } }');
  expect(
    readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      WORKERS: '4',
      DATA_DIR: '/srv/holdfast',
      PUBLIC_URL: 'https://Files.example.com/',
      FILE_ORIGINS: 'https://a.example.com, http://b.example.com:8080 ,',
      DATABASE_URL: 'postgres://user:word@db/holdfast',
      DATABASE_READ_URL: 'postgres://user:word@replica/holdfast',
      BLOBS_URL: 'file:/mnt/blobs',
      MIN_FREE_SPACE: '20 GB',
      MAIL_URL: 'outbox:/mnt/outbox',
      DORMANT_ACCOUNTS: 'delete',
      CAPTCHA: 'none',
      SECRET_KEY: secret,
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      PREVIEW_BURST: '20 MB',
      SHUTDOWN_DELAY: '10',
      METRICS_PORT: '9464',
      METRICS_HOST: '::1',
      REGION: 'Frankfurt',
      SENTRY_DSN: 'https://abc123@sentry.example.com:9000/errors/42',
      SCANNER_URL: 'clamd://scanner.example.com',
      PLANS_FILE: plansFile,
      DEFAULT_PLAN: 'basic',
      SIGN_UP: 'invite',
      ALLOWED_EMAIL_DOMAINS: 'Example.com, example.org',
      SITE_NAME: 'Kelp',
      CONTACT_EMAIL: 'ada@example.com',
      CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
      DMCA_AGENT: 'Ada Kelp\nada@example.com',
      SITE_SINCE: '2019',
      SITE_CLAIMS: 'none',
      PRICING: 'off',
      POLICIES_DIR: '/srv/policies',
    }),
  ).toEqual({
    host: '0.0.0.0',
    port: 0,
    workers: 4,
    dataDir: '/srv/holdfast',
    publicUrl: 'https://files.example.com',
    fileOrigins: ['https://a.example.com', 'http://b.example.com:8080'],
    database: { engine: 'postgres', url: 'postgres://user:word@db/holdfast' },
    filesOnly: null,
    blobs: { engine: 'disk', folder: '/mnt/blobs' },
    minFreeSpace: { bytes: 20e9, percent: 100 },
    mail: { engine: 'outbox', folder: '/mnt/outbox' },
    dormantAccounts: 'delete',
    captcha: { engine: 'none' },
    secretKey: secret,
    trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    accel: null,
    redirects: false,
    previewBurst: 20e6,
    shutdownDelayMs: 10_000,
    metrics: { host: '::1', port: 9464 },
    region: 'Frankfurt',
    reports: {
      engine: 'sentry',
      dsn: 'https://abc123@sentry.example.com:9000/errors/42',
      origin: 'https://sentry.example.com:9000',
    },
    scanner: { engine: 'clamd', at: { host: 'scanner.example.com', port: 3310 } },
    payments: { engine: 'none' },
    planChanges: { free: { slotsQuota: 9 } },
    plans: { ...standardPlans, free: { ...standardPlans.free, slotsQuota: 9 } },
    signUp: 'invite',
    allowedEmailDomains: ['example.com', 'example.org'],
    defaultPlan: 'basic',
    site: {
      name: 'Kelp',
      contactEmail: 'ada@example.com',
      contactChatUrl: 'https://chat.example.com/kelp',
      dmcaAgent: 'Ada Kelp\nada@example.com',
      since: 2019,
      claims: {},
      pricing: false,
      policiesDir: '/srv/policies',
    },
  });
});

test('the embedded engines keep everything in the data folder', () => {
  const config = readConfig({ DATA_DIR: '/srv/holdfast' });
  expect(config.database).toEqual({ engine: 'sqlite', path: '/srv/holdfast/holdfast.db' });
  expect(config.blobs).toEqual({ engine: 'disk', folder: '/srv/holdfast/blobs' });
  expect(config.mail).toEqual({ engine: 'outbox', folder: '/srv/holdfast/outbox' });
});

test('an empty variable counts as unset, and blanks around a value are ignored', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '  ', SECRET_KEY: '', REGION: ' ' })).toEqual(readConfig({}));
  expect(readConfig({ PORT: ' 8080 ' }).port).toBe(8080);
});

test('MAIL_URL accepts an SMTP server, with a default port and encoded credentials', () => {
  const mail = (url: string) => readConfig({ MAIL_URL: url }).mail;
  const plain = { engine: 'smtp', host: 'mail.example.com', port: 587, secure: false, credentials: null };
  expect(mail('smtp://mail.example.com')).toEqual(plain);
  expect(mail('smtp://[::1]:2525/')).toEqual({ ...plain, host: '::1', port: 2525 });
  expect(mail('smtps://ada%40example.com:p%23%3A%40@mail.example.com')).toEqual({
    ...plain,
    port: 465,
    secure: true,
    credentials: { user: 'ada@example.com', password: 'p#:@' },
  });
});

test('a node for public links needs PostgreSQL and a replica, which other nodes ignore', () => {
  const urls = { DATABASE_URL: 'postgres://db/holdfast', DATABASE_READ_URL: 'postgres://replica/holdfast' };
  const filesOnly = { filesOnly: true };
  expect(readConfig(urls).filesOnly).toBe(null);
  expect(readConfig(urls, filesOnly).filesOnly).toEqual({ readUrl: urls.DATABASE_READ_URL });
  expect(() => readConfig({ ...urls, DATABASE_URL: 'sqlite:/srv/holdfast.db' }, filesOnly)).toThrow(
    "DATABASE_URL is 'sqlite:/srv/holdfast.db', but it must be that of PostgreSQL with --files-only.",
  );
  expect(() => readConfig({ DATABASE_URL: urls.DATABASE_URL }, filesOnly)).toThrow(
    "DATABASE_READ_URL is '', but it must be set with --files-only.",
  );
  expect(() => readConfig({ ...urls, DATABASE_READ_URL: 'sqlite:/srv/holdfast.db' })).toThrow(
    "DATABASE_READ_URL is 'sqlite:/srv/holdfast.db', but it must be postgres://USER:PASSWORD@HOST/DATABASE.",
  );
});

test('a SQLite database may be at any path', () => {
  expect(readConfig({ DATABASE_URL: 'sqlite:/var/db/files.db' }).database).toEqual({
    engine: 'sqlite',
    path: '/var/db/files.db',
  });
});

const recaptcha = {
  CAPTCHA: 'recaptcha',
  PUBLIC_URL: 'https://files.example.com:8443',
  RECAPTCHA_SITE_KEY: 'a site key',
  RECAPTCHA_SECRET: 'a secret',
};

test('reCAPTCHA uses the host of the public URL and a minimum score of 0.5 by default', () => {
  const captcha = {
    engine: 'recaptcha',
    siteKey: 'a site key',
    secret: 'a secret',
    minScore: 0.5,
    hostname: 'files.example.com',
  };
  expect(readConfig(recaptcha).captcha).toEqual(captcha);
  expect(readConfig({ ...recaptcha, RECAPTCHA_MIN_SCORE: '0.7' }).captcha).toEqual({ ...captcha, minScore: 0.7 });
});

test.each(['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET', 'PUBLIC_URL'])(
  'reCAPTCHA does not start without %s',
  (missing) => {
    expect(() => readConfig({ ...recaptcha, [missing]: '' })).toThrow(
      `${missing} is '', but it must be set while CAPTCHA is recaptcha.`,
    );
  },
);

test.each(['-0.1', '1.1', '50%', 'NaN'])('a minimum score of %s stops the start', (score) => {
  expect(() => readConfig({ ...recaptcha, RECAPTCHA_MIN_SCORE: score })).toThrow(
    new ConfigError('RECAPTCHA_MIN_SCORE', score, 'a number from 0 to 1'),
  );
});

const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRICES: 'starter_monthly=price_1A, power_yearly=price_1B,starter_monthly=price_0',
};

test('the prices of plans are read, including an older price of the same plan', () => {
  const payments = {
    engine: 'stripe',
    secretKey: 'sk_test_abc',
    webhookSecret: 'whsec_abc',
    prices: [
      { id: 'price_1A', offer: { level: 'starter', period: 'monthly' } },
      { id: 'price_1B', offer: { level: 'power', period: 'yearly' } },
      { id: 'price_0', offer: { level: 'starter', period: 'monthly' } },
    ],
    apiUrl: 'https://api.stripe.com',
  };
  expect(readConfig(stripe).payments).toEqual(payments);
  expect(readConfig({ ...stripe, STRIPE_API_URL: 'http://127.0.0.1:4242/' }).payments).toEqual({
    ...payments,
    apiUrl: 'http://127.0.0.1:4242',
  });
});

test.each(['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'])(
  'Stripe does not start without %s',
  (missing) => {
    expect(() => readConfig({ ...stripe, [missing]: '' })).toThrow(
      `${missing} is '', but it must be set, as STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES work together or not at all.`,
    );
  },
);

test.each([
  ['STRIPE_SECRET_KEY', 'pk_live_0123456789', 'sk_ or rk_'],
  ['STRIPE_SECRET_KEY', 'sk_live_0123 456789', 'sk_ or rk_'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_live_0123456789', 'whsec_'],
])('a wrong %s stops the start and is not printed: %s', (variable, value, beginning) => {
  expect(() => readConfig({ ...stripe, [variable]: value })).toThrow(
    `${variable} is '${value.slice(0, 3)}…', but it must be a key of Stripe that begins with ${beginning}.`,
  );
});

test.each([
  'price_1A',
  'starter=price_1A',
  'free_monthly=price_1A',
  'starter_weekly=price_1A',
  'starter_monthly=prod_1A',
  'starter_monthly=price_1A,power_monthly=price_1A',
  'starter_monthly=price_1A;power_monthly=price_1B',
  'starter_monthly=',
  ',',
])('wrong prices stop the start: %s', (STRIPE_PRICES) => {
  expect(() => readConfig({ ...stripe, STRIPE_PRICES })).toThrow(
    new ConfigError(
      'STRIPE_PRICES',
      STRIPE_PRICES,
      'a list such as starter_monthly=price_1A,power_yearly=price_1B, with starter, basic, advanced or power, monthly or yearly, and each price once',
    ),
  );
});

test('STRIPE_API_URL must be an origin', () => {
  expect(() => readConfig({ ...stripe, STRIPE_API_URL: 'api.stripe.com' })).toThrow('STRIPE_API_URL');
});

test('the difficulty of the ALTCHA bot check can be set', () => {
  expect(readConfig({ ALTCHA_DIFFICULTY: '5' }).captcha).toEqual({ engine: 'altcha', difficulty: 5 });
});

test('WORKERS=auto is one for each core on PostgreSQL, and one on SQLite', () => {
  const DATABASE_URL = 'postgres://localhost/holdfast';
  expect(readConfig({ WORKERS: 'auto', DATABASE_URL }).workers).toBe(Math.min(availableParallelism(), 64));
  expect(readConfig({ WORKERS: 'auto' }).workers).toBe(1);
});

test.each([
  ['s3://files', 'files', '', null, 'us-east-1'],
  ['s3://files/', 'files', '', null, 'us-east-1'],
  ['s3://my.files-1/eu/holdfast/', 'my.files-1', 'eu/holdfast/', null, 'us-east-1'],
  ['s3://files/a%20b?region=eu-west-3', 'files', 'a b/', null, 'eu-west-3'],
  ['s3://files?endpoint=http://[::1]:9000&region=garage', 'files', '', 'http://[::1]:9000', 'garage'],
  ['s3://files?endpoint=https%3A%2F%2Fs3.example.com', 'files', '', 'https://s3.example.com', 'us-east-1'],
])('the S3 store %s is read', (url, bucket, prefix, endpoint, region) => {
  const { blobs, redirects } = readConfig({ BLOBS_URL: url });
  expect(blobs).toEqual({ engine: 's3', bucket, prefix, endpoint, region });
  expect(redirects).toBe(false);
});

test('clients are sent to an S3 store, but not to a disk or beside nginx', () => {
  const BLOBS_URL = 's3://files';
  expect(readConfig({ BLOBS_URL, DELIVERY: 'redirect' }).redirects).toBe(true);
  const refuses = (environment: Record<string, string>, accepted: string) =>
    expect(() => readConfig(environment)).toThrow(new ConfigError('DELIVERY', environment['DELIVERY'] ?? '', accepted));
  refuses({ BLOBS_URL, DELIVERY: 'direct' }, 'redirect, or not set');
  refuses({ DELIVERY: 'redirect' }, 'not set unless BLOBS_URL names an S3 store');
  refuses({ BLOBS_URL, DELIVERY: 'redirect', ACCEL: 'nginx' }, 'not set while ACCEL is nginx');
});

const blobsAccepted = 'file:FOLDER or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION';
const mailAccepted = 'outbox:FOLDER, or smtp:// or smtps:// followed by USER:PASSWORD@HOST:PORT';
const scannerAccepted = 'clamd://HOST:PORT or clamd:///PATH/OF/THE/SOCKET';
const dsnAccepted = 'https://PUBLIC_KEY@HOST/PROJECT_NUMBER';

const wrong: readonly [string, string, string][] = [
  ['PORT', '65536', 'a number from 0 to 65535'],
  ['TRUST_PROXY', 'true', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['TRUST_PROXY', '1', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['TRUST_PROXY', 'nginx', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.0/33', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.0/', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['TRUST_PROXY', '10.0.0.0/8/8', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8'],
  ['ACCEL', 'apache', 'nginx, or not set'],
  ['DORMANT_ACCOUNTS', 'remove', 'keep or delete'],
  ['SCANNER_URL', 'clamd', scannerAccepted],
  ['SCANNER_URL', 'clamd://', scannerAccepted],
  ['SCANNER_URL', 'clamd:///', scannerAccepted],
  ['SCANNER_URL', 'clamd:/run/clamd.sock', scannerAccepted],
  ['SCANNER_URL', 'clamd://scanner:3310/path', scannerAccepted],
  ['SCANNER_URL', 'clamd:///run/', scannerAccepted],
  ['SCANNER_URL', 'clamd://scanner:99999', scannerAccepted],
  ['SCANNER_URL', 'tcp://scanner:3310', scannerAccepted],
  ['SHUTDOWN_DELAY', '61', 'seconds from 0 to 60'],
  ['SHUTDOWN_DELAY', '1.5', 'seconds from 0 to 60'],
  ['WORKERS', '2', '1 or auto unless DATABASE_URL is that of PostgreSQL'],
  ['WORKERS', '0', 'auto, or a number from 1 to 64'],
  ['WORKERS', '65', 'auto, or a number from 1 to 64'],
  ['WORKERS', '1.5', 'auto, or a number from 1 to 64'],
  ['WORKERS', 'all', 'auto, or a number from 1 to 64'],
  ['PORT', '-1', 'a number from 0 to 65535'],
  ['METRICS_PORT', 'yes', 'a number from 0 to 65535'],
  ['PORT', '80a', 'a number from 0 to 65535'],
  ['PORT', '0x50', 'a number from 0 to 65535'],
  ['PUBLIC_URL', 'files.example.com', 'an origin such as https://files.example.com, without a path'],
  ['PUBLIC_URL', 'https://files.example.com/app', 'an origin such as https://files.example.com, without a path'],
  ['PUBLIC_URL', 'https://files.example.com/?a', 'an origin such as https://files.example.com, without a path'],
  ['PUBLIC_URL', 'ftp://files.example.com', 'an origin such as https://files.example.com, without a path'],
  ['FILE_ORIGINS', '*', 'an origin such as https://files.example.com, without a path'],
  ['DATABASE_URL', 'mysql://db/holdfast', 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE'],
  ['DATABASE_URL', 'sqlite:', 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE'],
  ['DATABASE_URL', 'postgres://db:port/x', 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE'],
  ['BLOBS_URL', '/mnt/blobs', blobsAccepted],
  ['BLOBS_URL', 'file:', blobsAccepted],
  ['BLOBS_URL', 's3:', blobsAccepted],
  ['BLOBS_URL', 's3://', blobsAccepted],
  ['BLOBS_URL', 's3://Bucket/', blobsAccepted],
  ['BLOBS_URL', 's3://bucket/?endpiont=https://s3.example.com', blobsAccepted],
  ['BLOBS_URL', 's3://bucket/#files', blobsAccepted],
  ['MAIL_URL', 'file:/mnt/mail', mailAccepted],
  ['MAIL_URL', 'outbox:', mailAccepted],
  ['MAIL_URL', 'smtp://', mailAccepted],
  ['MAIL_URL', 'smtp:mail.example.com', mailAccepted],
  ['MAIL_URL', 'smtp://mail.example.com:port', mailAccepted],
  ['MAIL_URL', 'smtp://mail.example.com/inbox', mailAccepted],
  ['MAIL_URL', 'smtp://mail.example.com?pool=true', mailAccepted],
  ['CAPTCHA', 'off', 'altcha, recaptcha or none'],
  ['ALTCHA_DIFFICULTY', '0', 'a number from 1 to 5'],
  ['ALTCHA_DIFFICULTY', '6', 'a number from 1 to 5'],
  ['ALTCHA_DIFFICULTY', '4.5', 'a number from 1 to 5'],
  ['CONTACT_CHAT_URL', 'javascript:alert(1)', 'an http or https address'],
  ['SENTRY_DSN', 'https://sentry.example.com/42', dsnAccepted],
  ['SENTRY_DSN', 'sentry.example.com', dsnAccepted],
  ['SENTRY_DSN', 'udp:kelp', dsnAccepted],
];

test.each(wrong)(
  '%s=%s stops the start with a sentence that names the accepted values',
  (variable, found, accepted) => {
    expect(() => readConfig({ [variable]: found })).toThrow(new ConfigError(variable, found, accepted));
    expect(new ConfigError(variable, found, accepted).message).toBe(
      `${variable} is '${found}', but it must be ${accepted}.`,
    );
  },
);

test('a short secret key stops the start without being printed', () => {
  const start = () => readConfig({ SECRET_KEY: 'hunter2-hunter2' });
  expect(start).toThrow("SECRET_KEY is '15 characters long', but it must be at least 32 characters long.");
});

test.each([
  ['DATABASE_URL', 'mysql://ada:hunter2@db/holdfast'],
  ['DATABASE_URL', 'mysql://ada:hun/hunter2@db/holdfast'],
  ['DATABASE_URL', 'postgres:/ada:hunter2@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2@db:port/holdfast'],
  ['DATABASE_URL', 'ada:hunter2@db/holdfast'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.example.com/inbox'],
  ['MAIL_URL', 'smtp://ada:hunter2%@mail.example.com'],
  ['MAIL_URL', 'smtps://:hunter2@mail.example.com'],
  ['MAIL_URL', 'smtp://ada:#hunter2@mail.example.com'],
  ['BLOBS_URL', 's3://ada:hunter2@bucket'],
  ['PUBLIC_URL', 'https://ada:hunter2@files.example.com'],
  ['FILE_ORIGINS', 'https://a.example.com,https://ada:hunter2@b.example.com'],
  ['CONTACT_CHAT_URL', 'irc://ada:hunter2@chat.example.com'],
  ['SENTRY_DSN', 'https://abc:hunter2@sentry.example.com/42'],
])('a password in a wrong %s is not printed: %s', (variable, found) => {
  const start = () => readConfig({ [variable]: found });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(/^(?!.*hunter2)/s);
});

test.each([
  ['clamd://127.0.0.1:3311', { host: '127.0.0.1', port: 3311 }],
  ['clamd://[::1]:3310', { host: '::1', port: 3310 }],
  ['clamd://clamav', { host: 'clamav', port: 3310 }],
  ['clamd:///run/clamav/clamd.ctl', { path: '/run/clamav/clamd.ctl' }],
  ['clamd:///run/my scanner.sock', { path: '/run/my scanner.sock' }],
])('%s names a scanner', (url, at) => {
  expect(readConfig({ SCANNER_URL: url }).scanner).toEqual({ engine: 'clamd', at });
});

test('a setting may be in a file that NAME_FILE names', () => {
  const SECRET_KEY_FILE = writeText(` ${'k'.repeat(32)}\n`);
  const DATABASE_URL_FILE = writeText('postgres://ada:hunter2@db/holdfast\n');
  const PLANS_FILE = writeText('{ "free": { "slots_quota": 9 } }');
  expect(readConfig({ SECRET_KEY_FILE, DATABASE_URL_FILE, PLANS_FILE })).toEqual(
    readConfig({ SECRET_KEY: 'k'.repeat(32), DATABASE_URL: 'postgres://ada:hunter2@db/holdfast', PLANS_FILE }),
  );
  expect(readConfig({ SECRET_KEY_FILE, SECRET_KEY: '' }).secretKey).toBe('k'.repeat(32));
});

test('NAME_FILE stops the start beside NAME, or if its file is missing or empty', () => {
  const path = writeText('');
  expect(() => readConfig({ MAIL_URL_FILE: path, MAIL_URL: 'smtp://ada:hunter2@mail.example.com' })).toThrow(
    new ConfigError('MAIL_URL_FILE', path, 'not set while MAIL_URL is'),
  );
  expect(() => readConfig({ SECRET_KEY_FILE: path })).toThrow(`SECRET_KEY_FILE cannot be used: ${path} is empty.`);
  expect(() => readConfig({ SECRET_KEY_FILE: `${path}.missing` })).toThrow(/^SECRET_KEY_FILE cannot be used: ENOENT/);
});

function writeText(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-setting-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'content');
  writeFileSync(path, text);
  return path;
}

test('a plans file that is missing or wrong stops the start, and the message says what is wrong where', () => {
  const path = writeText('{ "house": { "space_quota": -1 } }');
  expect(() => readConfig({ PLANS_FILE: path })).toThrow(
    'PLANS_FILE cannot be used: house.space_quota must be a whole number of bytes from 1, a size such as "2.5 GB", or "unlimited".',
  );
  expect(() => readConfig({ PLANS_FILE: `${path}.missing` })).toThrow(/^PLANS_FILE cannot be used: ENOENT/);
  expect(() => readConfig({ DEFAULT_PLAN: 'Gold' })).toThrow(
    "DEFAULT_PLAN is 'Gold', but it must be free, starter, basic, advanced, power or house.",
  );
});

test('MIN_FREE_SPACE is a size, a share of the disk, or nothing', () => {
  const least = (found: string) => readConfig({ MIN_FREE_SPACE: found }).minFreeSpace;
  expect(least('2.5 TB')).toEqual({ bytes: 2.5e12, percent: 100 });
  expect(least('10%')).toEqual({ bytes: Infinity, percent: 10 });
  expect(least('0')).toEqual({ bytes: 0, percent: 100 });
  for (const found of ['lots', '-1', '100%', '5 GiB', '12345'])
    expect(() => least(found)).toThrow(
      `MIN_FREE_SPACE is '${found}', but it must be a size such as 20 GB, a percentage such as 10%, or 0.`,
    );
});

test('PREVIEW_BURST is a size, or nothing', () => {
  const burst = (found: string) => readConfig({ PREVIEW_BURST: found }).previewBurst;
  expect([burst('1.5 MB'), burst('500 KB'), burst('0')]).toEqual([1_500_000, 500_000, 0]);
  for (const found of ['lots', '-1', '8 MiB', '8', '10%'])
    expect(() => burst(found)).toThrow(`PREVIEW_BURST is '${found}', but it must be a size such as 8 MB, or 0.`);
});

test('the example of a plans file in the docs can be used', () => {
  const page = readFileSync(new URL('../../../docs/plans.md', import.meta.url), 'utf8');
  const [, example = ''] = /```json\n([^]*?)```/.exec(page) ?? [];
  const { plans } = readConfig({ PLANS_FILE: writeText(example) });
  expect(plans.free).toMatchObject({ maxFileSize: 1e9, spaceQuota: 5e9, allowedExtensions: null });
  expect(plans.starter.name).toBe('Friends');
  expect(plans.basic).toMatchObject({ monthlyCents: 499, yearlyCents: 4999 });
  expect(plans.house.spaceQuota).toBe(2e12);
});

test.each([
  ['SIGN_UP', 'never', 'open, invite, approval or closed'],
  ['ALLOWED_EMAIL_DOMAINS', 'a@example.com', 'domains such as example.com, example.org'],
])('%s is refused when it is %s', (variable, found, accepted) => {
  expect(() => readConfig({ [variable]: found })).toThrow(/^SIGN_UP|^ALLOWED/);
  expect(() => readConfig({ [variable]: found })).toThrow(`but it must be ${accepted}.`);
});
