/**
 * The only reader of the environment: variables → Config, one union per engine (decisions section 1).
 * A wrong value throws a ConfigError whose one sentence names the variable, what was found and what is accepted.
 */
import { type Offer, offerNamed } from '@holdfast/contract/src/plans.ts';
import { existsSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';

export interface Config {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Null while unset: then any Host is served and links are made for `http://localhost:$PORT`. */
  readonly publicUrl: string | null;
  /** Origins that serve `/file/…`, the default first; empty while unset, which means the public URL. */
  readonly fileOrigins: readonly string[];
  readonly database:
    | { readonly engine: 'sqlite'; readonly path: string }
    | { readonly engine: 'postgres'; readonly url: string };
  readonly blobs: { readonly engine: 'disk'; readonly folder: string };
  readonly mail:
    | { readonly engine: 'outbox'; readonly folder: string }
    | {
        readonly engine: 'smtp';
        readonly host: string;
        readonly port: number;
        /** TLS from the first byte. */
        readonly secure: boolean;
        readonly credentials: { readonly user: string; readonly password: string } | null;
      };
  /** What becomes of the files of accounts that nobody uses; null while unset: deleted where warnings reach people. */
  readonly dormantAccounts: 'keep' | 'delete' | null;
  readonly captcha:
    | { readonly engine: 'none' }
    | { readonly engine: 'altcha'; readonly difficulty: number }
    | {
        readonly engine: 'recaptcha';
        readonly siteKey: string;
        readonly secret: string;
        readonly minScore: number;
        /** Where tokens must have been made: the public URL's. */
        readonly hostname: string;
      };
  /** Null while unset: then it is made on first start and kept in the data folder. */
  readonly secretKey: string | null;
  /** Addresses and networks whose `X-Forwarded-For` is believed. */
  readonly trustProxy: readonly string[];
  /** Who sends the bytes of downloads: null is this process. */
  readonly accel: 'nginx' | null;
  /** Capacity of the uplink, or null where it is not shared out. */
  readonly egressMbps: number | null;
  /** The private port with `/livez`, `/readyz` and `/metrics`; null is none. */
  readonly metrics: { readonly host: string; readonly port: number } | null;
  readonly region: string;
  /** Where unexpected failures are told, besides the log. */
  readonly reports:
    | { readonly engine: 'none' }
    | {
        readonly engine: 'sentry';
        readonly dsn: string;
        /** Where a browser sends its own. */
        readonly origin: string;
      };
  /** Who looks for malware in what is uploaded. */
  readonly scanner:
    | { readonly engine: 'none' }
    | {
        readonly engine: 'clamd';
        readonly at: { readonly host: string; readonly port: number } | { readonly path: string };
      };
  /** Who takes money for plans; without anybody nothing is for sale. */
  readonly payments: { readonly engine: 'none' } | StripeConfig;
  readonly site: {
    readonly name: string;
    readonly contactEmail: string | null;
    readonly contactChatUrl: string | null;
    /** Who takes copyright notices: a name and ways to reach it, as text of one or more lines. */
    readonly dmcaAgent: string | null;
  };
}

export interface StripeConfig {
  readonly engine: 'stripe';
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** In the order given. The first price of an offer is what is sold; subscriptions to the others still count. */
  readonly prices: readonly { readonly id: string; readonly offer: Offer }[];
  /** Where the API is. */
  readonly apiUrl: string;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export class ConfigError extends Error {
  constructor(variable: string, found: string, accepted: string) {
    super(`${variable} is '${withoutPassword(found)}', but it must be ${accepted}.`);
    this.name = 'ConfigError';
  }
}

/** The configuration of this process: its environment, and what `.env` adds to it. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env');
  return readConfig(process.env);
}

/** A setting that reads well and does not work: its engine cannot be opened. One sentence, like a ConfigError. */
export class UnusableSetting extends Error {
  constructor(variable: string, cause: unknown) {
    const { message, code } = cause as { message?: string; code?: string };
    super(`${variable} cannot be used: ${(message || code || String(cause)).replace(/\.$/, '')}.`, { cause });
    this.name = 'UnusableSetting';
  }
}

/** Opens what a setting names. */
export async function openSetting<T>(variable: string, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    throw new UnusableSetting(variable, error);
  }
}

export function readConfig(environment: Environment): Config {
  const read = (variable: string): string | null => environment[variable]?.trim() || null;
  const dataDir = resolve(read('DATA_DIR') ?? 'data');
  const publicUrl = read('PUBLIC_URL');
  const accel = readAccel(read('ACCEL'));
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: readPort('PORT', read('PORT') ?? '3000'),
    dataDir,
    publicUrl: publicUrl && readOrigin('PUBLIC_URL', publicUrl),
    fileOrigins: readList(read('FILE_ORIGINS')).map((origin) => readOrigin('FILE_ORIGINS', origin)),
    database: readDatabase(read('DATABASE_URL'), dataDir),
    blobs: { engine: 'disk', folder: readFolder('BLOBS_URL', 'file:', read('BLOBS_URL')) ?? resolve(dataDir, 'blobs') },
    mail: readMail(read('MAIL_URL'), dataDir),
    dormantAccounts: readDormantAccounts(read('DORMANT_ACCOUNTS')),
    captcha: readCaptcha(read, publicUrl),
    secretKey: readSecretKey(read('SECRET_KEY')),
    trustProxy: readList(read('TRUST_PROXY')).map(readNetwork),
    accel,
    egressMbps: readEgress(read('EGRESS_MBPS'), accel),
    metrics: readMetrics(read('METRICS_HOST'), read('METRICS_PORT')),
    region: read('REGION') ?? 'Local',
    reports: readReports(read('SENTRY_DSN')),
    scanner: readScanner(read('SCANNER_URL')),
    payments: readPayments(read),
    site: {
      name: read('SITE_NAME') ?? 'Holdfast',
      contactEmail: readEmail('CONTACT_EMAIL', read('CONTACT_EMAIL')),
      contactChatUrl: readLink('CONTACT_CHAT_URL', read('CONTACT_CHAT_URL')),
      dmcaAgent: read('DMCA_AGENT'),
    },
  };
}

