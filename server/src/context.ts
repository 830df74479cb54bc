/** The only file that names concrete engines: it opens those that the settings choose. */
import type { Logger } from 'pino';
import { type PasswordCost, standardCost } from './lib/password-cost.ts';
import type { Config } from './config/config.ts';
import { loadSecretKey } from './config/secret-key.ts';
import { openSetting, UnusableSetting } from './config/setting-errors.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import { deriveKey } from './lib/derive-key.ts';
import { standardOutput } from './lib/standard-streams.ts';
import { openAltcha } from './services/captcha/altcha.ts';
import { type Captcha, noCaptcha } from './services/captcha/captcha.ts';
import { openRecaptcha } from './services/captcha/recaptcha.ts';
import type { Mail } from './services/mail/mail.ts';
import { openOutbox } from './services/mail/outbox.ts';
import { openSmtp } from './services/mail/smtp.ts';
import { noPayments, type Payments } from './services/payments/payments.ts';
import { noReports, type Reports } from './services/reports/reports.ts';
import { openClamd } from './services/scanner/clamd.ts';
import { noScanner, type Scanner } from './services/scanner/scanner.ts';
import type { BlobStore } from './storage/blobs/blobs.ts';
import { openDiskBlobs } from './storage/blobs/disk.ts';
import { openFreeSpace } from './storage/blobs/free-space.ts';
import { openSha1 } from './storage/blobs/sha1.ts';
import { readMark, refuseUnfinishedStorage, writeOnlyToOwn } from './storage/blobs/storage-owner.ts';
import type { Counters } from './storage/counters/counters.ts';
import { openMemoryCounters } from './storage/counters/memory.ts';
import { openPostgresCounters } from './storage/counters/postgres.ts';
import { type Database, isDatabaseFull, isPostgres, type OpenSchema, OtherSchema } from './storage/db/database.ts';
import { openDatabaseClock } from './storage/db/database-clock.ts';
import { endMove, refuseOtherPlace } from './storage/db/moves.ts';
import { openPostgres } from './storage/db/postgres.ts';
import { openSqlite, type SqliteOptions } from './storage/db/sqlite.ts';

export type Context = Awaited<ReturnType<typeof openContext>>;
export type LinkContext = Pick<Context, 'config' | 'blobs' | 'counters' | 'clock' | 'log' | 'reports'>;

interface Replacements {
  readonly clock?: Clock;
  readonly mail?: Mail;
  readonly counters?: Counters;
  readonly passwordCost?: PasswordCost;
  readonly schema?: OpenSchema;
  /** `holdfast move` opens a place that the service has left. */
  readonly evenIfMoved?: boolean;
  /** Of a server; a command has ended before it needs one. */
  readonly keepsReserve?: boolean;
}

