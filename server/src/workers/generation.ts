import type { Logger } from 'pino';
import type { Stop } from '../engines/parent/parent.ts';
import { createRestarts } from './restarts.ts';
import { type Shared, startWorker, type Worker, type WorkerEnd } from './start-worker.ts';

/** The workers of one start or handover. */
export interface Generation {
  /** One for each number; null while it is started again. */
  readonly workers: readonly (Worker | null)[];
  /** Resolves when all listen, with what the first one prints. Rejects with StartFailed if that is hopeless. */
  readonly started: Promise<string>;
  /** Resolves when no worker serves, and starting again has become hopeless. */
  readonly failed: Promise<StartFailed>;
  /** Starts none again, and resolves when all have ended. */
  stop(how: Stop): Promise<void>;
  kill(): void;
}

export interface NewGeneration {
  readonly size: number;
  /** Whether it takes over from others. Then the first worker that fails ends the start. */
  readonly takesOver: boolean;
  readonly log: Logger;
  readonly share: (worker: Worker) => Shared;
}

/** No worker can start. The message is the worker's own. */
export class StartFailed extends Error {
  override readonly name = 'StartFailed';
  readonly isSetting: boolean;

  constructor({ reason, isSetting }: Pick<WorkerEnd, 'reason' | 'isSetting'>) {
    super(reason);
    this.isSetting = isSetting;
  }
}

/**
 * Starts the first worker alone, because it migrates the database and creates what a first start has to, and the others
 * after it listens. Each one that ends is started again, after growing pauses.
 */
export function startGeneration({ size, takesOver, log, share }: NewGeneration): Generation {
  const workers: (Worker | null)[] = Array.from({ length: size }, () => null);
  const failed = Promise.withResolvers<StartFailed>();
  const stopping = new AbortController();
  const kept: Promise<void>[] = [];
  let hasStarted = false;

  const keep = async (number: number, listens: (greeting: string) => void): Promise<void> => {
    const restarts = createRestarts();
    while (!stopping.signal.aborted) {
      const worker = startWorker({ number, whenReady: takesOver, share });
      workers[number - 1] = worker;
      void worker.listening.then(listens);
      const end = await worker.ended;
      workers[number - 1] = null;
      if (stopping.signal.aborted) return;
      const pauseMs = restarts.noteEnd(end);
      const othersServe = workers.some((other) => other?.isListening);
      const isHopeless = restarts.isLoop() || (!end.hasListened && end.isSetting);
      if ((takesOver && !hasStarted) || (isHopeless && !othersServe)) return failed.resolve(new StartFailed(end));
      const facts = { worker: number, pid: worker.pid, reason: end.reason, againInMs: pauseMs };
      if (restarts.isLoop()) log.error(facts, 'ALARM: a worker ends whenever it is started');
      else log.warn(facts, 'a worker has ended, and is started again');
      await pause(pauseMs, stopping.signal);
    }
  };
  const start = (number: number): Promise<string> => new Promise((resolve) => kept.push(keep(number, resolve)));
  const startAll = async (): Promise<string> => {
    const greeting = await start(1);
    await Promise.all(workers.slice(1).map((_, at) => start(at + 2)));
    hasStarted = true;
    return greeting;
  };
  const started = Promise.race([startAll(), failed.promise.then((error) => Promise.reject(error))]);
  // It is awaited where a start has consequences.
  started.catch(() => {});
  return {
    workers,
    started,
    failed: failed.promise,
    async stop(how) {
      stopping.abort();
      for (const worker of workers) worker?.stop(how);
      await Promise.all(kept);
    },
    kill() {
      for (const worker of workers) worker?.kill();
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}
