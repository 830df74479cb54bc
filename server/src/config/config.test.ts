import { planLevels, standardPlans } from '@holdfast/contract/src/plans.ts';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { afterAll, expect, test } from 'vitest';
import { type Config, readConfig } from './config.ts';
import { ConfigError, UnusableSetting } from './setting-errors.ts';
import { settings } from './settings.ts';

type Set = Readonly<Record<string, string>>;

test('without variables, the embedded engines are used and the server listens on localhost', () => {
  expect(readConfig({})).toMatchObject({
    origins: { app: 'http://localhost:3000', files: ['http://localhost:3000'], otherHosts: 'both' },
    host: '127.0.0.1',
    workers: null,
    database: { engine: 'sqlite', path: resolve('data/holdfast.db') },
    blobs: { engine: 'disk', folder: resolve('data/blobs') },
    placedBy: { database: 'DATA_DIR', blobs: 'DATA_DIR', mail: 'DATA_DIR' },
    mail: { engine: 'outbox', folder: resolve('data/outbox') },
    captcha: { engine: 'altcha', difficulty: 4 },
    scanner: { engine: 'none' },
    payments: { engine: 'none' },
    plans: standardPlans,
    signUp: 'open',
  });
});

test.each([
  { message: "EACCES: permission denied, mkdir '/data'", code: 'EACCES' },
  { message: 'unable to open database file', code: 'ERR_SQLITE_ERROR', errcode: 14 },
])('a place that the own user may not use is named with that user: $message', (cause) => {
  const sentence = `DATA_DIR cannot be used by the user ${userInfo().username}: ${cause.message}`;
  expect(new UnusableSetting('DATA_DIR', cause, '/data').message).toContain(sentence);
});

test('.env.example shows every setting, with its standard value or another one', () => {
  const lines = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8').matchAll(/^#([A-Z_]+)=(.*)$/gm);
  const shown = [...lines].map(([, name = '', value = '']) => ({ name, value }));
  expect([...new Set(shown.map(({ name }) => name))].toSorted()).toEqual(Object.keys(settings).toSorted());
  for (const { name, value } of shown.filter((each) => ['HOST', 'PORT', 'CAPTCHA', 'SITE_NAME'].includes(each.name)))
    expect(value, name).toBe(settings[name as keyof typeof settings].standard);
});

const s3 = { engine: 's3', bucket: 'files', prefix: '', endpoint: null, region: 'us-east-1' } as const;
const smtp = {
  engine: 'smtp',
  host: 'mail.example.com',
  port: 587,
  secure: false,
  credentials: null,
  ca: null,
} as const;
const recaptcha = {
  CAPTCHA: 'recaptcha',
  PUBLIC_URL: 'https://files.example.com:8443',
  RECAPTCHA_SITE_KEY: 'a site key',
  RECAPTCHA_SECRET: 'a secret',
};
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_abc',
  STRIPE_WEBHOOK_SECRET: 'whsec_abc',
  STRIPE_PRICES: 'starter_monthly=price_1A, power_yearly=price_1B,starter_monthly=price_0',
};
const folder = mkdtempSync(join(tmpdir(), 'holdfast-setting-'));
afterAll(() => rmSync(folder, { recursive: true }));

function writeText(text: string): string {
  const path = join(folder, randomUUID());
  writeFileSync(path, text);
  return path;
}

const DATABASE_URL = 'postgres://user:word@db/holdfast';

const [pem = ''] = rootCertificates;
const ca = writeText(pem);

/** Of these signs, none ends the host early. */
const hasSigns = 'postgres://ada@corp:p@ss:w%23@[::1]:5432/holdfast?sslmode=verify-full&sslrootcert=/etc/ca@home.pem';