function readPort(variable: string, found: string): number {
  const port = Number(found);
  if (!/^\d{1,5}$/.test(found) || port > 65_535) throw new ConfigError(variable, found, 'a number from 0 to 65535');
  return port;
}

function readMetrics(host: string | null, port: string | null): Config['metrics'] {
  if (port !== null) return { host: host ?? '127.0.0.1', port: readPort('METRICS_PORT', port) };
  if (host !== null) throw new ConfigError('METRICS_PORT', '', 'set while METRICS_HOST is');
  return null;
}

function readList(found: string | null): string[] {
  const entries = (found ?? '').split(',').map((entry) => entry.trim());
  return entries.filter((entry) => entry !== '');
}

function readOrigin(variable: string, found: string): string {
  const accepted = 'an origin such as https://files.example.com, without a path';
  const url = URL.canParse(found) ? new URL(found) : null;
  const bare =
    url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.hash && !url.username;
  if (!url || !bare) throw new ConfigError(variable, found, accepted);
  return url.origin;
}

function readLink(variable: string, found: string | null): string | null {
  if (found === null) return null;
  const safe = URL.canParse(found) && /^https?:$/.test(new URL(found).protocol);
  if (!safe) throw new ConfigError(variable, found, 'an http or https address');
  return found;
}

function readEmail(variable: string, found: string | null): string | null {
  if (found !== null && !/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(found))
    throw new ConfigError(variable, found, 'one plain e-mail address');
  return found;
}

