import { open, type FileHandle } from 'node:fs/promises';
import type { CompiledQuery, QueryResult } from 'kysely';
import type { Logger } from 'pino';
import { DatabaseUnavailable } from './database.ts';
import { openConnection, type SqliteConnection, translated, untilFree } from './sqlite-connection.ts';

/**
 * The writes of a process to a SQLite file, one transaction after the other, on one connection in the event loop. Each
 * resolves once it is on the disk: SQLite's own commits wait for no disk (`synchronous = NORMAL`), and one sync of the
 * log, in the thread pool, makes all commits durable that came before it began.
 */
export interface SqliteWriter {
  begin(): Promise<SqliteTransaction>;
  /** Runs one statement outside of a transaction. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /** Runs statements without parameters, in the open transaction if there is one. */
  runScript(script: string): void;
  close(): Promise<void>;
}

export interface SqliteTransaction {
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  commit(): Promise<void>;
  /** Does nothing after `commit`, whether or not it has failed. */
  rollback(): Promise<void>;
}

export interface WriterOptions {
  readonly path: string;
  readonly pragmas: readonly string[];
  /** Milliseconds that a transaction waits for its turn and for the lock of another process. */
  readonly busyMs: number;
  readonly log: Pick<Logger, 'error' | 'warn'> | undefined;
  readonly durability: Durability;
}

export interface Durability {
  /** Copies pages of the log into the file, in a thread. */
  checkpoint(): Promise<void>;
  /** Closes the other connections of this process; they open again when they are used. */
  closeOthers(): Promise<void>;
  /** Syncs the log; a test may let it fail. */
  readonly sync?: (log: FileHandle) => Promise<void>;
}

/** In pages, estimated: each row that changes is one, and each commit a few more. 4,000 are 16 MB. */
const checkpointAfter = 4_000;
const pagesOfCommit = 4;
/** Milliseconds that waiting transactions may follow each other before other work gets a turn of the event loop. */
const longestRun = 10;
const reopenEvery = 1_000;

export async function openWriter({ path, pragmas, busyMs, log, durability }: WriterOptions): Promise<SqliteWriter> {
  const connect = () => untilFree(() => openConnection(path, pragmas), performance.now() + busyMs);
  let connection = await connect();
  // An earlier process may not have been able to sync it.
  emptyLog(connection, 'unless it is in use');
  let logFile: FileHandle | null = null;
  let failure: DatabaseUnavailable | null = null;
  let reopenedAt = -Infinity;
  let pages = 0;
  let checkpointing: Promise<void> | null = null;
  const turns = createTurns();

  const sync = shareSyncs(async () => {
    try {
      logFile ??= await open(`${path}-wal`, 'r+');
      await (durability.sync ?? datasync)(logFile);
    } catch (error) {
      // The kernel may have dropped pages that it could not write, and reports that only once. What was committed since the
      // last sync may be lost, so nothing may be built on it.
      log?.error({ err: error }, 'ALARM: the log of the database could not be synced; changes are refused');
      failure = new DatabaseUnavailable(error);
      throw failure;
    }
  });

  /** Opening again checks the sums of the log; what is whole is then written to the file and synced there. */
  const reopen = async () => {
    if (!failure) return;
    if (performance.now() - reopenedAt < reopenEvery) throw failure;
    reopenedAt = performance.now();
    await durability.closeOthers();
    connection.close();
    await logFile?.close();
    logFile = null;
    connection = await connect();
    emptyLog(connection);
    failure = null;
    log?.warn('the log of the database could be synced again; changes are accepted');
  };

  const noteCommit = (changes: bigint | number = 0) => {
    pages += pagesOfCommit + Number(changes);
    if (pages < checkpointAfter || checkpointing || failure) return;
    pages = 0;
    checkpointing = checkpoint()
      .catch((error: unknown) => log?.warn({ err: error }, 'the log of the database could not be checkpointed'))
      .finally(() => (checkpointing = null));
  };
  /** The second one copies what was written beside the first, so that the next transaction begins the log anew. */
  const checkpoint = async () => {
    await durability.checkpoint();
    await turns.enter();
    await durability.checkpoint().finally(() => turns.leave());
  };

  /** Waits for the turn of a transaction, and runs its first statement. */
  const takeTurn = async <T>(first: () => T): Promise<T> => {
    const deadline = performance.now() + busyMs;
    await turns.enter();
    try {
      if (failure) await reopen();
      return await untilFree(first, deadline);
    } catch (error) {
      turns.leave();
      throw error;
    }
  };
  const undo = () => {
    // SQLite has already rolled back after some errors, such as a full disk.
    if (connection.isInTransaction()) connection.exec('rollback');
  };

  return {
    async begin() {
      // A transaction that starts with a read and then writes fails if another process wrote in between, however long
      // it waits. Taking the write lock at once makes it wait instead.
      await takeTurn(() => connection.exec('begin immediate'));
      let isOver = false;
      let changes = 0n;
      return {
        async run<Row>(query: CompiledQuery) {
          // Otherwise the remaining statements of a transaction that has ended would be committed one by one.
          if (!connection.isInTransaction()) throw new Error('The transaction has ended: no transaction is active');
          try {
            const result = connection.run<Row>(query);
            changes += result.numAffectedRows ?? BigInt(result.rows.length);
            return result;
          } catch (error) {
            throw translated(error);
          }
        },
        async commit() {
          isOver = true;
          try {
            if (failure) throw failure;
            connection.exec('commit');
          } catch (error) {
            undo();
            throw error;
          } finally {
            turns.leave();
          }
          noteCommit(changes);
          await sync();
        },
        async rollback() {
          if (isOver) return;
          isOver = true;
          undo();
          turns.leave();
        },
      };
    },
    async run<Row>(query: CompiledQuery) {
      const result = await takeTurn(() => connection.run<Row>(query));
      turns.leave();
      noteCommit(result.numAffectedRows);
      await sync();
      return result;
    },
    runScript: (script) => connection.exec(script),
    async close() {
      await checkpointing;
      await turns.enter();
      await sync().catch(() => {});
      await logFile?.close();
      // The last connection to close would copy a log that may be damaged into the file.
      if (!failure) connection.close();
    },
  };
}

const datasync = (log: FileHandle) => log.datasync();

/** Copies the log into the file and syncs that. */
function emptyLog(connection: SqliteConnection, when?: 'unless it is in use'): void {
  const { rows } = connection.run<{ busy: number }>({ sql: 'PRAGMA wal_checkpoint(TRUNCATE)', parameters: [] });
  if (rows[0]?.busy && !when) throw new DatabaseUnavailable(new Error('another process uses the log of the database'));
}

/** Turns to write, in order of arrival. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let isTaken = false;
  let runSince = 0;
  return {
    async enter() {
      if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
      else runSince = performance.now();
      isTaken = true;
    },
    /** The turn passes directly to the next one, so that a newcomer cannot slip in between. */
    leave() {
      const next = waiting.shift();
      if (!next) isTaken = false;
      else if (performance.now() - runSince < longestRun) next();
      else
        setImmediate(() => {
          runSince = performance.now();
          next();
        });
    },
  };
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
