import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { originsOf } from '../config/origins.ts';
import { openSetting, UnusableSetting } from '../config/setting-errors.ts';
import type { LinkContext } from '../context.ts';
import type { BlobId } from '../storage/blobs/blobs.ts';
import { openSha1, storedSha1 } from '../storage/blobs/sha1.ts';
import { serviceIdFact } from '../storage/blobs/storage-owner.ts';
import type { Database } from '../storage/db/database.ts';
import { refuseOtherPlace } from '../storage/db/moves.ts';
import { readFact } from '../storage/db/service-facts.ts';
import { systemClock } from '../lib/clock.ts';
import { openBlobs, openDatabase, openOwnCounters, openReports } from '../open-engines.ts';
import { type ReplicaOptions, type ReplicaWatch, watchReplica } from './replica.ts';

export interface FilesContext extends LinkContext, AsyncDisposable {
  readonly primary: Database;
  readonly replica: Database;
  readonly replicaWatch: ReplicaWatch;
}

/** Changes no schema, sweeps nothing, and sends no email. */
export async function openFilesContext(
  config: Config,
  log: Logger,
  limits: Pick<ReplicaOptions, 'longestLag' | 'longestAlone'> = {},
): Promise<FilesContext> {
  const { database, filesOnly } = config;
  if (filesOnly === null) throw new Error('unreachable: the settings are checked');
  await using opened = new AsyncDisposableStack();
  const open = async (variable: string, place: Config['database'], name: string) => {
    const db = await openDatabase(place, log.child({ database: name }), 'as it is', variable);
    opened.defer(() => db.destroy());
    return db;
  };
  const reports = opened.use(await openReports(config));
  const primary = await open('DATABASE_URL', database, 'primary');
  const replica = await open('DATABASE_READ_URL', { engine: 'postgres', url: filesOnly.readUrl }, 'replica');
  await requireSameService(primary, replica);
  await refuseOtherPlace(primary);
  const replicaWatch = opened.use(await watchReplica({ primary, replica, log, ...limits }));
  const blobs = opened.use(await openSetting('BLOBS_URL', () => openBlobs(config)));
  // The replica may be away, and then the digest is computed again.
  const readStored = (id: BlobId) => storedSha1(replica)(id).catch(() => null);
  const sha1 = opened.use(openSha1({ db: primary, blobs, log, readStored }));
  const closing = opened.move();
  return {
    config,
    origins: originsOf(config, config.port),
    plans: config.plans,
    primary,
    replica,
    replicaWatch,
    blobs,
    sha1,
    // Those of the primary would cost it a write for each link that does not exist.
    counters: openOwnCounters(systemClock),
    reports,
    clock: systemClock,
    log,
    tally: { uploads: 0, uploadedBytes: 0, downloads: 0, refusedConnections: 0 },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function requireSameService(primary: Database, replica: Database): Promise<void> {
  const [one, other] = await Promise.all([primary, replica].map((db) => readFact(db, serviceIdFact)));
  if (one && other && one.value !== other.value)
    throw new UnusableSetting('DATABASE_READ_URL', new Error('it is no replica of DATABASE_URL'));
}
