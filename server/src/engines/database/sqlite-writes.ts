import { CompiledQuery, type QueryResult } from 'kysely';
import { execute } from './sqlite-statement.ts';
import { DatabaseUnavailable } from './database.ts';
import { hasEndedTransaction, type SqliteThread } from './sqlite-thread.ts';

/**
 * The writes of a SQLite database, one after the other. Transactions that wait for their turn share one commit with the
 * one before them, and so one sync of the disk. Each of them is a savepoint, so one that fails takes nothing of the
 * others with it, and each resolves only after the commit.
 */
export interface SqliteWrites {
  /** Waits for the turn of a transaction. */
  begin(): Promise<SqliteTransaction>;
  /** Runs one statement outside of a transaction. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
}

export interface SqliteTransaction {
  /** @throws {SharedCommitFailed} if SQLite has rolled back the transaction together with others. */
  run<Row>(query: CompiledQuery): Promise<QueryResult<Row>>;
  /** @throws {SharedCommitFailed} if nothing of the transactions that shared the commit was kept. */
  commit(): Promise<void>;
  /** Does nothing after `commit`, whether or not it has failed. */
  rollback(): Promise<void>;
}

/**
 * Nothing of several transactions was kept, because their commit has failed or one of them has ended it. Each must run
 * again. The next ones commit alone, so that those that fit on the disk are kept.
 */
export class SharedCommitFailed extends Error {
  override readonly name = 'SharedCommitFailed';

  constructor(cause: unknown) {
    super('A commit that several transactions share has failed', { cause });
  }
}

/** Bounds how long the first of the transactions waits for the last. */
const mostShared = 64;
const longestMs = 20;
/** Time in which the transactions of a failed commit have run again. */
const aloneForMs = 1_000;
const mostTries = 5;

interface SharedCommit {
  readonly thread: SqliteThread;
  readonly openedAt: number;
  /** Number of finished transactions that will be committed. */
  size: number;
  /** The error with which SQLite has rolled back all of them. */
  lost: unknown;
  readonly committed: PromiseWithResolvers<void>;
}

interface Turn {
  readonly shared: SharedCommit;
  readonly begun: Promise<unknown>;
  /** False for the first one, whose rollback is that of the whole transaction of SQLite. */
  readonly isSavepoint: boolean;
}

const begin = CompiledQuery.raw('begin immediate');
const save = CompiledQuery.raw('savepoint one');
const release = CompiledQuery.raw('release one');
const undo = CompiledQuery.raw('rollback to one');
const undoAll = CompiledQuery.raw('rollback');

