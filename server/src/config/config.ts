import { changePlans } from '@holdfast/contract/src/plans.ts';
import { join } from 'node:path';
import { seconds } from '../lib/clock.ts';
import type { BlobsSetting, DatabaseSetting } from './engine-kinds.ts';
import { originsOf } from './origins.ts';
import type { Environment } from './read-setting.ts';
import { ConfigError } from './setting-errors.ts';
import { isFilesOnly, readSettingsFile } from './settings-file.ts';
import { readSettings, type Settings } from './settings.ts';
import { workersFor } from './workers.ts';

export type Config = ReturnType<typeof readConfig>;
export type StripeConfig = Extract<Config['payments'], { engine: 'stripe' }>;

export function loadConfig(): Config {
  // Libraries read the environment too: that of PostgreSQL reads PGPASSWORD.
  Object.assign(process.env, { ...readSettingsFile(), ...process.env });
  return readConfig(process.env, { filesOnly: isFilesOnly });
}

export function sudoUser(): string | null {
  return process.env['SUDO_USER'] || null;
}

/** For a child, in which other settings replace those of this process. */
export const environmentWith = (settings: Environment): Environment => ({ ...process.env, ...settings });

export function readConfig(environment: Environment, { filesOnly = false } = {}) {
  const set = readSettings(environment);
  const dataDir = set.DATA_DIR;
  const database = databaseOf(set);
  const blobs: BlobsSetting = set.BLOBS_URL ?? { engine: 'disk', folder: join(dataDir, 'blobs') };
  const planChanges = set.PLANS_FILE ?? {};
  return {
    host: set.HOST,
    port: set.PORT,
    /** Null means one process without a parent. */
    workers: workersFor(set.WORKERS, database.engine === 'postgres'),
    dataDir,
    publicUrl: set.PUBLIC_URL,
    fileOrigins: set.FILE_ORIGINS,
    /** Final once the server listens: with PORT=0 the port is unknown until then. */
    origins: originsOf({ publicUrl: set.PUBLIC_URL, fileOrigins: set.FILE_ORIGINS }, set.PORT),
    database,
    filesOnly: filesOnly ? replicaFor(set, database) : null,
    blobs,
    /** What to name if one of these places cannot be used. */
    placedBy: {
      database: set.DATABASE_URL ? 'DATABASE_URL' : 'DATA_DIR',
      blobs: set.BLOBS_URL ? 'BLOBS_URL' : 'DATA_DIR',
      mail: set.MAIL_URL ? 'MAIL_URL' : 'DATA_DIR',
    },
    minFreeSpace: set.MIN_FREE_SPACE ?? { bytes: 1e9, percent: 5 },
    mail: mailOf(set),
    /** Null means to delete their files if warnings can be delivered. */
    dormantAccounts: set.DORMANT_ACCOUNTS,
    captcha: captchaOf(set),
    secretKey: set.SECRET_KEY,
    trustProxy: set.TRUST_PROXY,
    accel: set.ACCEL,
    redirects: redirectsOf(set, blobs),
    downloadBurst: set.DOWNLOAD_BURST,
    workerPort: workerPortOf(set),
    metrics: metricsOf(set),
    shutdownDelayMs: seconds(set.SHUTDOWN_DELAY),
    region: set.REGION,
    reports: set.SENTRY_DSN ?? ({ engine: 'none' } as const),
    scanner: set.SCANNER_URL ?? ({ engine: 'none' } as const),
    payments: paymentsOf(set),
    planChanges,
    plans: changePlans(planChanges),
    signUp: set.SIGN_UP ?? 'open',
    isSignUpChosen: set.SIGN_UP !== null,
    allowedEmailDomains: set.ALLOWED_EMAIL_DOMAINS,
    defaultPlan: set.DEFAULT_PLAN,
    site: {
      name: set.SITE_NAME,
      contactEmail: set.CONTACT_EMAIL,
      contactChatUrl: set.CONTACT_CHAT_URL,
      dmcaAgent: set.DMCA_AGENT,
      since: set.SITE_SINCE,
      claims: claimsOf(set),
      pricing: hasPricing(set),
      policiesDir: set.POLICIES_DIR,
    },
  };
}

function demand(holds: unknown, name: keyof Settings, found: string, accepted: string): asserts holds {
  if (!holds) throw new ConfigError(name, found, accepted);
}

