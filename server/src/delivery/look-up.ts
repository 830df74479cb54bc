import { setTimeout as wait } from 'node:timers/promises';
import type { PlanLevel } from '@holdfast/contract/src/plans.ts';
import type { CompiledQuery } from 'kysely';
import type { BlobId } from '../engines/blobs/blobs.ts';
import type { Context } from '../context.ts';
import { type Database, DatabaseUnavailable } from '../engines/database/database.ts';
import { prepared } from '../engines/database/prepared.ts';
import type { Flag } from '../engines/database/schema.ts';
import { createRememberedNames, noRememberedNames } from './remembered-names.ts';

/** The data of a live file that its public link needs. */
export interface PublicFile {
  readonly id: string;
  readonly accountId: string;
  readonly blobId: BlobId;
  /** Bytes. */
  readonly size: number;
  /** Hexadecimal, lower case. */
  readonly sha256: string;
  readonly extension: string;
  readonly originalName: string;
  readonly uploadedAt: number;
  /** 0 means never. */
  readonly lastAccessedAt: number;
  /** The owner's setting: days without access after which the file is deleted. 0 means never. */
  readonly autoDeleteDays: number;
  /** 1 while the file waits for its first malware scan and must not be served. */
  readonly pendingScan: Flag;
  /** The owner's plan. */
  readonly level: PlanLevel;
  /** The owner's own limits, as the database holds them. */
  readonly ownLimits: string;
}

/** Finds the file of a name. It rejects with `DatabaseUnavailable` if nobody can tell now. */
export type LookUp = (name: string) => Promise<PublicFile | undefined>;

type Row = PublicFile & { readonly name: string };
type Batch = Map<string, PromiseWithResolvers<PublicFile | undefined>>;

const largestBatch = 64;
/** While one query is under way, the next one gathers its names. */
const queriesAtOnce = 2;
const mostTries = 3;
const pauseMs = 50;
/** A lost connection fails sooner; a statement that waits for a lock, later. */
const retriedWithinMs = 1_000;
/** A name that is remembered waits no longer for the database. */
const patienceMs = 1_000;

/**
 * The only query of a download. Requests in the same turn of the event loop share it, and so do those that arrive while
 * earlier ones wait for the database: it costs one round trip, and their responses go out right after each other. While
 * the database is away or responds too late, names that were resolved within the last hour keep their files, unless
 * another database can be asked.
 */
export function createLookUp(
  { db, changes }: Pick<Context, 'db' | 'changes'>,
  { remembers = true }: { readonly remembers?: boolean } = {},
): LookUp {
  const queryFor = createQueries(db);
  const names = remembers ? createRememberedNames<PublicFile>(changes) : noRememberedNames<PublicFile>();
  let awaySince = Infinity;
  const waiting: Batch = new Map();
  let running = 0;
  let isScheduled = false;

  const query = async (wanted: readonly string[]) => {
    // Connections may be lost while the database works. During an outage further tries fail at once.
    const startedAt = performance.now();
    for (let tries = 1; ; tries += 1)
      try {
        const { rows } = await db.executeQuery(queryFor(wanted));
        return new Map(rows.map((row) => [row.name, row]));
      } catch (error) {
        const isLate = performance.now() - startedAt > retriedWithinMs;
        if (tries === mostTries || isLate || !(error instanceof DatabaseUnavailable)) throw error;
        await wait(pauseMs);
      }
  };
  const answer = async (batch: Batch) => {
    const askedAt = performance.now();
    try {
      const found = await query([...batch.keys()]);
      // This process does not know which files others deleted during the outage.
      if (askedAt > awaySince) {
        names.clear();
        awaySince = Infinity;
      }
      for (const [name, { resolve }] of batch) {
        const file = found.get(name);
        if (file) names.remember(name, file, askedAt);
        else names.forget(name);
        resolve(file);
      }
    } catch (error) {
      const isAway = error instanceof DatabaseUnavailable;
      if (isAway) awaySince = Math.min(awaySince, performance.now());
      // Those that wait for their turn would wait as long again.
      const failed: Batch = new Map([...batch, ...(isAway ? waiting : [])]);
      if (isAway) waiting.clear();
      for (const [name, { resolve, reject }] of failed) {
        const file = isAway ? names.recall(name) : undefined;
        if (file) resolve(file);
        else reject(error);
      }
    }
  };
  const answerAll = async () => {
    running += 1;
    while (waiting.size > 0) await answer(takeBatch(waiting));
    running -= 1;
  };
  const schedule = () => {
    if (isScheduled || running === queriesAtOnce) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void answerAll();
    });
  };
  return (name) => {
    const known = waiting.get(name);
    if (known) return known.promise;
    const asked = Promise.withResolvers<PublicFile | undefined>();
    waiting.set(name, asked);
    schedule();
    const late = setTimeout(() => {
      const file = names.recall(name);
      if (file) asked.resolve(file);
    }, patienceMs);
    return asked.promise.finally(() => clearTimeout(late));
  };
}

function takeBatch(waiting: Batch): Batch {
  const batch: Batch = new Map([...waiting].slice(0, largestBatch));
  for (const name of batch.keys()) waiting.delete(name);
  return batch;
}

/** Compiled once per size, since building a query costs more than running it; sizes are powers of two. */
function createQueries(db: Database): (names: readonly string[]) => CompiledQuery<Row> {
  const compiled = new Map<number, CompiledQuery<Row>>();
  return (names) => {
    const size = 2 ** Math.ceil(Math.log2(names.length));
    const query = compiled.get(size) ?? compile(db, size);
    compiled.set(size, query);
    // A repeated name is found once.
    const padding = Array.from({ length: size - names.length }, () => names[0]);
    return { ...query, parameters: [...names, ...padding] };
  };
}

function compile(db: Database, size: number): CompiledQuery<Row> {
  return db
    .selectFrom('files')
    .innerJoin('accounts', 'accounts.id', 'files.account_id')
    .select([
      'files.name',
      'files.id',
      'files.account_id as accountId',
      'files.blob_id as blobId',
      'files.size',
      'files.sha256',
      'files.extension',
      'files.original_name as originalName',
      'files.uploaded_at as uploadedAt',
      'files.last_accessed_at as lastAccessedAt',
      'files.pending_scan as pendingScan',
      'accounts.level',
      'accounts.own_limits as ownLimits',
      'accounts.inactivity_auto_delete_days as autoDeleteDays',
    ])
    .where('files.deleted_at', 'is', null)
    .where('accounts.closed_at', 'is', null)
    .where(
      'files.name',
      'in',
      Array.from({ length: size }, () => ''),
    )
    .modifyEnd(prepared)
    .$castTo<Row>()
    .compile();
}
