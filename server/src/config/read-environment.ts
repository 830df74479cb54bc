/**
 * Turns the environment into a Config, with one union per engine. Only this file and `read-workers.ts` read the
 * environment. An invalid value throws a ConfigError whose single sentence names the variable, the value found and the
 * accepted values.
 */
import { changePlans, type PlanLevel, planLevels } from '@holdfast/contract/src/plans.ts';
import { bytesOf } from '@holdfast/contract/src/plans-file.ts';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { seconds } from '../lib/clock.ts';
import type { Config } from './config.ts';
import { readClaims } from './read-claims.ts';
import {
  readBlobs,
  readCaptcha,
  readDatabase,
  readFilesOnly,
  readMail,
  readPayments,
  readReports,
  readScanner,
} from './read-engines.ts';
import { readPlansFile } from './read-plans-file.ts';
import { readValueOrFile } from './read-value-or-file.ts';
import { readEmail, readLink, readList, readOrigin, readPort } from './read-values.ts';
import { readWorkers } from './read-workers.ts';
import { ConfigError } from './setting-errors.ts';
import { isFilesOnly, readSettingsFile } from './settings-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of this process, from its environment and the settings file; the environment takes precedence. */
export function loadConfig(): Config {
  // Libraries read the environment too: that of PostgreSQL reads PGPASSWORD.
  Object.assign(process.env, { ...readSettingsFile(), ...process.env });
  return readConfig(process.env, { filesOnly: isFilesOnly });
}

/** The user who started this command with sudo; null if nobody did. */
export function sudoUser(): string | null {
  return process.env['SUDO_USER'] || null;
}

/** With `filesOnly` it is that of a node that serves only public links. */
export function readConfig(environment: Environment, { filesOnly = false } = {}): Config {
  const read = (variable: string): string | null => readValueOrFile(variable, environment);
  const dataDir = resolve(read('DATA_DIR') ?? 'data');
  const publicUrl = read('PUBLIC_URL');
  const accel = readAccel(read('ACCEL'));
  const blobs = readBlobs(read('BLOBS_URL'), dataDir);
  const policiesDir = read('POLICIES_DIR');
  const planChanges = readPlansFile(read('PLANS_FILE'));
  const database = readDatabase(read('DATABASE_URL'), dataDir);
  return {
    host: read('HOST') ?? '127.0.0.1',
    port: readPort('PORT', read('PORT') ?? '3000'),
    workers: readWorkers(read('WORKERS'), read('DATABASE_URL')),
    dataDir,
    publicUrl: publicUrl && readOrigin('PUBLIC_URL', publicUrl),
    fileOrigins: readList(read('FILE_ORIGINS')).map((origin) => readOrigin('FILE_ORIGINS', origin)),
    database,
    filesOnly: readFilesOnly(read('DATABASE_READ_URL'), { filesOnly, database }),
    blobs,
    minFreeSpace: readMinFreeSpace(read('MIN_FREE_SPACE')),
    mail: readMail(read('MAIL_URL'), dataDir),
    dormantAccounts: readDormantAccounts(read('DORMANT_ACCOUNTS')),
    captcha: readCaptcha(read, publicUrl),
    secretKey: readSecretKey(read('SECRET_KEY')),
    trustProxy: readList(read('TRUST_PROXY')).map(readNetwork),
    accel,
    redirects: readRedirects(read('DELIVERY'), accel, blobs),
    previewBurst: readPreviewBurst(read('PREVIEW_BURST')),
    metrics: readMetrics(read('METRICS_HOST'), read('METRICS_PORT')),
    shutdownDelayMs: readShutdownDelay(read('SHUTDOWN_DELAY') ?? '1'),
    region: read('REGION'),
    reports: readReports(read('SENTRY_DSN')),
    scanner: readScanner(read('SCANNER_URL')),
    payments: readPayments(read),
    planChanges,
    plans: changePlans(planChanges),
    signUp: readSignUp(read('SIGN_UP')),
    allowedEmailDomains: readList(read('ALLOWED_EMAIL_DOMAINS')).map(readDomain),
    defaultPlan: readDefaultPlan(read('DEFAULT_PLAN')),
    site: {
      name: read('SITE_NAME') ?? 'Holdfast',
      contactEmail: readEmail('CONTACT_EMAIL', read('CONTACT_EMAIL')),
      contactChatUrl: readLink('CONTACT_CHAT_URL', read('CONTACT_CHAT_URL')),
      dmcaAgent: read('DMCA_AGENT'),
      ...readClaims(read),
      policiesDir: policiesDir && resolve(policiesDir),
    },
  };
}

