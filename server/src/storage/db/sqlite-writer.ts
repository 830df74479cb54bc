import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import { CompiledQuery, type QueryResult } from 'kysely';
import { minutes } from '../../lib/clock.ts';
import { createSemaphore, takeTurn } from '../../lib/semaphore.ts';
import { shareSyncs } from '../share-syncs.mjs';
import { CommitUnknown, DatabaseUnavailable } from './database.ts';
import type { SqliteOptions } from './sqlite.ts';
import {
  cache,
  isFailedSync,
  openConnection,
  type Query,
  type SqliteConnection,
  translated,
  untilFree,
} from './sqlite-connection.ts';
import type { SqliteReader } from './sqlite-reader.ts';
import { openReserve } from './sqlite-reserve.ts';

export type SqliteWriter = Awaited<ReturnType<typeof openWriter>>;

// SQLite would sync and checkpoint in the event loop, and write a file for what a statement could undo.
const pragmas = [
  'journal_mode = WAL',
  'synchronous = NORMAL',
  'wal_autocheckpoint = 0',
  'foreign_keys = ON',
  'temp_store = MEMORY',
  cache,
];
/** Estimated: each row that changes is a page, and each commit a few more. 4,000 are 16 MB. */
const checkpointAfterPages = 4_000;
const pagesOfCommit = 4;
const refillEvery = minutes(1);
/** Other work gets a turn of the event loop then. */
const longestRun = 10;

/** Commits do not wait for the disk, but resolve after a sync of the log in the thread pool that began after them. */
export async function openWriter(
  path: string,
  reader: SqliteReader,
  { busyMs, log, keepsReserve = false, sync = (file) => file.datasync() }: SqliteOptions & { readonly busyMs: number },
) {
  const reserve = openReserve(path);
  const connect = () => {
    reserve.releaseIfFull();
    return untilFree(() => openConnection(path, pragmas), busyMs);
  };
  let connection = await connect();
  emptyLog(connection);
  const stopFilling = keepsReserve ? keepFilled(reserve) : async () => {};
  let logFile: FileHandle | null = null;
  let failure: DatabaseUnavailable | null = null;
  let yieldedAt = performance.now();
  let pages = 0;
  let checkpointing: Promise<unknown> | null = null;
  const turns = createSemaphore(1);

  /** The kernel reports lost pages once, so nothing may be built on what was not synced. */
  const noteFailedSync = (error: unknown) => {
    log?.error({ err: error }, 'ALARM: the log of the database could not be synced; changes are refused');
    return (failure = new DatabaseUnavailable(error));
  };
  const toPort = (error: unknown) => (isFailedSync(error) ? noteFailedSync(error) : translated(error));
  const syncLog = shareSyncs(async () => {
    try {
      logFile ??= await open(`${path}-wal`, 'r+');
      await sync(logFile);
    } catch (error) {
      throw noteFailedSync(error);
    }
  });
  /** Opening checks the sums of the log; what is whole is written to the file and synced. */
  const recover = async () => {
    await reader.close();
    connection.close();
    await logFile?.close();
    logFile = null;
    connection = await connect();
    if (!emptyLog(connection)) throw new DatabaseUnavailable('another process uses the log of the database');
    failure = null;
    log?.warn('the log of the database could be synced again; changes are accepted');
  };

  const checkpointOnce = () => reader.run(CompiledQuery.raw('PRAGMA wal_checkpoint(PASSIVE)'));
  /** The second one lets the next transaction begin the log anew. */
  const checkpoint = () =>
    checkpointOnce()
      .then(() => turns(checkpointOnce))
      .catch((error: unknown) => log?.warn({ err: error }, 'the log of the database could not be checkpointed'))
      .finally(() => (checkpointing = null));
  const makeDurable = (changes: bigint) => {
    pages += pagesOfCommit + Number(changes);
    if (pages >= checkpointAfterPages && !checkpointing && !failure) {
      pages = 0;
      checkpointing = checkpoint();
    }
    return syncLog();
  };

  const yieldIfLong = async () => {
    if (performance.now() - yieldedAt <= longestRun) return;
    await immediate();
    yieldedAt = performance.now();
  };
  const enter = async <T>(first: () => T): Promise<readonly [T, leave: () => void]> => {
    const deadline = performance.now() + busyMs;
    const leave = await takeTurn(turns);
    try {
      await yieldIfLong();
      reserve.releaseIfFull();
      if (failure) await recover();
      return [await untilFree(first, deadline - performance.now()), leave];
    } catch (error) {
      leave();
      throw toPort(error);
    }
  };

  const begin = async () => {
    // One that reads first and then writes would fail if another process wrote in between.
    const [, leave] = await enter(() => connection.exec('begin immediate'));
    let changes = 0n;
    let isOver = false;
    const end = (how: 'commit' | 'rollback') => {
      isOver = true;
      try {
        if (how === 'commit' && failure) throw failure;
        if (how === 'commit' || connection.isInTransaction()) connection.exec(how);
      } catch (error) {
        if (connection.isInTransaction()) connection.exec('rollback');
        throw toPort(error);
      } finally {
        leave();
      }
    };
    return {
      async run<Row>(query: Query): Promise<QueryResult<Row>> {
        // Otherwise, the remaining statements would be committed one by one.
        await yieldIfLong();
        if (isOver || !connection.isInTransaction())
          throw new Error('The transaction has ended: no transaction is active');
        try {
          const result = connection.run<Row>(query);
          changes += result.numAffectedRows ?? BigInt(result.rows.length);
          return result;
        } catch (error) {
          throw toPort(error);
        }
      },
      async commit() {
        try {
          end('commit');
          await makeDurable(changes);
        } catch (error) {
          throw error instanceof DatabaseUnavailable ? new CommitUnknown(error.cause) : error;
        }
      },
      async rollback() {
        if (!isOver) end('rollback');
      },
    };
  };

  return {
    begin,
    async run<Row>(query: Query): Promise<QueryResult<Row>> {
      const [result, leave] = await enter(() => connection.run<Row>(query));
      leave();
      await makeDurable(result.numAffectedRows ?? 0n);
      return result;
    },
    /** In the open transaction, if there is one. */
    runScript: (script: string) => connection.exec(script),
    async close() {
      await stopFilling();
      await checkpointing;
      await turns(async () => syncLog().catch(() => {}));
      await logFile?.close();
      // The last one to close would copy a damaged log into the file.
      if (!failure) connection.close();
    },
  };
}

function keepFilled(reserve: ReturnType<typeof openReserve>): () => Promise<void> {
  const fillOnce = () => reserve.fill().catch(() => {});
  let filling = fillOnce();
  const refilling = setInterval(() => (filling = fillOnce()), refillEvery).unref();
  return () => {
    clearInterval(refilling);
    return filling;
  };
}

function emptyLog(connection: SqliteConnection): boolean {
  const { rows } = connection.run<{ busy: number }>(CompiledQuery.raw('PRAGMA wal_checkpoint(TRUNCATE)'));
  return rows[0]?.busy === 0;
}
