import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { UnusableSetting } from '../config/setting-errors.ts';
import { openBlobsOf, openDatabaseOf, openReports } from '../context.ts';
import { minutes, systemClock } from '../lib/clock.ts';
import { refuseUnfinishedStorage, serviceIdFact } from '../storage/blobs/storage-owner.ts';
import { openMemoryCounters } from '../storage/counters/memory.ts';
import type { Database } from '../storage/db/database.ts';
import { openDatabaseClock } from '../storage/db/database-clock.ts';
import { refuseOtherPlace } from '../storage/db/moves.ts';
import { readFact } from '../storage/db/service-facts.ts';
import { type ReplicaOptions, watchReplica } from './replica.ts';

export type FilesContext = Awaited<ReturnType<typeof openFilesContext>>;

export async function openFilesContext(
  config: Config,
  log: Logger,
  limits: Pick<ReplicaOptions, 'longestLag' | 'longestAlone'> = {},
) {
  const { database, filesOnly } = config;
  if (filesOnly === null) throw new Error('unreachable: the settings are checked');
  await using opened = new AsyncDisposableStack();
  const open = async (setting: string, place: Config['database'], name: string) => {
    const db = await openDatabaseOf(setting, place, log.child({ database: name }), 'as it is');
    return opened.adopt(db, (each) => each.destroy());
  };
  const reports = opened.use(await openReports(config));
  const primary = await open('DATABASE_URL', database, 'primary');
  const replica = await open('DATABASE_READ_URL', { engine: 'postgres', url: filesOnly.readUrl }, 'replica');
  await requireSameService(primary, replica);
  await refuseOtherPlace(primary);
  const replicaWatch = opened.use(await watchReplica({ primary, replica, log, ...limits }));
  const clock = await openDatabaseClock(primary);
  const following = setInterval(() => void clock.synchronize().catch(() => {}), minutes(1)).unref();
  opened.defer(() => clearInterval(following));
  const blobs = opened.use(await openBlobsOf(config, { db: primary, readFrom: replica, log }));
  await refuseUnfinishedStorage(blobs);
  const closing = opened.move();
  return {
    config,
    primary,
    replica,
    replicaWatch,
    blobs,
    // Those of the primary would cost it a write for each link that does not exist.
    counters: openMemoryCounters(systemClock),
    reports,
    clock,
    log,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  };
}

async function requireSameService(primary: Database, replica: Database): Promise<void> {
  const [one, other] = await Promise.all([primary, replica].map((db) => readFact(db, serviceIdFact)));
  if (one && other && one.value !== other.value)
    throw new UnusableSetting('DATABASE_READ_URL', new Error('it is no replica of DATABASE_URL'));
}