test.each<[Set, Partial<Config>]>([
  [
    { HOST: '::1', PORT: ' 0 ', REGION: 'Frankfurt' },
    { host: '::1', port: 0, region: 'Frankfurt' },
  ],
  [{ PORT: '', DATABASE_URL: '  ', SECRET_KEY: '', REGION: ' ' }, {}],
  [
    { DATA_DIR: '/srv/holdfast' },
    {
      dataDir: '/srv/holdfast',
      database: { engine: 'sqlite', path: '/srv/holdfast/holdfast.db' },
      blobs: { engine: 'disk', folder: '/srv/holdfast/blobs' },
      mail: { engine: 'outbox', folder: '/srv/holdfast/outbox' },
    },
  ],
  [
    { PUBLIC_URL: 'https://Files.example.com/', FILE_ORIGINS: 'https://a.example.com, http://b.example.com:8080 ,' },
    { publicUrl: 'https://files.example.com', fileOrigins: ['https://a.example.com', 'http://b.example.com:8080'] },
  ],
  [{ TRUST_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' }, { trustProxy: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'] }],
  [{ DATABASE_URL: 'sqlite:/var/db/files.db' }, { database: { engine: 'sqlite', path: '/var/db/files.db' } }],
  [
    { DATABASE_URL, WORKERS: '4' },
    { database: { engine: 'postgres', url: DATABASE_URL }, workers: 4 },
  ],
  [
    { DATABASE_URL, WORKERS: 'auto' },
    { database: { engine: 'postgres', url: DATABASE_URL }, workers: Math.min(availableParallelism(), 64) },
  ],
  [{ WORKERS: 'auto' }, { workers: 1 }],
  [{ BLOBS_URL: 'file:/mnt/blobs' }, { blobs: { engine: 'disk', folder: '/mnt/blobs' } }],
  [{ BLOBS_URL: 's3://my.files-1/eu/a%20b/' }, { blobs: { ...s3, bucket: 'my.files-1', prefix: 'eu/a b/' } }],
  [
    { BLOBS_URL: 's3://files?endpoint=http://[::1]:9000&region=garage', DELIVERY: 'redirect' },
    { blobs: { ...s3, endpoint: 'http://[::1]:9000', region: 'garage' }, redirects: true },
  ],
  [{ MIN_FREE_SPACE: '2.5 TB' }, { minFreeSpace: { bytes: 2.5e12, percent: 100 } }],
  [{ MIN_FREE_SPACE: '10%' }, { minFreeSpace: { bytes: Infinity, percent: 10 } }],
  [{ DOWNLOAD_BURST: '1.5 MB' }, { downloadBurst: 1_500_000 }],
  [{ METRICS_PORT: '9464', METRICS_HOST: '::1' }, { metrics: { host: '::1', port: 9464 } }],
  [{ HOST: '[::1]' }, { host: '::1' }],
  ...(
    [
      [hasSigns, hasSigns],
      ['postgres://db/files?sslmode=require', 'postgres://db/files?sslmode=verify-full'],
      ['postgres://db/files?a=b&sslmode=verify-ca&c=d', 'postgres://db/files?a=b&sslmode=verify-full&c=d'],
      ['postgres://db/files?sslmode=no-verify', 'postgres://db/files?sslmode=no-verify'],
      ['postgres://db/f?uselibpqcompat=true&sslmode=require', 'postgres://db/f?uselibpqcompat=true&sslmode=require'],
      ['postgres://ada:pw@/files?host=/run/postgresql', 'postgres://ada:pw@localhost/files?host=/run/postgresql'],
      ['postgresql:///files?host=/run/postgresql', 'postgresql:///files?host=/run/postgresql'],
    ] as const
  ).map(([url, read]): [Set, Partial<Config>] => [
    { DATABASE_URL: url },
    { database: { engine: 'postgres', url: read } },
  ]),
  [{ MAIL_URL: 'smtp://[::1]:2525/' }, { mail: { ...smtp, host: '::1', port: 2525 } }],
  [{ MAIL_URL: 'smtp://mail.example.com', MAIL_CA_FILE: ca }, { mail: { ...smtp, ca: pem } }],
  [
    { DATABASE_URL, DATABASE_CA_FILE: ca },
    {
      database: {
        engine: 'postgres',
        url: `${DATABASE_URL}?sslmode=verify-full&sslrootcert=${encodeURIComponent(ca)}`,
      },
    },
  ],
  [
    { MAIL_URL: 'smtps://ada%40example.com:p%23%3A%40@mail.example.com' },
    { mail: { ...smtp, port: 465, secure: true, credentials: { user: 'ada@example.com', password: 'p#:@' } } },
  ],
  [
    { SENTRY_DSN: 'https://abc123@sentry.example.com:9000/errors/42' },
    {
      reports: {
        engine: 'sentry',
        dsn: 'https://abc123@sentry.example.com:9000/errors/42',
        origin: 'https://sentry.example.com:9000',
      },
    },
  ],
  [{ SCANNER_URL: 'clamd://[::1]:3311' }, { scanner: { engine: 'clamd', at: { host: '::1', port: 3311 } } }],
  [{ SCANNER_URL: 'clamd:///run/my clamd.ctl' }, { scanner: { engine: 'clamd', at: { path: '/run/my clamd.ctl' } } }],
  [
    { SIGN_UP: 'invite', ALLOWED_EMAIL_DOMAINS: 'Example.com, example.org', DEFAULT_PLAN: 'basic' },
    {
      signUp: 'invite',
      isSignUpChosen: true,
      allowedEmailDomains: ['example.com', 'example.org'],
      defaultPlan: 'basic',
    },
  ],
])('%j is read', (environment, expected) => {
  const following = { origins: expect.anything() as object, placedBy: expect.anything() as object };
  expect(readConfig(environment)).toEqual({ ...readConfig({}), ...following, ...expected });
});

