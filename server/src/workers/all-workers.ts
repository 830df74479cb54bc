import type { Logger } from 'pino';
import { loadWorkers } from '../config/read-workers.ts';
import type { Stop } from '../engines/parent/parent.ts';
import { type Generation, startGeneration, type StartFailed } from './generation.ts';
import { createSharedWork } from './share-work.ts';

/** All workers of a parent: a generation that serves, one that takes over from it, and those that are ending. */
export interface AllWorkers {
  /** Resolves with what the first worker prints when all of them listen. */
  start(count: number): Promise<string>;
  /** Resolves when no worker serves, and starting again is hopeless. */
  readonly failed: Promise<StartFailed>;
  /**
   * Starts new workers, with the program and the settings as they are now. When all of them are ready, the old ones
   * end in order. If one is not, the old ones stay.
   */
  handOver(): Promise<void>;
  /** Resolves when all have ended. */
  stop(how: Stop): Promise<void>;
  kill(): void;
}

export function openAllWorkers(log: Logger): AllWorkers {
  const generations = new Set<Generation>();
  const failed = Promise.withResolvers<StartFailed>();
  let current: Generation | null = null;
  let isHandingOver = false;
  let isAskedAgain = false;

  const share = createSharedWork({
    serving: () => current?.workers ?? [],
    running: () => [...generations].flatMap(({ workers }) => workers.filter((worker) => worker !== null)),
  });
  const begin = (size: number, takesOver: boolean): Generation => {
    const generation = startGeneration({ size, takesOver, log, share });
    generations.add(generation);
    void generation.failed.then((error) => generation === current && failed.resolve(error));
    return generation;
  };
  const end = async (generation: Generation): Promise<void> => {
    await generation.stop('hand over');
    generations.delete(generation);
  };
  const replace = async (): Promise<void> => {
    const old = current;
    await old?.started;
    const next = begin(loadWorkers() ?? 1, true);
    log.info({ workers: next.workers.length }, 'new workers are started, and take over when they are ready');
    try {
      await next.started;
    } catch (error) {
      void end(next);
      throw error;
    }
    current = next;
    log.info({ workers: next.workers.length }, 'the new workers have taken over');
    if (old) void end(old);
  };
  return {
    async start(count) {
      current = begin(count, false);
      return current.started;
    },
    failed: failed.promise,
    async handOver() {
      isAskedAgain = isHandingOver;
      if (isHandingOver) return;
      isHandingOver = true;
      try {
        await replace();
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        log.error({ reason }, 'ALARM: the new workers could not take over, so the old ones stay');
      }
      isHandingOver = false;
      if (isAskedAgain) await this.handOver();
    },
    async stop(how) {
      await Promise.all([...generations].map((generation) => generation.stop(how)));
    },
    kill() {
      for (const generation of generations) generation.kill();
    },
  };
}
