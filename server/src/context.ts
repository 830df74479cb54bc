import type { Logger } from 'pino';
import type { Plans } from '@holdfast/contract/src/plans.ts';
import type { Config } from './config/config.ts';
import { type Origins, originsOf } from './config/origins.ts';
import { loadSecretKey } from './config/secret-key.ts';
import { openSetting } from './config/setting-errors.ts';
import type { BlobStore } from './storage/blobs/blobs.ts';
import { type FreeSpace, openFreeSpace } from './storage/blobs/free-space.ts';
import { readMark, refuseUnfinishedStorage, writeOnlyToOwn } from './storage/blobs/storage-owner.ts';
import { openSha1, type Sha1 } from './storage/blobs/sha1.ts';
import type { Captcha } from './services/captcha/captcha.ts';
import type { Counters } from './storage/counters/counters.ts';
import type { Database, OpenSchema } from './storage/db/database.ts';
import { endMove, refuseOtherPlace } from './storage/db/moves.ts';
import type { Mail } from './services/mail/mail.ts';
import type { Payments } from './services/payments/payments.ts';
import type { Reports } from './services/reports/reports.ts';
import type { Scanner } from './services/scanner/scanner.ts';
import { type Clock, systemClock } from './lib/clock.ts';
import {
  openBlobs,
  openCaptcha,
  openCounters,
  openDatabase,
  openMail,
  openPayments,
  openReports,
  openScanner,
} from './open-engines.ts';

export interface Context extends AsyncDisposable {
  readonly config: Config;
  /** Final once the server listens: with PORT=0 the port is unknown until then. */
  origins: Origins;
  readonly plans: Plans;
  readonly db: Database;
  readonly blobs: BlobStore;
  readonly freeSpace: FreeSpace;
  readonly sha1: Sha1;
  readonly mail: Mail;
  readonly captcha: Captcha;
  readonly counters: Counters;
  readonly payments: Payments;
  readonly scanner: Scanner;
  readonly reports: Reports;
  readonly secret: Buffer;
  readonly clock: Clock;
  readonly log: Logger;
  /** Counts since the process started, for monitoring. */
  readonly tally: { uploads: number; uploadedBytes: number; downloads: number; refusedConnections: number };
}

export type LinkContext = Pick<
  Context,
  'config' | 'origins' | 'plans' | 'blobs' | 'sha1' | 'counters' | 'clock' | 'log' | 'reports' | 'tally'
>;

/** Parts that a test may replace: time, email, and limits if they are not under test. */
export interface Replacements {
  readonly clock?: Clock;
  readonly mail?: Mail;
  readonly counters?: Counters;
  /** An operator's command requires an up-to-date schema, and never migrates it. */
  readonly schema?: OpenSchema;
  /** `holdfast move` opens a place that the service has left. */
  readonly evenIfMoved?: boolean;
}

export async function openContext(config: Config, log: Logger, replacements: Replacements = {}): Promise<Context> {
  const opened = new AsyncDisposableStack();
  try {
    // First, so that any failure after it can be reported.
    const reports = opened.use(await openReports(config));
    const { schema = 'migrate', evenIfMoved = false } = replacements;
    const openDb = () => openDatabase(config.database, log, schema);
    // A command must not generate a secret for a database that does not exist.
    const found = schema === 'as it is' ? await openDb() : undefined;
    const secret = await openSetting('DATA_DIR', () => loadSecretKey(config));
    const db = found ?? (await openDb());
    opened.defer(() => db.destroy());
    if (!evenIfMoved) await refuseOtherPlace(db);
    const clock = replacements.clock ?? systemClock;
    const blobs = writeOnlyToOwn(opened.use(await openSetting('BLOBS_URL', () => openBlobs(config))), db);
    if (!evenIfMoved) await refuseUnfinishedStorage(blobs);
    if (schema === 'migrate') await endMove(db, { hasNewStorage: () => isOwn(blobs), now: () => clock.now(), log });
    const sha1 = opened.use(openSha1({ db, blobs, log }));
    const mail = opened.use(replacements.mail ?? (await openSetting('MAIL_URL', () => openMail(config))));
    const captcha = openCaptcha({ config, db, clock, secret, log });
    const counters = replacements.counters ?? (await openCounters(config, db, replacements.clock));
    const payments = await openPayments(config, clock);
    const scanner = openScanner(config);
    const closing = opened.move();
    const origins = originsOf(config, config.port);
    return {
      config,
      origins,
      plans: config.plans,
      db,
      blobs,
      freeSpace: openFreeSpace(blobs, config.minFreeSpace, log),
      sha1,
      mail,
      captcha,
      counters,
      payments,
      scanner,
      reports,
      secret,
      clock,
      log,
      tally: { uploads: 0, uploadedBytes: 0, downloads: 0, refusedConnections: 0 },
      [Symbol.asyncDispose]: () => closing.disposeAsync(),
    };
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

const isOwn = async (blobs: BlobStore): Promise<boolean> => (await readMark(blobs))?.is === 'own';
