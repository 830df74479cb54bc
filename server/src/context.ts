/** The only file that names concrete engines. It opens them, and closes them in reverse order. */
import type { Logger } from 'pino';
import type { Config } from './config/config.ts';
import { openSetting, UnusableSetting } from './config/setting-errors.ts';
import { openDiskBlobs } from './engines/blobs/disk.ts';
import type { BlobId, BlobStore } from './engines/blobs/blobs.ts';
import { openAltcha } from './engines/captcha/altcha.ts';
import type { Captcha } from './engines/captcha/captcha.ts';
import { openNoCaptcha } from './engines/captcha/none.ts';
import type { Counters } from './engines/counters/counters.ts';
import { openMemoryCounters } from './engines/counters/memory.ts';
import { openPostgresCounters } from './engines/counters/postgres.ts';
import { openRecaptcha } from './engines/captcha/recaptcha.ts';
import { type Database, type OpenSchema, OtherSchema } from './engines/database/database.ts';
import { openPostgres } from './engines/database/postgres.ts';
import { openPostgresClock } from './engines/database/postgres-clock.ts';
import { openSqlite } from './engines/database/sqlite.ts';
import type { Mail } from './engines/mail/mail.ts';
import { openOutbox } from './engines/mail/outbox.ts';
import { openSmtp } from './engines/mail/smtp.ts';
import { openNoPayments } from './engines/payments/none.ts';
import type { Payments } from './engines/payments/payments.ts';
import { openNoReports } from './engines/reports/none.ts';
import type { Reports } from './engines/reports/reports.ts';
import { openClamd } from './engines/scanner/clamd.ts';
import { openNoScanner } from './engines/scanner/none.ts';
import type { Scanner } from './engines/scanner/scanner.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { deriveKey } from './lib/derive-key.ts';
import { createRecentChanges, type RecentChanges } from './lib/recent-changes.ts';
import { type Origins, originsOf } from './config/origins.ts';
import { loadSecretKey } from './config/secret-key.ts';

export interface Context extends AsyncDisposable {
  readonly config: Config;
  /** Final once the server listens: with PORT=0 the port is unknown until then. */
  origins: Origins;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly mail: Mail;
  readonly captcha: Captcha;
  readonly counters: Counters;
  readonly payments: Payments;
  readonly scanner: Scanner;
  readonly reports: Reports;
  readonly secret: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
  /** Blobs that lost a file, and accounts that were closed or got another plan, in this process. */
  readonly changes: RecentChanges;
  /** Sizes of the blobs of uploads that failed without knowing whether their row was committed; see `adopt-strays`. */
  readonly unsettled: Map<BlobId, number>;
  /** Counts since the process started, for monitoring; each is incremented where the event happens. */
  readonly tally: { uploads: number; uploadedBytes: number; downloads: number; refusedConnections: number };
}

/** Parts that a test may replace: time, email, and limits if they are not under test. */
export interface Replacements {
  readonly clock?: Clock;
  readonly mail?: Mail;
  readonly counters?: Counters;
  /** An operator's command requires an up-to-date schema, and never migrates it. */
  readonly schema?: OpenSchema;
}

export async function openContext(config: Config, log: Logger, replacements: Replacements = {}): Promise<Context> {
  const opened = new AsyncDisposableStack();
  try {
    // Opened first and closed last, so that any failure in between can be reported.
    const reports = opened.use(await openReports(config));
    const { schema = 'migrate' } = replacements;
    const openDb = () => openDatabase(config, log, schema);
    // A command must not generate a secret for a database that does not exist.
    const found = schema === 'as it is' ? await openDb() : undefined;
    const secret = await openSetting('DATA_DIR', () => loadSecretKey(config));
    const db = found ?? (await openDb());
    opened.defer(() => db.destroy());
    const clock = replacements.clock ?? (await openClock(config, db, opened));
    const blobs = opened.use(
      await openSetting('BLOBS_URL', () => openDiskBlobs(config.blobs.folder, { sweepsItself: schema === 'migrate' })),
    );
    const mail = opened.use(replacements.mail ?? (await openSetting('MAIL_URL', () => openMail(config))));
    const captcha = openCaptcha({ config, db, clock, secret, log });
    const counters = replacements.counters ?? (await openCounters(config, db, replacements.clock));
    const payments = await openPayments(config, clock);
    const scanner = config.scanner.engine === 'clamd' ? openClamd(config.scanner.at) : openNoScanner();
    const closing = opened.move();
    const origins = originsOf(config, config.port);
    return {
      config,
      origins,
      db,
      blobs,
      mail,
      captcha,
      counters,
      payments,
      scanner,
      reports,
      secret,
      clock,
      log,
      changes: createRecentChanges(),
      unsettled: new Map(),
      tally: { uploads: 0, uploadedBytes: 0, downloads: 0, refusedConnections: 0 },
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

/** Opens a folder of blobs other than the store, such as that of a backup. */
export function openBlobFolder(folder: string): Promise<BlobStore> {
  return openDiskBlobs(folder);
}

async function openDatabase(config: Config, log: Logger, schema: OpenSchema): Promise<Database> {
  try {
    return config.database.engine === 'postgres'
      ? await openPostgres(config.database.url, log, { schema })
      : await openSqlite(config.database.path, schema, { log });
  } catch (error) {
    // OtherSchema means that the setting is correct but the database does not fit.
    throw error instanceof OtherSchema ? error : new UnusableSetting('DATABASE_URL', error);
  }
}

async function openMail(config: Config): Promise<Mail> {
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

type CaptchaParts = Pick<Context, 'config' | 'db' | 'clock' | 'secret' | 'log'>;

function openCaptcha({ config, db, clock, secret, log }: CaptchaParts): Captcha {
  const { captcha } = config;
  if (captcha.engine === 'none') return openNoCaptcha();
  if (captcha.engine === 'recaptcha') return openRecaptcha({ ...captcha, log });
  const { difficulty } = captcha;
  return openAltcha({ secret: deriveKey(secret, 'bot check').toString('hex'), db, clock, difficulty });
}

/** Processes that share a database share its clock. */
async function openClock(config: Config, db: Database, opened: AsyncDisposableStack): Promise<Clock> {
  return config.database.engine === 'postgres' ? opened.use(await openPostgresClock(db)) : systemClock;
}

/** Processes that share a database share the limits, and count by its clock. */
async function openCounters(config: Config, db: Database, testClock?: Clock): Promise<Counters> {
  return config.database.engine === 'postgres'
    ? openPostgresCounters(db, testClock)
    : openMemoryCounters(testClock ?? systemClock);
}

/** Loaded only if configured. */
async function openPayments({ payments }: Config, clock: Clock): Promise<Payments> {
  if (payments.engine === 'none') return openNoPayments();
  const { openStripe } = await import('./engines/payments/stripe.ts');
  return openStripe({ ...payments, clock });
}

/** Loaded only if configured. */
async function openReports({ reports }: Config): Promise<Reports> {
  if (reports.engine === 'none') return openNoReports();
  const { openServerSentry: openSentry } = await import('./engines/reports/sentry.ts');
  return openSentry(reports);
}
