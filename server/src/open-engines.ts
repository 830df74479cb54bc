/** The only file that names concrete engines: it opens those that the settings choose. */
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { UnusableSetting } from './config/setting-errors.ts';
import type { BlobStore } from './storage/blobs/blobs.ts';
import { openDiskBlobs } from './storage/blobs/disk.ts';
import { openAltcha } from './services/captcha/altcha.ts';
import { type Captcha, noCaptcha } from './services/captcha/captcha.ts';
import { openRecaptcha } from './services/captcha/recaptcha.ts';
import type { Counters } from './storage/counters/counters.ts';
import { openMemoryCounters } from './storage/counters/memory.ts';
import { openPostgresCounters } from './storage/counters/postgres.ts';
import { type Database, type OpenSchema, OtherSchema } from './storage/db/database.ts';
import { openPostgres } from './storage/db/postgres.ts';
import { openSqlite } from './storage/db/sqlite.ts';
import { copySqlite, openBlobLookUp } from './storage/db/sqlite.ts';
import type { Mail } from './services/mail/mail.ts';
import { openOutbox } from './services/mail/outbox.ts';
import { openSmtp } from './services/mail/smtp.ts';
import { noPayments, type Payments } from './services/payments/payments.ts';
import { noReports, type Reports } from './services/reports/reports.ts';
import { openClamd } from './services/scanner/clamd.ts';
import { noScanner, type Scanner } from './services/scanner/scanner.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { deriveKey } from './lib/derive-key.ts';

/** The S3 engine and its SDK are loaded only if configured. */
export async function openBlobs({ blobs }: Pick<Config, 'blobs'>): Promise<BlobStore> {
  if (blobs.engine === 'disk') return openDiskBlobs(blobs.folder);
  const { openS3Blobs } = await import('./storage/blobs/s3/store.ts');
  return openS3Blobs(blobs);
}

export function openBlobFolder(folder: string): Promise<BlobStore> {
  return openDiskBlobs(folder);
}

/** Copies the database by its own means into a new file; false if it is not in a file. */
export async function copyDatabaseFile({ database }: Pick<Config, 'database'>, target: string): Promise<boolean> {
  if (database.engine !== 'sqlite') return false;
  await copySqlite(database.path, target);
  return true;
}

export const openDatabaseCopy = (path: string, log: Logger): Promise<Database> => openSqlite(path, 'migrate', { log });

export { openBlobLookUp };

export function openOtherDatabase(database: Config['database'], log: Logger, schema: OpenSchema): Promise<Database> {
  return database.engine === 'postgres'
    ? openPostgres(database.url, log, { schema })
    : openSqlite(database.path, schema, { log });
}

export async function openDatabase(
  database: Config['database'],
  log: Logger,
  schema: OpenSchema,
  variable = 'DATABASE_URL',
): Promise<Database> {
  try {
    return await openOtherDatabase(database, log, schema);
  } catch (error) {
    // OtherSchema means that the setting is correct but the database does not fit.
    throw error instanceof OtherSchema ? error : new UnusableSetting(variable, error);
  }
}

export async function openMail(config: Config): Promise<Mail> {
  const from = { name: config.site.name, address: config.site.contactEmail ?? `holdfast@${mailHost(config)}` };
  if (config.mail.engine === 'smtp') return openSmtp({ ...config.mail, from });
  return openOutbox({
    folder: config.mail.folder,
    from,
    print: (line) => console.log(line),
    isTerminal: process.stdout.isTTY,
  });
}

/** A web address may be numeric, which is not valid as the domain of an email address. */
function mailHost({ publicUrl }: Config): string {
  const { hostname } = new URL(publicUrl ?? 'http://localhost');
  return /[a-z]$/i.test(hostname) ? hostname : 'localhost';
}

interface CaptchaParts {
  readonly config: Config;
  readonly db: Database;
  readonly clock: Clock;
  readonly secret: Buffer;
  readonly log: Logger;
}

export function openCaptcha({ config, db, clock, secret, log }: CaptchaParts): Captcha {
  const { captcha } = config;
  if (captcha.engine === 'none') return noCaptcha;
  if (captcha.engine === 'recaptcha') return openRecaptcha({ ...captcha, log });
  const { difficulty } = captcha;
  return openAltcha({ secret: deriveKey(secret, 'bot check').toString('hex'), db, clock, difficulty });
}

/** Processes on one PostgreSQL share the limits, and count by its clock. SQLite has one process. */
export async function openCounters(config: Config, db: Database, testClock?: Clock): Promise<Counters> {
  return config.database.engine === 'postgres'
    ? openPostgresCounters(db, testClock)
    : openMemoryCounters(testClock ?? systemClock);
}

export async function openPayments({ payments, plans }: Config, clock: Clock): Promise<Payments> {
  if (payments.engine === 'none') return noPayments;
  const { openStripe } = await import('./services/payments/stripe.ts');
  return openStripe({ ...payments, plans, clock });
}

export async function openReports({ reports }: Config): Promise<Reports> {
  if (reports.engine === 'none') return noReports;
  const { openServerSentry: openSentry } = await import('./services/reports/sentry.ts');
  return openSentry(reports);
}

export function openOwnCounters(clock: Clock): Counters {
  return openMemoryCounters(clock);
}

export function openScanner({ scanner }: Pick<Config, 'scanner'>): Scanner {
  return scanner.engine === 'clamd' ? openClamd(scanner.at) : noScanner;
}