function databaseOf({ DATABASE_URL, DATABASE_CA_FILE: ca, DATA_DIR }: Settings): DatabaseSetting {
  const database = DATABASE_URL ?? { engine: 'sqlite', path: join(DATA_DIR, 'holdfast.db') };
  if (ca === null || database.engine === 'sqlite') return database;
  const given = new URL(database.url).searchParams;
  for (const other of ['sslrootcert', 'sslmode=disable', 'sslmode=no-verify']) {
    const [name = '', value] = other.split('=');
    demand(!given.has(name, value), 'DATABASE_CA_FILE', ca.path, `not set while DATABASE_URL has ${other}`);
  }
  const added = new URLSearchParams({ ...(!given.has('sslmode') && { sslmode: 'verify-full' }), sslrootcert: ca.path });
  return { engine: 'postgres', url: `${database.url}${database.url.includes('?') ? '&' : '?'}${added}` };
}

function mailOf({ MAIL_URL: mail, MAIL_CA_FILE: ca, DATA_DIR }: Settings) {
  if (mail?.engine === 'smtp') return { ...mail, ca: ca?.pem ?? null };
  return mail ?? ({ engine: 'outbox', folder: join(DATA_DIR, 'outbox') } as const);
}

function replicaFor({ DATABASE_READ_URL: readUrl }: Settings, database: DatabaseSetting) {
  if (database.engine === 'sqlite')
    throw new ConfigError('DATABASE_URL', `sqlite:${database.path}`, 'that of PostgreSQL with --files-only');
  demand(readUrl, 'DATABASE_READ_URL', '', 'set with --files-only');
  return { readUrl };
}

function captchaOf(set: Settings) {
  if (set.CAPTCHA === 'none') return { engine: set.CAPTCHA };
  if (set.CAPTCHA === 'altcha') return { engine: set.CAPTCHA, difficulty: set.ALTCHA_DIFFICULTY };
  const { RECAPTCHA_SITE_KEY: siteKey, RECAPTCHA_SECRET: secret, RECAPTCHA_MIN_SCORE: minScore } = set;
  const needed = 'set while CAPTCHA is recaptcha';
  demand(siteKey, 'RECAPTCHA_SITE_KEY', '', needed);
  demand(secret, 'RECAPTCHA_SECRET', '', needed);
  // Without it any Host is served, and a token issued for any site would be accepted.
  demand(set.PUBLIC_URL, 'PUBLIC_URL', '', needed);
  return { engine: set.CAPTCHA, siteKey, secret, minScore, hostname: new URL(set.PUBLIC_URL).hostname };
}

function redirectsOf({ DELIVERY, ACCEL }: Settings, blobs: BlobsSetting): boolean {
  if (DELIVERY === null) return false;
  demand(ACCEL === null, 'DELIVERY', DELIVERY, 'not set while ACCEL is nginx');
  demand(blobs.engine === 's3', 'DELIVERY', DELIVERY, 'not set unless BLOBS_URL names an S3 store');
  return true;
}

function workerPortOf({ WORKER_PORT: port, WORKERS }: Settings) {
  demand(port === null || WORKERS !== null, 'WORKER_PORT', String(port), 'not set unless WORKERS is');
  return port;
}

function metricsOf({ METRICS_HOST: host, METRICS_PORT: port }: Settings) {
  demand(host === null || port !== null, 'METRICS_PORT', '', 'set while METRICS_HOST is');
  return port === null ? null : { host: host ?? '127.0.0.1', port };
}

function paymentsOf(set: Settings) {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'] as const;
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, STRIPE_PRICES: prices } = set;
  const missing = names.filter((name) => set[name] === null);
  if (missing.length === names.length) return { engine: 'none' } as const;
  const [first = names[0]] = missing;
  const accepted = `set, as ${names.join(', ')} work together or not at all`;
  demand(secretKey && webhookSecret && prices, first, '', accepted);
  return { engine: 'stripe', secretKey, webhookSecret, prices, apiUrl: set.STRIPE_API_URL } as const;
}

/** Null means the standard claims, which name years and prices. A site with a name of its own is another service. */
function claimsOf({ SITE_CLAIMS, SITE_NAME, SITE_SINCE, PRICING }: Settings) {
  const isStandard = SITE_NAME === 'Holdfast' && SITE_SINCE === null && PRICING === 'on';
  const claims = SITE_CLAIMS ?? (isStandard ? 'standard' : {});
  if (claims !== 'standard') return claims;
  demand(SITE_SINCE === null, 'SITE_SINCE', String(SITE_SINCE), 'not set while SITE_CLAIMS is standard');
  return null;
}

function hasPricing({ PRICING, STRIPE_SECRET_KEY }: Settings): boolean {
  demand(PRICING === 'on' || STRIPE_SECRET_KEY === null, 'PRICING', PRICING, 'on while STRIPE_SECRET_KEY is set');
  return PRICING === 'on';
}
