import { planLevels } from '@holdfast/contract/src/plans.ts';
import { readPlanChanges } from '@holdfast/contract/src/plans-file.ts';
import { readSiteClaims } from '@holdfast/contract/src/site-claims.ts';
import * as engines from './engine-kinds.ts';
import * as kinds from './kinds.ts';
import { type Environment, type Kind, readSetting, readValue, type ValueOf } from './read-setting.ts';
import { workers } from './workers.ts';

const setting = <Value>(type: Kind<Value>, standard: string) => ({ type, standard });
const optional = <Value>(type: Kind<Value>) => ({ type, standard: null });

const stripeKey = (begins: string, shape: RegExp) =>
  kinds.matching(`a key of Stripe that begins with ${begins}`, shape);
const claims = kinds.kind('standard, none, or the path of a file', (found) => {
  if (found === 'standard') return found;
  return found === 'none' ? {} : kinds.fileWith(readSiteClaims).parse(found);
});

/** A new setting is a row here, a field in `config.ts` and a paragraph in `.env.example`. */
export const settings = {
  HOST: setting(kinds.host, '127.0.0.1'),
  PORT: setting(kinds.port, '3000'),
  WORKERS: optional(workers),
  WORKER_PORT: optional(kinds.port),
  DATA_DIR: setting(kinds.folder, 'data'),
  PUBLIC_URL: optional(kinds.origin),
  FILE_ORIGINS: setting(kinds.listOf(kinds.origin), ''),
  TRUST_PROXY: setting(kinds.listOf(kinds.network), ''),
  ACCEL: optional(kinds.oneOf('nginx')),
  DELIVERY: optional(kinds.oneOf('redirect')),
  // Bots that show previews give up long before a picture has arrived at the Free speed.
  DOWNLOAD_BURST: setting(kinds.size, '2 MB'),
  METRICS_HOST: optional(kinds.host),
  METRICS_PORT: optional(kinds.port),
  SHUTDOWN_DELAY: setting(kinds.wholeNumber(0, 60, 'seconds'), '1'),
  REGION: optional(kinds.text),
  SENTRY_DSN: optional(engines.sentry),

  DATABASE_URL: optional(engines.database),
  DATABASE_CA_FILE: optional(kinds.certificates),
  DATABASE_READ_URL: optional(engines.postgresUrl),
  BLOBS_URL: optional(engines.blobs),
  MIN_FREE_SPACE: optional(kinds.freeSpace),
  SECRET_KEY: optional(kinds.matching('at least 32 characters long', /^.{32,}$/s)),
  MAIL_URL: optional(engines.mail),
  MAIL_CA_FILE: optional(kinds.certificates),
  SCANNER_URL: optional(engines.clamd),

  CAPTCHA: setting(kinds.oneOf('altcha', 'recaptcha', 'none'), 'altcha'),
  ALTCHA_DIFFICULTY: setting(kinds.wholeNumber(1, 5), '4'),
  RECAPTCHA_SITE_KEY: optional(kinds.text),
  RECAPTCHA_SECRET: optional(kinds.text),
  RECAPTCHA_MIN_SCORE: setting(kinds.share, '0.5'),

  SIGN_UP: optional(kinds.oneOf('open', 'invite', 'approval', 'closed')),
  ALLOWED_EMAIL_DOMAINS: setting(kinds.listOf(kinds.domain), ''),
  DORMANT_ACCOUNTS: optional(kinds.oneOf('keep', 'delete')),

  PLANS_FILE: optional(kinds.fileWith(readPlanChanges)),
  DEFAULT_PLAN: setting(kinds.oneOf(...planLevels), 'free'),
  STRIPE_SECRET_KEY: optional(stripeKey('sk_ or rk_', /^(sk|rk)_\w+$/)),
  STRIPE_WEBHOOK_SECRET: optional(stripeKey('whsec_', /^whsec_[\w+/=]+$/)),
  STRIPE_PRICES: optional(engines.stripePrices),
  STRIPE_API_URL: setting(kinds.origin, 'https://api.stripe.com'),

  SITE_NAME: setting(kinds.text, 'Holdfast'),
  SITE_SINCE: optional(kinds.wholeNumber(1970, new Date().getFullYear(), 'a year')),
  SITE_CLAIMS: optional(claims),
  PRICING: setting(kinds.oneOf('on', 'off'), 'on'),
  POLICIES_DIR: optional(kinds.folder),
  CONTACT_EMAIL: optional(kinds.matching('one plain email address', /^[^\s@<>",;]+@[^\s@<>",;]+$/)),
  CONTACT_CHAT_URL: optional(kinds.link),
  DMCA_AGENT: optional(kinds.text),
};

type Rows = typeof settings;
export type Settings = {
  readonly [Name in keyof Rows]: ValueOf<Rows[Name]['type']> | (null extends Rows[Name]['standard'] ? null : never);
};

export function readSettings(environment: Environment): Settings {
  const values = Object.entries<{ type: Kind<unknown>; standard: string | null }>(settings).map(
    ([name, { type, standard }]) => {
      const found = readSetting(name, type, environment);
      return [name, found === null && standard !== null ? readValue(name, type, standard) : found];
    },
  );
  return Object.fromEntries(values) as Settings;
}