test('reCAPTCHA uses the host of the public URL, and Stripe the prices in their order', () => {
  const captcha = { engine: 'recaptcha', siteKey: 'a site key', secret: 'a secret', hostname: 'files.example.com' };
  expect(readConfig(recaptcha).captcha).toEqual({ ...captcha, minScore: 0.5 });
  expect(readConfig({ ...recaptcha, RECAPTCHA_MIN_SCORE: '0.7' }).captcha).toEqual({ ...captcha, minScore: 0.7 });
  expect(readConfig({ ...stripe, STRIPE_API_URL: 'http://127.0.0.1:4242/' }).payments).toEqual({
    engine: 'stripe',
    secretKey: 'sk_test_abc',
    webhookSecret: 'whsec_abc',
    prices: [
      { id: 'price_1A', offer: { level: 'starter', period: 'monthly' } },
      { id: 'price_1B', offer: { level: 'power', period: 'yearly' } },
      { id: 'price_0', offer: { level: 'starter', period: 'monthly' } },
    ],
    apiUrl: 'http://127.0.0.1:4242',
  });
});

const together = 'set, as STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, STRIPE_PRICES work together or not at all';

test.each<[Set, name: string, found: string, accepted: string]>([
  ...['RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET', 'PUBLIC_URL'].map((name): [Set, string, string, string] => [
    { ...recaptcha, [name]: '' },
    name,
    '',
    'set while CAPTCHA is recaptcha',
  ]),
  [{ ...stripe, STRIPE_SECRET_KEY: '' }, 'STRIPE_SECRET_KEY', '', together],
  [{ METRICS_HOST: '::1' }, 'METRICS_PORT', '', 'set while METRICS_HOST is'],
  [{ WORKER_PORT: '3001' }, 'WORKER_PORT', '3001', 'not set unless WORKERS is'],
  [{ WORKERS: '2' }, 'WORKERS', '2', '1 or auto unless DATABASE_URL is that of PostgreSQL'],
  [{ DELIVERY: 'redirect' }, 'DELIVERY', 'redirect', 'not set unless BLOBS_URL names an S3 store'],
  [
    { DELIVERY: 'redirect', BLOBS_URL: 's3://files', ACCEL: 'nginx' },
    'DELIVERY',
    'redirect',
    'not set while ACCEL is nginx',
  ],
  [{ SITE_SINCE: '2019', SITE_CLAIMS: 'standard' }, 'SITE_SINCE', '2019', 'not set while SITE_CLAIMS is standard'],
  ...['sslrootcert=/a.pem', 'sslmode=disable', 'sslmode=no-verify'].map((option): [Set, string, string, string] => [
    { DATABASE_URL: `${DATABASE_URL}?${option}`, DATABASE_CA_FILE: ca },
    'DATABASE_CA_FILE',
    ca,
    `not set while DATABASE_URL has ${option.replace('=/a.pem', '')}`,
  ]),
  [{ ...stripe, PRICING: 'off' }, 'PRICING', 'off', 'on while STRIPE_SECRET_KEY is set'],
])('settings that do not go together stop the start: %j', (environment, name, found, accepted) => {
  expect(() => readConfig(environment)).toThrow(new ConfigError(name, found, accepted));
});

