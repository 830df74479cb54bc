/**
 * The only reader of the environment: turns variables into a Config, with one union per engine. An invalid value throws
 * a ConfigError whose single sentence names the variable, the value found and the accepted values.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { seconds } from '../lib/clock.ts';
import type { Config } from './config.ts';
import { readCaptcha, readDatabase, readMail, readPayments, readReports, readScanner } from './read-engines.ts';
import { readEmail, readFolder, readLink, readList, readOrigin, readPort } from './read-values.ts';
import { ConfigError } from './setting-errors.ts';
import { readSettingsFile } from './settings-file.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The configuration of this process, from its environment and the settings file; the environment takes precedence. */
export function loadConfig(): Config {
  // Libraries read the environment too: that of PostgreSQL reads PGPASSWORD.
  Object.assign(process.env, { ...readSettingsFile(), ...process.env });
  return readConfig(process.env);
}

/** The user who started this command with sudo; null if nobody did. */
export function sudoUser(): string | null {
  return process.env['SUDO_USER'] || null;
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
    shutdownDelayMs: readShutdownDelay(read('SHUTDOWN_DELAY') ?? '1'),
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

function readMetrics(host: string | null, port: string | null): Config['metrics'] {
  if (port !== null) return { host: host ?? '127.0.0.1', port: readPort('METRICS_PORT', port) };
  if (host !== null) throw new ConfigError('METRICS_PORT', '', 'set while METRICS_HOST is');
  return null;
}

function readDormantAccounts(found: string | null): Config['dormantAccounts'] {
  if (found !== null && found !== 'keep' && found !== 'delete')
    throw new ConfigError('DORMANT_ACCOUNTS', found, 'keep or delete');
  return found;
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
  // This process does not see what nginx sends, so it cannot schedule it.
  if (accel !== null) throw new ConfigError('EGRESS_MBPS', found, 'not set while ACCEL is nginx');
  return mbps;
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
