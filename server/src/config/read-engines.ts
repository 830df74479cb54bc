import { offerNamed } from '@holdfast/contract/src/plans.ts';
import { resolve } from 'node:path';
import type { Config, StripeConfig } from './config.ts';
import { readFolder, readList, readOrigin } from './read-values.ts';
import { ConfigError } from './setting-errors.ts';

/** Reader of one variable; null while it is unset. */
type Read = (variable: string) => string | null;

export function readDatabase(found: string | null, dataDir: string, variable = 'DATABASE_URL'): Config['database'] {
  if (found === null) return { engine: 'sqlite', path: resolve(dataDir, 'holdfast.db') };
  if (isPostgresUrl(found)) return { engine: 'postgres', url: found };
  if (/^sqlite:./.test(found)) return { engine: 'sqlite', path: resolve(found.slice('sqlite:'.length)) };
  throw new ConfigError(variable, found, 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE');
}

const blobsAccepted = 'file:FOLDER or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION';

export function readBlobs(found: string | null, dataDir: string, variable = 'BLOBS_URL'): Config['blobs'] {
  if (found === null) return { engine: 'disk', folder: resolve(dataDir, 'blobs') };
  if (!/^s3:/i.test(found)) return { engine: 'disk', folder: readFolder(variable, 'file:', found, blobsAccepted) };
  const url = /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|\?|$)/.test(found) && URL.canParse(found) ? new URL(found) : null;
  const asked = url?.searchParams ?? new URLSearchParams();
  const isKnown = [...asked.keys()].every((name) => name === 'endpoint' || name === 'region');
  if (!url || url.hash || !isKnown) throw new ConfigError(variable, found, blobsAccepted);
  const endpoint = asked.get('endpoint');
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '');
  return {
    engine: 's3',
    bucket: url.hostname,
    prefix: path && `${path}/`,
    endpoint: endpoint && readOrigin(variable, endpoint),
    region: asked.get('region') ?? 'us-east-1',
  };
}

const mailAccepted = 'outbox:FOLDER, or smtp:// or smtps:// followed by USER:PASSWORD@HOST:PORT';

/** The replica is only read with `--files-only`, so that all nodes can share their settings. */
export function readFilesOnly(
  found: string | null,
  { filesOnly, database }: { readonly filesOnly: boolean; readonly database: Config['database'] },
): Config['filesOnly'] {
  if (found !== null && !isPostgresUrl(found))
    throw new ConfigError('DATABASE_READ_URL', found, 'postgres://USER:PASSWORD@HOST/DATABASE');
  if (!filesOnly) return null;
  if (database.engine !== 'postgres')
    throw new ConfigError('DATABASE_URL', `sqlite:${database.path}`, 'that of PostgreSQL with --files-only');
  if (found === null) throw new ConfigError('DATABASE_READ_URL', '', 'set with --files-only');
  return { readUrl: found };
}

const isPostgresUrl = (found: string): boolean => /^postgres(ql)?:\/\//.test(found) && URL.canParse(found);

export function readMail(found: string | null, dataDir: string): Config['mail'] {
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

/**
 * Returns null without credentials, undefined if they are incomplete. Characters such as @ and # are percent-encoded.
 */
function readCredentials({ username, password }: URL): { user: string; password: string } | null | undefined {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

export function readCaptcha(read: Read, publicUrl: string | null): Config['captcha'] {
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
    // Without it any Host is served, and a token issued for any site would be accepted.
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

export function readReports(found: string | null): Config['reports'] {
  if (found === null) return { engine: 'none' };
  const url = URL.canParse(found) ? new URL(found) : null;
  // The form with a password has long been deprecated, and the whole DSN is sent to browsers.
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

/** The usual port of clamd. */
const clamdPort = 3310;

export function readScanner(found: string | null): Config['scanner'] {
  if (found === null) return { engine: 'none' };
  const [, path] = /^clamd:\/\/(\/.*[^/])$/.exec(found) ?? [];
  if (path !== undefined) return { engine: 'clamd', at: { path } };
  const url = /^clamd:\/\/[^/]/.test(found) && URL.canParse(found) ? new URL(found) : null;
  if (!url || url.href.replace(/\/$/, '') !== `clamd://${url.host}`)
    throw new ConfigError('SCANNER_URL', found, 'clamd://HOST:PORT or clamd:///PATH/OF/THE/SOCKET');
  return { engine: 'clamd', at: { host: url.hostname.replaceAll(/[[\]]/g, ''), port: Number(url.port) || clamdPort } };
}

export function readPayments(read: Read): Config['payments'] {
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

/** The value is a secret, so the message contains only its first characters. */
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