export async function openContext(config: Config, log: Logger, replacements: Replacements = {}) {
  const { passwordCost = standardCost, schema = 'migrate' } = replacements;
  const { evenIfMoved = false, keepsReserve = false } = replacements;
  await using opened = new AsyncDisposableStack();
  const reports = opened.use(await openReports(config));
  const openDb = () => openDatabaseOf(config.placedBy.database, config.database, log, schema, { keepsReserve });
  // A command must not generate a secret for a database that does not exist.
  const found = schema === 'as it is' ? await openDb() : undefined;
  const secret = await openSetting('DATA_DIR', () => loadSecretKey(config), config.dataDir);
  const db = opened.adopt(found ?? (await openDb()), (each) => each.destroy());
  const clock: Clock = replacements.clock ?? (isPostgres(db) ? await openDatabaseClock(db) : systemClock);
  if (!evenIfMoved) await refuseOtherPlace(db);
  const blobs = opened.use(await openBlobsOf(config, { db, log }));
  if (!evenIfMoved) await refuseUnfinishedStorage(blobs);
  const hasNewStorage = async () => (await readMark(blobs))?.is === 'own';
  if (schema === 'migrate') await endMove(db, { hasNewStorage, now: () => clock.now(), log });
  const mail = opened.use(replacements.mail ?? (await openSetting(config.placedBy.mail, () => openMail(config))));
  const payments = await openPayments(config, clock);
  const closing = opened.move();
  return {
    config,
    db,
    blobs,
    mail,
    captcha: openCaptcha(config, secret, { db, clock, log }),
    counters: replacements.counters ?? (await openCounters(config, db, replacements.clock)),
    payments,
    scanner: openScanner(config),
    reports,
    secret,
    passwordCost,
    clock,
    log,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

export function openDatabase(
  database: Config['database'],
  log: Logger,
  schema: OpenSchema,
  options: Pick<SqliteOptions, 'keepsReserve'> = {},
): Promise<Database> {
  return database.engine === 'postgres'
    ? openPostgres(database.url, log, { schema })
    : openSqlite(database.path, schema, { ...options, log });
}

export async function openDatabaseOf(
  setting: string,
  database: Config['database'],
  log: Logger,
  schema: OpenSchema,
  options?: Pick<SqliteOptions, 'keepsReserve'>,
): Promise<Database> {
  try {
    return await openDatabase(database, log, schema, options);
  } catch (error) {
    // Then the setting is correct.
    if (error instanceof OtherSchema) throw error;
    const cause = isDatabaseFull(error) ? new Error(fullDisk, { cause: error }) : error;
    throw new UnusableSetting(setting, cause, database.engine === 'sqlite' ? database.path : '');
  }
}

const fullDisk = 'its disk is full: delete something else on it, until 10 MB are free, and start again';

export async function openBlobs({ blobs }: Pick<Config, 'blobs'>): Promise<BlobStore> {
  if (blobs.engine === 'disk') return openDiskBlobs(blobs.folder);
  const { openS3Blobs } = await import('./storage/blobs/s3/store.ts');
  return openS3Blobs(blobs);
}

export async function openBlobsOf(config: Config, parts: { db: Database; readFrom?: Database; log: Logger }) {
  const place = config.blobs.engine === 'disk' ? config.blobs.folder : '';
  const store = await openSetting(config.placedBy.blobs, () => openBlobs(config), place);
  const blobs = writeOnlyToOwn(store, parts.db);
  const sha1 = openSha1({ ...parts, blobs });
  return Object.assign(blobs, {
    sha1,
    freeSpace: openFreeSpace(blobs, config, parts.log),
    async [Symbol.asyncDispose]() {
      await sha1[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    },
  });
}

async function openMail(config: Config): Promise<Mail> {
  // A web address may be numeric, which is not valid as the domain of an email address.
  const { hostname } = new URL(config.publicUrl ?? 'http://localhost');
  const standard = `holdfast@${/[a-z]$/i.test(hostname) ? hostname : 'localhost'}`;
  const from = { name: config.site.name, address: config.site.contactEmail ?? standard };
  if (config.mail.engine === 'smtp') return openSmtp({ ...config.mail, from });
  const print = (line: string) => standardOutput.write(`${line}\n`);
  return openOutbox({ folder: config.mail.folder, from, print, isTerminal: process.stdout.isTTY });
}

function openCaptcha({ captcha }: Config, secret: Buffer, parts: { db: Database; clock: Clock; log: Logger }): Captcha {
  if (captcha.engine === 'none') return noCaptcha;
  if (captcha.engine === 'recaptcha') return openRecaptcha({ ...captcha, log: parts.log });
  const key = deriveKey(secret, 'bot check').toString('hex');
  return openAltcha({ ...parts, secret: key, difficulty: captcha.difficulty });
}

/** Processes on one PostgreSQL share the limits. SQLite has one process. */
async function openCounters({ database }: Config, db: Database, testClock?: Clock): Promise<Counters> {
  return database.engine === 'postgres'
    ? openPostgresCounters(db, testClock)
    : openMemoryCounters(testClock ?? systemClock);
}

async function openPayments({ payments, plans }: Config, clock: Clock): Promise<Payments> {
  if (payments.engine === 'none') return noPayments;
  const { openStripe } = await import('./services/payments/stripe.ts');
  return openStripe({ ...payments, plans, clock });
}

export async function openReports({ reports }: Config): Promise<Reports> {
  if (reports.engine === 'none') return noReports;
  const { openServerSentry } = await import('./services/reports/sentry.ts');
  return openServerSentry(reports);
}

const openScanner = ({ scanner }: Config): Scanner => (scanner.engine === 'clamd' ? openClamd(scanner.at) : noScanner);