export function createSqliteWrites(writer: () => SqliteThread): SqliteWrites {
  const queue: (() => void)[] = [];
  let isTaken = false;
  let open: SharedCommit | null = null;
  let aloneUntil = 0;

  async function enter(): Promise<{ waitedMs: number }> {
    const arrivedAt = performance.now();
    if (isTaken) await new Promise<void>((resolve) => queue.push(resolve));
    isTaken = true;
    return { waitedMs: performance.now() - arrivedAt };
  }

  /** The turn passes directly to the next one, so that a newcomer cannot slip in between. */
  function leave(): void {
    const next = queue.shift();
    if (next) next();
    else isTaken = false;
  }

  /**
   * The first statement does not wait for the reply to `begun` before it is sent: the thread refuses it if no
   * transaction was opened, and the caller sees the reason for that.
   */
  function startTurn(about: { waitedMs: number }, savesItself: boolean): Turn {
    const isFirst = open === null;
    const shared = (open ??= {
      thread: writer(),
      openedAt: performance.now(),
      size: 0,
      lost: null,
      committed: Promise.withResolvers(),
    });
    shared.committed.promise.catch(() => {});
    // A transaction that starts with a read and then writes fails if another process wrote in between, however long it
    // waits. Taking the write lock at once makes it wait instead.
    const begun = isFirst
      ? execute(shared.thread, begin, about)
      : savesItself
        ? execute(shared.thread, save, { inTransaction: true })
        : Promise.resolve();
    begun.catch(() => {});
    return { shared, begun, isSavepoint: !isFirst && savesItself };
  }

  async function runIn<Row>({ shared, begun }: Turn, query: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const [, result] = await Promise.all([begun, execute<Row>(shared.thread, query, { inTransaction: true })]);
      return result;
    } catch (error) {
      if (!hasEndedTransaction(error) || shared.size === 0) throw error;
      // The first one is the reason; the statements sent after it only find no transaction.
      shared.lost ??= error;
      throw new SharedCommitFailed(error);
    }
  }

  /** Its transaction is committed with the next ones, or now if nobody waits or the first one has waited long enough. */
  function endTurn(shared: SharedCommit): void {
    const now = performance.now();
    const goesOn =
      queue.length > 0 && shared.size < mostShared && now - shared.openedAt < longestMs && now > aloneUntil;
    if (!goesOn) {
      open = null;
      // The thread rolls back if the commit fails, so the next transaction can follow without waiting for the reply.
      shared.thread.ask({ kind: 'commit', sql: '', parameters: [] }).then(
        () => shared.committed.resolve(),
        (error: unknown) => giveUp(shared, error, shared.size > 1),
      );
    }
    leave();
  }

  function giveUp(shared: SharedCommit, error: unknown, isShared: boolean): void {
    // If the thread has died, nobody knows whether the commit was kept.
    const mayRunAgain = isShared && !(error instanceof DatabaseUnavailable);
    if (mayRunAgain) aloneUntil = performance.now() + aloneForMs;
    shared.committed.reject(mayRunAgain ? new SharedCommitFailed(error) : error);
  }

  async function undoTurn(turn: Turn): Promise<void> {
    const { shared } = turn;
    if (shared.size > 0 && (await undoAlone(turn))) return endTurn(shared);
    open = null;
    await execute(shared.thread, undoAll).catch(ignoreEnded).finally(leave);
  }

  /** Returns whether the transactions before it can still be committed. */
  async function undoAlone({ shared, isSavepoint }: Turn): Promise<boolean> {
    try {
      if (shared.lost !== null) throw shared.lost;
      if (isSavepoint)
        await Promise.all([undo, release].map((query) => execute(shared.thread, query, { inTransaction: true })));
      return true;
    } catch (error) {
      giveUp(shared, error, true);
      return false;
    }
  }

  async function runOnce<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const about = await enter();
    if (open === null && queue.length === 0) return execute<Row>(writer(), query, about).finally(leave);
    // A statement that fails changes nothing, so it needs no savepoint.
    const turn = startTurn(about, false);
    const result = await runIn<Row>(turn, query).catch(async (error: unknown) => {
      await undoTurn(turn);
      throw error;
    });
    turn.shared.size += 1;
    endTurn(turn.shared);
    await turn.shared.committed.promise;
    return result;
  }

  return {
    async begin() {
      const turn = startTurn(await enter(), true);
      const { shared, begun } = turn;
      let isOver = false;
      return {
        run: (query) => runIn(turn, query),
        async commit() {
          isOver = true;
          if (shared.lost !== null) {
            await undoTurn(turn);
            throw new SharedCommitFailed(shared.lost);
          }
          // If this fails, the commit fails too.
          if (turn.isSavepoint) execute(shared.thread, release, { inTransaction: true }).catch(() => {});
          shared.size += 1;
          endTurn(shared);
          await Promise.all([begun, shared.committed.promise]);
        },
        async rollback() {
          if (isOver) return;
          isOver = true;
          await undoTurn(turn);
        },
      };
    },
    async run<Row>(query: CompiledQuery) {
      for (let tries = 1; ; tries += 1)
        try {
          return await runOnce<Row>(query);
        } catch (error) {
          if (!(error instanceof SharedCommitFailed) || tries === mostTries) throw error;
        }
    },
  };
}

/** When the disk is full, SQLite has already rolled back. The error that reports this must not hide the cause. */
function ignoreEnded(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('no transaction is active'))) throw error;
}
