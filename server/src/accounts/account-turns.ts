import { Failure } from '@holdfast/contract/src/errors.ts';
import { DatabaseUnavailable } from '../engines/database/database.ts';

/**
 * Runs `work` in the account's turn.
 * @throws {Failure} RATE_LIMITED when as many as may wait do so.
 */
export type InTurn = <T>(accountId: string, work: () => Promise<T>) => Promise<T>;

interface Waiter {
  readonly start: () => void;
  readonly refuse: (reason: Error) => void;
}

/**
 * Lets some work of each account run one after the other: its long reads, so that it uses one of the threads or
 * connections that read, and its changes, because each of them locks the account's row, and all that wait for this row
 * in the database hold a connection that other accounts need. When the database is unavailable to one of them, those
 * behind it would wait for the same row in vain, so they are refused as well. After work of some milliseconds, the
 * account's next work waits for as many as `pauseAfter` returns.
 */
export function createAccountTurns(mostWaiting: number, pauseAfter: (workedMs: number) => number = () => 0): InTurn {
  const accounts = new Map<string, Waiter[]>();

  async function turnOf(accountId: string): Promise<void> {
    const waiting = accounts.get(accountId);
    if (!waiting) return void accounts.set(accountId, []);
    if (waiting.length >= mostWaiting) throw new Failure('RATE_LIMITED', undefined, { retryAfterSeconds: 1 });
    await new Promise<void>((start, refuse) => waiting.push({ start, refuse }));
  }

  function passOn(accountId: string, pauseMs = 0): void {
    if (pauseMs > 0) return void setTimeout(passOn, pauseMs, accountId).unref();
    const next = accounts.get(accountId)?.shift();
    if (next) next.start();
    else accounts.delete(accountId);
  }

  return async (accountId, work) => {
    await turnOf(accountId);
    const startedAt = performance.now();
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable)
        for (const { refuse } of accounts.get(accountId)?.splice(0) ?? []) refuse(error);
      throw error;
    } finally {
      passOn(accountId, pauseAfter(performance.now() - startedAt));
    }
  };
}

const ordinaryRead = 50;
const longestPause = 1_000;

/**
 * After a long read, such as a search in 100,000 files, the next one of the account waits twice as long as it took,
 * a second at most. So reads of up to half a second use a third of a processor, however many the account asks for.
 */
export const pauseAfterRead = (workedMs: number): number =>
  workedMs > ordinaryRead ? Math.min(2 * workedMs, longestPause) : 0;