function readDatabase(found: string | null, dataDir: string): Config['database'] {
  if (found === null) return { engine: 'sqlite', path: resolve(dataDir, 'holdfast.db') };
  if (/^postgres(ql)?:\/\//.test(found) && URL.canParse(found)) return { engine: 'postgres', url: found };
  if (/^sqlite:./.test(found)) return { engine: 'sqlite', path: resolve(found.slice('sqlite:'.length)) };
  throw new ConfigError('DATABASE_URL', found, 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE');
}

function readFolder(variable: string, scheme: string, found: string | null): string | null {
  if (found === null) return null;
  if (!found.startsWith(scheme) || found.length === scheme.length)
    throw new ConfigError(variable, found, `${scheme}FOLDER`);
  return resolve(found.slice(scheme.length));
}

const mailAccepted = 'outbox:FOLDER, or smtp:// or smtps:// followed by USER:PASSWORD@HOST:PORT';

function readMail(found: string | null, dataDir: string): Config['mail'] {
  if (found === null) return { engine: 'outbox', folder: resolve(dataDir, 'outbox') };
  if (/^outbox:./.test(found)) return { engine: 'outbox', folder: resolve(found.slice('outbox:'.length)) };
  const url = /^smtps?:\/\/[^/]/i.test(found) && URL.canParse(found) ? new URL(found) : null;
  const credentials = url && readCredentials(url);
  const whole = url && url.hostname !== '' && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  if (!url || !whole || credentials === undefined) throw new ConfigError('MAIL_URL', found, mailAccepted);
  const secure = url.protocol === 'smtps:';
  return {
    engine: 'smtp',
    host: url.hostname.replaceAll(/[[\]]/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    credentials,
  };
}

/** Null where there are none, undefined where they are not whole. Signs such as @ and # are percent-encoded. */
function readCredentials({ username, password }: URL): { user: string; password: string } | null | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

function readDormantAccounts(found: string | null): Config['dormantAccounts'] {
  if (found !== null && found !== 'keep' && found !== 'delete')
    throw new ConfigError('DORMANT_ACCOUNTS', found, 'keep or delete');
  return found;
}

function readCaptcha(read: (variable: string) => string | null, publicUrl: string | null): Config['captcha'] {
  const engine = read('CAPTCHA') ?? 'altcha';
  if (engine === 'none') return { engine };
  if (engine === 'altcha') return { engine, difficulty: readDifficulty(read('ALTCHA_DIFFICULTY') ?? '4') };
  if (engine !== 'recaptcha') throw new ConfigError('CAPTCHA', engine, 'altcha, recaptcha or none');
  const needed = (variable: string, value = read(variable)): string => {
    if (value === null) throw new ConfigError(variable, '', 'set while CAPTCHA is recaptcha');
    return value;
  };
  return {
    engine,
    siteKey: needed('RECAPTCHA_SITE_KEY'),
    secret: needed('RECAPTCHA_SECRET'),
    minScore: readScore(read('RECAPTCHA_MIN_SCORE') ?? '0.5'),
    // Without it any Host is served, and a token made for any site would do.
    hostname: new URL(needed('PUBLIC_URL', publicUrl)).hostname,
  };
}

function readDifficulty(found: string): number {
  if (!/^[1-5]$/.test(found)) throw new ConfigError('ALTCHA_DIFFICULTY', found, 'a number from 1 to 5');
  return Number(found);
}

function readScore(found: string): number {
  if (!/^(0(\.\d+)?|1(\.0+)?)$/.test(found))
    throw new ConfigError('RECAPTCHA_MIN_SCORE', found, 'a number from 0 to 1');
  return Number(found);
}

function readNetwork(found: string): string {
  const [address = '', bits, ...rest] = found.split('/');
  const most = isIP(address) === 6 ? 128 : 32;
  const real = isIP(address) !== 0 && rest.length === 0;
  if (!real || (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most)))
    throw new ConfigError('TRUST_PROXY', found, 'addresses or networks such as 127.0.0.1, 10.0.0.0/8');
  return found;
}

function readAccel(found: string | null): Config['accel'] {
  if (found !== null && found !== 'nginx') throw new ConfigError('ACCEL', found, 'nginx, or not set');
  return found;
}

function readEgress(found: string | null, accel: Config['accel']): number | null {
  if (found === null) return null;
  const mbps = Number(found);
  if (!/^\d{1,7}$/.test(found) || mbps < 1)
    throw new ConfigError('EGRESS_MBPS', found, 'a whole number of Mbps from 1');
  // What nginx sends is not seen here, so it cannot be shared out.
  if (accel !== null) throw new ConfigError('EGRESS_MBPS', found, 'not set while ACCEL is nginx');
  return mbps;
}

function readReports(found: string | null): Config['reports'] {
  if (found === null) return { engine: 'none' };
  const url = URL.canParse(found) ? new URL(found) : null;
  // The form with a password is long out of use, and browsers are given all of it.
  const whole =
    url &&
    /^https?:$/.test(url.protocol) &&
    /^\w+$/.test(url.username) &&
    url.password === '' &&
    /\/\d+$/.test(url.pathname) &&
    !url.search &&
    !url.hash;
  if (!whole) throw new ConfigError('SENTRY_DSN', found, 'https://PUBLIC_KEY@HOST/PROJECT_NUMBER');
  return { engine: 'sentry', dsn: found, origin: url.origin };
}

/** The port that clamd is set up with everywhere. */
const clamdPort = 3310;

function readScanner(found: string | null): Config['scanner'] {
  if (found === null) return { engine: 'none' };
  const [, path] = /^clamd:\/\/(\/.*[^/])$/.exec(found) ?? [];
  if (path !== undefined) return { engine: 'clamd', at: { path } };
  const url = /^clamd:\/\/[^/]/.test(found) && URL.canParse(found) ? new URL(found) : null;
  if (!url || url.href.replace(/\/$/, '') !== `clamd://${url.host}`)
    throw new ConfigError('SCANNER_URL', found, 'clamd://HOST:PORT or clamd:///PATH/OF/THE/SOCKET');
  return { engine: 'clamd', at: { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port) || clamdPort } };
}

function readPayments(read: (variable: string) => string | null): Config['payments'] {
  const names = ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET', 'STRIPE_PRICES'] as const;
  const [secretKey, webhookSecret, prices] = names.map(read);
  if (!secretKey && !webhookSecret && !prices) return { engine: 'none' };
  const missing = names.find((name) => read(name) === null);
  if (!secretKey || !webhookSecret || !prices)
    throw new ConfigError(missing ?? '', '', `set, as ${names.join(', ')} work together or not at all`);
  return {
    engine: 'stripe',
    secretKey: readStripeSecret('STRIPE_SECRET_KEY', secretKey, /^(sk|rk)_\w+$/, 'sk_ or rk_'),
    webhookSecret: readStripeSecret('STRIPE_WEBHOOK_SECRET', webhookSecret, /^whsec_[\w+/=]+$/, 'whsec_'),
    prices: readPrices(prices),
    apiUrl: readOrigin('STRIPE_API_URL', read('STRIPE_API_URL') ?? 'https://api.stripe.com'),
  };
}

/** The value is a secret, so the sentence says no more of it than how it begins. */
function readStripeSecret(variable: string, found: string, shape: RegExp, beginning: string): string {
  if (!shape.test(found))
    throw new ConfigError(variable, `${found.slice(0, 3)}…`, `a key of Stripe that begins with ${beginning}`);
  return found;
}

const pricesAccepted =
  'a list such as starter_monthly=price_1A,power_yearly=price_1B, with starter, basic, advanced or power, ' +
  'monthly or yearly, and each price once';

function readPrices(found: string): StripeConfig['prices'] {
  const wrong = () => new ConfigError('STRIPE_PRICES', found, pricesAccepted);
  const prices = readList(found).map((entry) => {
    const [, name = '', id = ''] = /^(\w+)\s*=\s*(price_\w+)$/.exec(entry) ?? [];
    const offer = offerNamed(name);
    if (!offer) throw wrong();
    return { id, offer };
  });
  if (prices.length === 0 || new Set(prices.map(({ id }) => id)).size < prices.length) throw wrong();
  return prices;
}

function readSecretKey(found: string | null): string | null {
  if (found !== null && found.length < 32)
    throw new ConfigError('SECRET_KEY', `${found.length} characters long`, 'at least 32 characters long');
  return found;
}

/** What was found is printed, so a password in it must not be: all between the scheme and the last @ goes. */
function withoutPassword(found: string): string {
  return found.replace(/^([a-z0-9+.-]*:\/*)?.*@/is, '$1…@');
}