function readMetrics(host: string | null, port: string | null): Config['metrics'] {
  if (port !== null) return { host: host ?? '127.0.0.1', port: readPort('METRICS_PORT', port) };
  if (host !== null) throw new ConfigError('METRICS_PORT', '', 'set while METRICS_HOST is');
  return null;
}

/** On a small disk a gigabyte would be much of it, and a twentieth of a large one would be wasted. */
function readMinFreeSpace(found: string | null): Config['minFreeSpace'] {
  if (found === null) return { bytes: 1e9, percent: 5 };
  const [, percent] = /^(\d{1,2})%$/.exec(found) ?? [];
  if (percent !== undefined) return { bytes: Infinity, percent: Number(percent) };
  const bytes = found === '0' ? 0 : bytesOf(found);
  if (bytes === undefined)
    throw new ConfigError('MIN_FREE_SPACE', found, 'a size such as 20 GB, a percentage such as 10%, or 0');
  return { bytes, percent: 100 };
}

function readDormantAccounts(found: string | null): Config['dormantAccounts'] {
  if (found !== null && found !== 'keep' && found !== 'delete')
    throw new ConfigError('DORMANT_ACCOUNTS', found, 'keep or delete');
  return found;
}

function readDefaultPlan(found: string | null): PlanLevel {
  const level = found === null ? 'free' : planLevels.find((each) => each === found);
  if (!level) throw new ConfigError('DEFAULT_PLAN', found ?? '', planLevels.join(', ').replace(/, (?=\w+$)/, ' or '));
  return level;
}

function readSignUp(found: string | null): Config['signUp'] {
  if (found === null) return 'open';
  if (found !== 'open' && found !== 'invite' && found !== 'approval' && found !== 'closed')
    throw new ConfigError('SIGN_UP', found, 'open, invite, approval or closed');
  return found;
}

function readDomain(found: string): string {
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(found))
    throw new ConfigError('ALLOWED_EMAIL_DOMAINS', found, 'domains such as example.com, example.org');
  return found.toLowerCase();
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

function readRedirects(found: string | null, accel: Config['accel'], blobs: Config['blobs']): boolean {
  if (found === null) return false;
  if (found !== 'redirect') throw new ConfigError('DELIVERY', found, 'redirect, or not set');
  if (accel !== null) throw new ConfigError('DELIVERY', found, 'not set while ACCEL is nginx');
  if (blobs.engine !== 's3') throw new ConfigError('DELIVERY', found, 'not set unless BLOBS_URL names an S3 store');
  return true;
}

/** Enough for the pictures that chats show; at the Free speed of 4 Mbps, a picture of 5 MB would take ten seconds. */
function readPreviewBurst(found: string | null): number {
  if (found === null) return 8e6;
  const bytes = found === '0' ? 0 : bytesOf(found);
  if (bytes === undefined) throw new ConfigError('PREVIEW_BURST', found, 'a size such as 8 MB, or 0');
  return bytes;
}

function readShutdownDelay(found: string): number {
  const delay = Number(found);
  if (!/^\d{1,2}$/.test(found) || delay > 60) throw new ConfigError('SHUTDOWN_DELAY', found, 'seconds from 0 to 60');
  return seconds(delay);
}

function readSecretKey(found: string | null): string | null {
  if (found !== null && found.length < 32)
    throw new ConfigError('SECRET_KEY', `${found.length} characters long`, 'at least 32 characters long');
  return found;
}