test('a node for public links needs PostgreSQL and a replica', () => {
  const filesOnly = { filesOnly: true };
  const readUrl = 'postgres://replica/holdfast';
  expect(readConfig({ DATABASE_URL, DATABASE_READ_URL: readUrl }, filesOnly).filesOnly).toEqual({ readUrl });
  expect(() => readConfig({ DATABASE_URL: 'sqlite:/srv/holdfast.db' }, filesOnly)).toThrow(
    "DATABASE_URL is 'sqlite:/srv/holdfast.db', but it must be that of PostgreSQL with --files-only.",
  );
  expect(() => readConfig({ DATABASE_URL }, filesOnly)).toThrow(
    "DATABASE_READ_URL is '', but it must be set with --files-only.",
  );
});

const postgresAccepted =
  'postgres://USER:PASSWORD@HOST/DATABASE; in the password, percent-encode signs such as @ (%40), / (%2F), # (%23) and ? (%3F)';
const originAccepted = 'an origin such as https://files.example.com, without a path';

test.each<[name: keyof typeof settings, accepted: string, ...found: string[]]>([
  ['PORT', 'a number from 0 to 65535', '65536', '-1', '80a', '0x50'],
  ['WORKERS', 'auto, or a number from 1 to 64', '0', '65', '1.5', 'all'],
  ['TRUST_PROXY', 'addresses or networks such as 127.0.0.1, 10.0.0.0/8', 'true', '1', 'nginx', '10.0.0.0/33'],
  ['DELIVERY', 'redirect, or not set', 'direct'],
  ['DOWNLOAD_BURST', 'a size such as 2 MB, or 0', 'lots', '-1', '8 MiB', '8', '10%'],
  ['MIN_FREE_SPACE', 'a size such as 20 GB, a percentage such as 10%, or 0', 'lots', '-1', '100%', '5 GiB', '12345'],
  ['SHUTDOWN_DELAY', 'seconds from 0 to 60', '61', '1.5'],
  ['PUBLIC_URL', originAccepted, 'files.example.com', 'https://a.example.com/app'],
  ['DATABASE_URL', `sqlite:PATH or ${postgresAccepted}`, 'sqlite:', 'mysql://db/x'],
  ['DATABASE_READ_URL', postgresAccepted, 'sqlite:/srv/holdfast.db'],
  [
    'BLOBS_URL',
    'file:FOLDER or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION',
    '/mnt/blobs',
    's3://b1/?endpiont=https://s3.example.com',
    's3://b1/#a',
  ],
  ['MAIL_URL', 'outbox:FOLDER, or smtp:// or smtps:// followed by USER:PASSWORD@HOST:PORT', 'smtp://mail?a=b'],
  [
    'SCANNER_URL',
    'clamd://HOST:PORT or clamd:///PATH/OF/THE/SOCKET',
    'clamd://',
    'clamd://a:3310/path',
    'clamd:///run/',
  ],
  ['SENTRY_DSN', 'https://PUBLIC_KEY@HOST/PROJECT_NUMBER', 'https://sentry.example.com/42'],
  ['CAPTCHA', 'altcha, recaptcha or none', 'off'],
  ['ALTCHA_DIFFICULTY', 'a number from 1 to 5', '0', '6', '4.5'],
  ['RECAPTCHA_MIN_SCORE', 'a number from 0 to 1', '-0.1', '1.1', '50%', 'NaN'],
  ['SIGN_UP', 'open, invite, approval or closed', 'never'],
  ['ALLOWED_EMAIL_DOMAINS', 'domains such as example.com, example.org', 'example'],
  ['DORMANT_ACCOUNTS', 'keep or delete', 'remove'],
  ['DEFAULT_PLAN', 'free, starter, basic, advanced, power or house', 'Gold'],
  [
    'STRIPE_PRICES',
    'a list such as starter_monthly=price_1A,power_yearly=price_1B, with starter, basic, advanced or power, monthly or yearly, and each price once',
    'price_1A',
    'free_monthly=price_1A',
    'starter_monthly=prod_1A',
    'starter_monthly=price_1A,power_monthly=price_1A',
  ],
  ['SITE_SINCE', `a year from 1970 to ${new Date().getFullYear()}`, 'long ago', '9999'],
  ['PRICING', 'on or off', 'none'],
  ['CONTACT_EMAIL', 'one plain email address', 'ada', 'ada@example.com, bob@example.com'],
  ['CONTACT_CHAT_URL', 'an http or https address', 'javascript:alert(1)'],
])('a wrong %s stops the start with a sentence that says: %s', (name, accepted, ...values) => {
  for (const found of values)
    expect(() => readConfig({ [name]: found }), found).toThrow(
      expect.objectContaining({
        name: 'ConfigError',
        message: `${name} is '${plain.has(name) ? found : hidden(found)}', but it must be ${accepted}.`,
      }),
    );
});

