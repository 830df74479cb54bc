import { open, type FileHandle } from 'node:fs/promises';
import { setImmediate as immediate } from 'node:timers/promises';
import type { QueryResult } from 'kysely';
import type { Logger } from 'pino';
import { createSemaphore, takeTurn } from '../../lib/semaphore.ts';
import { DatabaseUnavailable } from './database.ts';
import {
  isFailedSync,
  openConnection,
  type Query,
  type SqliteConnection,
  translated,
  untilFree,
} from './sqlite-connection.ts';

interface WriterOptions {
  readonly path: string;
  readonly pragmas: readonly string[];
  /** Milliseconds that a transaction waits for its turn and for the lock of another process. */
  readonly busyMs: number;
  readonly log: Pick<Logger, 'error' | 'warn'> | undefined;
  /** Copies pages of the log into the file, in a thread. */
  readonly checkpoint: () => Promise<unknown>;
  /** Closes the other connections of this process; they open again when they are used. */
  readonly closeReaders: () => Promise<void>;
  readonly sync: ((log: FileHandle) => Promise<void>) | undefined;
}

/** In pages, estimated: each row that changes is one, and each commit a few more. 4,000 are 16 MB. */
const checkpointAfter = 4_000;
const pagesOfCommit = 4;
/** Milliseconds that transactions may follow each other before other work gets a turn of the event loop. */
const longestRun = 10;

/**
 * The writes of a process, one transaction after the other, on one connection in the event loop. Each resolves once it is
 * on the disk: SQLite's own commits wait for no disk (`synchronous = NORMAL`), but for the first in a log that begins
 * anew, and one sync of the log in the thread pool makes all commits durable that came before it began.
 */
export async function openWriter(options: WriterOptions) {
  const { path, pragmas, busyMs, log, sync = (file: FileHandle) => file.datasync() } = options;
  const connect = () => untilFree(() => openConnection(path, pragmas), performance.now() + busyMs);
  let connection = await connect();
  // An earlier process may not have been able to sync it.
  emptyLog(connection);
  let logFile: FileHandle | null = null;
  let failure: DatabaseUnavailable | null = null;
  let yieldedAt = performance.now();
  let pages = 0;
  let checkpointing: Promise<void> | null = null;
  const turns = createSemaphore(1);

  /**
   * The kernel may have dropped pages that it could not write, and reports that only once. What was committed since the
   * last sync may be lost, so nothing may be built on it.
   */
  const noteFailedSync = (error: unknown) => {
    log?.error({ err: error }, 'ALARM: the log of the database could not be synced; changes are refused');
    return (failure = new DatabaseUnavailable(error));
  };
  const syncLog = shareSyncs(async () => {
    try {
      logFile ??= await open(`${path}-wal`, 'r+');
      await sync(logFile);
    } catch (error) {
      throw noteFailedSync(error);
    }
  });
  const toPort = (error: unknown) => (isFailedSync(error) ? noteFailedSync(error) : translated(error));

  /** Opening again checks the sums of the log; what is whole is then written to the file and synced there. */
  const reopen = async () => {
    if (!failure) return;
    await options.closeReaders();
    connection.close();
    await logFile?.close();
    logFile = null;
    connection = await connect();
    if (!emptyLog(connection)) throw new DatabaseUnavailable('another process uses the log of the database');
    failure = null;
    log?.warn('the log of the database could be synced again; changes are accepted');
  };

  const noteCommit = (changes: bigint) => {
    pages += pagesOfCommit + Number(changes);
    if (pages < checkpointAfter || checkpointing || failure) return;
    pages = 0;
    checkpointing = checkpoint()
      .catch((error: unknown) => log?.warn({ err: error }, 'the log of the database could not be checkpointed'))
      .finally(() => (checkpointing = null));
  };
  /** The second one copies what was written beside the first, so that the next transaction begins the log anew. */
  const checkpoint = async () => {
    await options.checkpoint();
    await turns(options.checkpoint);
  };

  /** Waits for its turn and for the lock, and runs the first statement. */
  const enter = async <T>(first: () => T): Promise<readonly [T, leave: () => void]> => {
    const deadline = performance.now() + busyMs;
    const leave = await takeTurn(turns);
    try {
      if (performance.now() - yieldedAt > longestRun) {
        await immediate();
        yieldedAt = performance.now();
      }
      await reopen();
      return [await untilFree(first, deadline), leave];
    } catch (error) {
      leave();
      throw toPort(error);
    }
  };

  const begin = async () => {
    // A transaction that starts with a read and then writes fails if another process wrote in between, however long it
    // waits. Taking the write lock at once makes it wait instead.
    const [, leave] = await enter(() => connection.exec('begin immediate'));
    let changes = 0n;
    let isOver = false;
    const end = (how: 'commit' | 'rollback') => {
      isOver = true;
      try {
        if (how === 'commit' && failure) throw failure;
        // SQLite has already rolled back after some errors, such as a full disk.
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
        // Otherwise the remaining statements of a transaction that has ended would be committed one by one.
        if (!connection.isInTransaction()) throw new Error('The transaction has ended: no transaction is active');
        try {
          const result = connection.run<Row>(query);
          changes += result.numAffectedRows ?? BigInt(result.rows.length);
          return result;
        } catch (error) {
          throw toPort(error);
        }
      },
      async commit() {
        end('commit');
        noteCommit(changes);
        await syncLog();
      },
      /** Does nothing after `commit`, whether or not it has failed. */
      async rollback() {
        if (!isOver) end('rollback');
      },
    };
  };

  return {
    begin,
    /** Runs one statement outside of a transaction. */
    async run<Row>(query: Query): Promise<QueryResult<Row>> {
      const [result, leave] = await enter(() => connection.run<Row>(query));
      leave();
      noteCommit(result.numAffectedRows ?? 0n);
      await syncLog();
      return result;
    },
    /** Runs statements without parameters, in the open transaction if there is one. */
    runScript: (script: string) => connection.exec(script),
    async close() {
      await checkpointing;
      await turns(async () => syncLog().catch(() => {}));
      await logFile?.close();
      // The last connection to close would copy a log that may be damaged into the file.
      if (!failure) connection.close();
    },
  };
}

/** Copies the log into the file and syncs that; false if another process uses the log. */
function emptyLog(connection: SqliteConnection): boolean {
  const { rows } = connection.run<{ busy: number }>({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] });
  return rows[0]?.busy === 0;
}

/** Each call resolves after a sync that began after the call; calls that wait share one. A sync that fails, fails all. */
function shareSyncs(syncOnce: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const start = () => {
    next = null;
    running = syncOnce().finally(() => (running = null));
    // Its failure is also that of those that wait for the next one.
    running.catch(() => (next = null));
    return running;
  };
  return () => next ?? (running ? (next = running.then(start)) : start());
}
