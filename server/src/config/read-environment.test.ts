import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { ConfigError } from './setting-errors.ts';
import { readConfig } from './read-environment.ts';

test('without variables, the embedded engines are used and the server listens on localhost', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    dataDir: resolve('data'),
    publicUrl: null,
    fileOrigins: [],
    database: { engine: 'sqlite', path: resolve('data/holdfast.db') },
    blobs: { engine: 'disk', folder: resolve('data/blobs') },
    mail: { engine: 'outbox', folder: resolve('data/outbox') },
    dormantAccounts: null,
    captcha: { engine: 'altcha', difficulty: 4 },
    secretKey: null,
    trustProxy: [],
    accel: null,
    egressMbps: null,
    shutdownDelayMs: 1_000,
    metrics: null,
    region: 'Local',
    reports: { engine: 'none' },
    scanner: { engine: 'none' },
    payments: { engine: 'none' },
    site: { name: 'Holdfast', contactEmail: null, contactChatUrl: null, dmcaAgent: null },
  });
});

test('every variable is read', () => {
  const secret = 'k'.repeat(32);
  expect(
    readConfig({
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: '/srv/holdfast',
      PUBLIC_URL: 'https://Files.example.com/',
      FILE_ORIGINS: 'https://a.example.com, http://b.example.com:8080 ,',
      DATABASE_URL: 'postgres://user:word@db/holdfast',
      BLOBS_URL: 'file:/mnt/blobs',
      MAIL_URL: 'outbox:/mnt/outbox',
      DORMANT_ACCOUNTS: 'delete',
      CAPTCHA: 'none',
      SECRET_KEY: secret,
      TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      EGRESS_MBPS: '1000',
      SHUTDOWN_DELAY: '10',
      METRICS_PORT: '9464',
      METRICS_HOST: '::1',
      REGION: 'Frankfurt',
      SENTRY_DSN: 'https://abc123@sentry.example.com:9000/errors/42',
      SCANNER_URL: 'clamd://scanner.example.com',
      SITE_NAME: 'Kelp',
      CONTACT_EMAIL: 'ada@example.com',
      CONTACT_CHAT_URL: 'https://chat.example.com/kelp',
      DMCA_AGENT: 'Ada Kelp\nada@example.com',
    }),
  ).toEqual({
    host: '0.0.0.0',
    port: 0,
    dataDir: '/srv/holdfast',
    publicUrl: 'https://files.example.com',
    fileOrigins: ['https://a.example.com', 'http://b.example.com:8080'],
    database: { engine: 'postgres', url: 'postgres://user:word@db/holdfast' },
    blobs: { engine: 'disk', folder: '/mnt/blobs' },
    mail: { engine: 'outbox', folder: '/mnt/outbox' },
    dormantAccounts: 'delete',
    captcha: { engine: 'none' },
    secretKey: secret,
    trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
    accel: null,
    egressMbps: 1000,
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
    site: {
      name: 'Kelp',
      contactEmail: 'ada@example.com',
      contactChatUrl: 'https://chat.example.com/kelp',
      dmcaAgent: 'Ada Kelp\nada@example.com',
    },
  });
});

test('the embedded engines keep everything in the data folder', () => {
  const config = readConfig({ DATA_DIR: '/srv/holdfast' });
  expect(config.database).toEqual({ engine: 'sqlite', path: '/srv/holdfast/holdfast.db' });
  expect(config.blobs.folder).toBe('/srv/holdfast/blobs');
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

test('ACCEL=nginx is accepted, but not together with EGRESS_MBPS', () => {
  expect(readConfig({ ACCEL: 'nginx' }).accel).toBe('nginx');
  expect(() => readConfig({ ACCEL: 'nginx', EGRESS_MBPS: '100' })).toThrow(
    "EGRESS_MBPS is '100', but it must be not set while ACCEL is nginx.",
  );
});

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
  ['EGRESS_MBPS', '0', 'a whole number of Mbps from 1'],
  ['EGRESS_MBPS', '1.5', 'a whole number of Mbps from 1'],
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
  ['BLOBS_URL', '/mnt/blobs', 'file:FOLDER'],
  ['BLOBS_URL', 'file:', 'file:FOLDER'],
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