const plain: ReadonlySet<string> = new Set(
  (
    'PORT WORKERS DELIVERY DOWNLOAD_BURST MIN_FREE_SPACE SHUTDOWN_DELAY CAPTCHA ALTCHA_DIFFICULTY RECAPTCHA_MIN_SCORE ' +
    'SIGN_UP DORMANT_ACCOUNTS DEFAULT_PLAN SITE_SINCE PRICING'
  ).split(' '),
);
/** Any other part may be a secret. */
const hidden = (found: string) => found.replace(/^(\w+:\/\/)?.*$/, '$1…');

const generated = 'hunter2'.repeat(5);

test.each([
  ['STRIPE_SECRET_KEY', 'pk_live_hunter2'],
  ['STRIPE_WEBHOOK_SECRET', 'sk_live_hunter2'],
  ['STRIPE_WEBHOOK_SECRET', 'whsec_abc-+/hunter2'],
  ['SECRET_KEY', 'hunter2-hunter2'],
  ['DATABASE_URL', generated],
  ['PORT', generated],
  ['CAPTCHA', generated],
  ['PLANS_FILE', generated],
  ['DATABASE_URL', 'mysql://ada:hunter2'],
  ['MAIL_URL', 'smpt://ada:hunter2 mail.example.com'],
  ['MAIL_URL_FILE', 'smtp://ada:hunter2@mail.example.com'],
  ['SITE_CLAIMS', 'whsec_abc+/hunter2'],
  ['DATABASE_URL', 'mysql://ada:hunter2@db/holdfast'],
  ['DATABASE_URL', 'postgres:/ada:hunter2@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2@db:port/holdfast'],
  ['MAIL_URL', 'smtp://ada:hunter2@mail.example.com/inbox'],
  ['MAIL_URL', 'smtp://ada:hunter2 mail.example.com'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2/s#w%d@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2/s@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2?s@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:1/hunter2@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:p@hunter2#s@db/holdfast'],
  ['DATABASE_READ_URL', 'postgres://ada:p@hunter2#s@db/holdfast'],
  ['DATABASE_URL', 'postgres://ada:hunter2'],
  ['DATABASE_URL', 'postgres://ada:hunter2/holdfast'],
  ['STRIPE_PRICES', 'sk_live_hunter2'],
  ['PUBLIC_URL', 'whsec_hunter2'],
  ['BLOBS_URL', 's3://ada:hunter2@bucket'],
  ['PUBLIC_URL', 'https://ada:hunter2@files.example.com'],
  ['FILE_ORIGINS', 'https://a.example.com,https://ada:hunter2@b.example.com'],
  ['CONTACT_CHAT_URL', 'irc://ada:hunter2@chat.example.com'],
  ['SENTRY_DSN', 'https://abc:hunter2@sentry.example.com/42'],
])('a password in a wrong %s is not printed: %s', (variable, found) => {
  const start = () => readConfig({ [variable]: found });
  expect(start).toThrow(new RegExp(`^${variable} (?!.*hunter2)`, 's'));
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
    new ConfigError('MAIL_URL_FILE', '…', 'not set while MAIL_URL is'),
  );
  expect(() => readConfig({ SECRET_KEY_FILE: path })).toThrow(`SECRET_KEY_FILE cannot be used: ${path} is empty.`);
  expect(() => readConfig({ SECRET_KEY_FILE: `${path}.missing` })).toThrow(/^SECRET_KEY_FILE cannot be used: ENOENT/);
});

