import { offerNamed } from '@holdfast/contract/src/plans.ts';
import { resolve } from 'node:path';
import { kind, listOf, origin } from './kinds.ts';
import type { ValueOf } from './read-setting.ts';

function readPostgresUrl(found: string): string | undefined {
  // Neither browsers nor Node parse a user without a host, which PostgreSQL allows beside ?host=.
  const whole = found.replace(/^(postgres(?:ql)?:\/\/[^/?]*@)(?=\/[^?]*\?(?:.*&)?host=)/, '$1localhost');
  if (!/^postgres(ql)?:\/\//.test(found) || !URL.canParse(whole) || endsInPassword.test(found)) return undefined;
  if (/[?&]uselibpqcompat=true/.test(whole)) return whole;
  // To the driver, all of these have the same meaning, but it warns of a later version that weakens the others.
  return whole.replace(/(?<=[?&]sslmode=)(require|prefer|verify-ca)(?=&|$)/, 'verify-full');
}

/** A sign in the password ends the host early, and the rest of the password would be looked up as the host. */
const endsInPassword = /#|^[^/]*\/\/[^/?]*(?:\/[^?]*|[/?][^=]*)@/;

export const postgresUrl = kind(
  'postgres://USER:PASSWORD@HOST/DATABASE; in the password, percent-encode signs such as @ (%40), / (%2F), # (%23) and ? (%3F)',
  readPostgresUrl,
);

export const database = kind(`sqlite:PATH or ${postgresUrl.accepted}`, (found) => {
  const url = readPostgresUrl(found);
  if (url !== undefined) return { engine: 'postgres', url };
  const path = pathAfter('sqlite:', found);
  return path === undefined ? undefined : { engine: 'sqlite', path };
});

export type DatabaseSetting = ValueOf<typeof database>;

const pathAfter = (scheme: string, found: string) =>
  found.startsWith(scheme) && found.length > scheme.length ? resolve(found.slice(scheme.length)) : undefined;

export const blobs = kind('file:FOLDER or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION', (found) => {
  const folder = pathAfter('file:', found);
  if (folder !== undefined) return { engine: 'disk', folder };
  const url = /^s3:\/\/[a-z0-9][a-z0-9.-]+(\/|\?|$)/.test(found) ? URL.parse(found) : null;
  if (!url || url.hash) return undefined;
  const { endpoint = null, region = 'us-east-1', ...unknown } = Object.fromEntries(url.searchParams);
  const server = endpoint === null ? null : origin.parse(endpoint);
  if (server === undefined || Object.keys(unknown).length > 0) return undefined;
  const path = decodeURIComponent(url.pathname).replaceAll(/^\/+|\/+$/g, '');
  return { engine: 's3', bucket: url.hostname, prefix: path && `${path}/`, endpoint: server, region };
});

export type BlobsSetting = ValueOf<typeof blobs>;

export const mail = kind('outbox:FOLDER, or smtp:// or smtps:// followed by USER:PASSWORD@HOST:PORT', (found) => {
  const folder = pathAfter('outbox:', found);
  if (folder !== undefined) return { engine: 'outbox', folder };
  const url = /^smtps?:\/\/[^/]/i.test(found) ? URL.parse(found) : null;
  const isWhole = url && url.hostname !== '' && /^\/?$/.test(url.pathname) && !url.search && !url.hash;
  const credentials = url && credentialsIn(url);
  if (!isWhole || credentials === undefined) return undefined;
  const secure = url.protocol === 'smtps:';
  return {
    engine: 'smtp',
    host: hostIn(url),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    credentials,
  };
});

function credentialsIn({ username, password }: URL) {
  if (username === '' && password === '') return null;
  if (username === '' || password === '') return undefined;
  try {
    return { user: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    return undefined;
  }
}

const hostIn = ({ hostname }: URL) => hostname.replaceAll(/[[\]]/g, '');

export const sentry = kind('https://PUBLIC_KEY@HOST/PROJECT_NUMBER', (found) => {
  // The form with a password has long been deprecated, and the whole DSN is sent to browsers.
  const isWhole = /^https?:\/\/\w+@[^/@?#]+(\/[^?#]*)?\/\d+$/.test(found);
  const url = URL.parse(found);
  return isWhole && url ? { engine: 'sentry', dsn: found, origin: url.origin } : undefined;
});

export const clamd = kind('clamd://HOST:PORT or clamd:///PATH/OF/THE/SOCKET', (found) => {
  const [, path] = /^clamd:\/\/(\/.*[^/])$/.exec(found) ?? [];
  if (path !== undefined) return { engine: 'clamd', at: { path } };
  const url = /^clamd:\/\/[^/]/.test(found) ? URL.parse(found) : null;
  if (!url || url.href.replace(/\/$/, '') !== `clamd://${url.host}`) return undefined;
  return { engine: 'clamd', at: { host: hostIn(url), port: Number(url.port) || 3310 } };
});

const price = kind('', (found) => {
  const [, name = '', id = ''] = /^(\w+)\s*=\s*(price_\w+)$/.exec(found) ?? [];
  const offer = offerNamed(name);
  return offer && { id, offer };
});

/** The first price of an offer is the one sold; subscriptions to the others still count. */
export const stripePrices = kind(
  'a list such as starter_monthly=price_1A,power_yearly=price_1B, with starter, basic, advanced or power, ' +
    'monthly or yearly, and each price once',
  (found) => {
    const prices = listOf(price).parse(found) ?? [];
    const hasEachOnce = new Set(prices.map(({ id }) => id)).size === prices.length;
    return prices.length > 0 && hasEachOnce ? prices : undefined;
  },
);