const standardSite = { since: null, claims: null, pricing: true };

test.each<[Set, Partial<Config['site']>]>([
  [{ SITE_CLAIMS: 'standard' }, standardSite],
  [{ SITE_SINCE: '2019' }, { since: 2019, claims: {} }],
  [{ PRICING: 'off' }, { claims: {}, pricing: false }],
  [{ SITE_NAME: 'Kelp' }, { name: 'Kelp', claims: {} }],
  [{ PRICING: 'off', SITE_CLAIMS: 'standard' }, { pricing: false }],
  [
    { SITE_CLAIMS: writeText('{ "title": "  Kelp  ", "figures": [["40", "boats"]] }'), SITE_SINCE: '2019' },
    { since: 2019, claims: { title: 'Kelp', figures: [['40', 'boats']] } },
  ],
  [
    { SITE_NAME: 'Kelp', CONTACT_EMAIL: 'ada@example.com', CONTACT_CHAT_URL: 'https://chat.example.com/kelp' },
    { name: 'Kelp', claims: {}, contactEmail: 'ada@example.com', contactChatUrl: 'https://chat.example.com/kelp' },
  ],
  [
    { DMCA_AGENT: 'Ada Kelp\nada@example.com', POLICIES_DIR: '/srv/policies' },
    { dmcaAgent: 'Ada Kelp\nada@example.com', policiesDir: '/srv/policies' },
  ],
])(
  'a site with a name or year of its own, or without prices, makes no standard claims unless told to: %j',
  (set, site) => {
    expect(readConfig(set).site).toEqual({ ...readConfig({}).site, ...standardSite, ...site });
  },
);

test.each([
  ['SITE_CLAIMS', '{', 'the file is not JSON'],
  ['SITE_CLAIMS', '{ "titel": "Files" }', "the file does not know 'titel'"],
  ['SITE_CLAIMS', '{ "title": "a\\nb" }', 'title must be a text of 1 to 80 characters in one line'],
  ['SITE_CLAIMS', '{ "home": ["One.", 2] }', 'home.1 must be a text of 1 to 2000 characters in one line'],
  ['SITE_CLAIMS', '{ "figures": [["40"]] }', 'figures.0 must be a figure and what it counts, as two texts'],
  ['PLANS_FILE', '{ "house": { "space_quota": -1 } }', 'house.space_quota must be a whole number of bytes from 1'],
])('a file of %s with %s stops the start', (name, content, reason) => {
  expect(() => readConfig({ [name]: writeText(content) })).toThrow(`${name} cannot be used: ${reason}`);
  expect(() => readConfig({ [name]: '/no/such/file' })).toThrow(new RegExp(`^${name} cannot be used: ENOENT`));
});

test.each(['MAIL_CA_FILE', 'DATABASE_CA_FILE'])('a %s without a certificate stops the start', (name) => {
  expect(() => readConfig({ [name]: writeText(pem.replace(/M/g, 'N')) })).toThrow(
    new ConfigError(name, '…', 'the path of a file with certificates in PEM'),
  );
  expect(() => readConfig({ [name]: '/no/such/file' })).toThrow(new RegExp(`^${name} cannot be used: ENOENT`));
});

test('the examples of files in the docs can be used', () => {
  const exampleIn = (page: string) => {
    const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8');
    return writeText(/```json\n([^]*?)```/.exec(text)?.[1] ?? '');
  };
  expect(readConfig({ SITE_CLAIMS: exampleIn('your-site.md') }).site.claims).toMatchObject({
    title: expect.any(String),
  });
  const { plans } = readConfig({ PLANS_FILE: exampleIn('plans.md') });
  expect(plans.free).toMatchObject({ maxFileSize: 1e9, spaceQuota: 5e9, allowedExtensions: null });
  expect(plans.basic).toMatchObject({ monthlyCents: 499, yearlyCents: 4999 });
  expect(planLevels.map((level) => plans[level].name)).toContain('Friends');
});
