import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { workerEnvironment } from '../config/workers.ts';
import { hours, minutes, seconds } from '../lib/clock.ts';
import type { Stop } from './worker.ts';

export interface Generation {
  readonly started: Promise<string>;
  stop(how: Stop): Promise<void>;
  kill(): void;
}

interface NewGeneration {
  readonly size: number;
  /** Then each worker has to be ready before it listens. */
  readonly takesOver: boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

const settledAfter = minutes(1);
const firstPause = seconds(0.25);
const longestPause = seconds(30);
const alarmingPause = seconds(4);

/** Longer than the worker itself allows its transfers. */
const killedAfter: Readonly<Record<Stop, number>> = {
  terminate: minutes(3),
  interrupt: minutes(1),
  'hand over': hours(1) + minutes(3),
};

/** The first worker migrates the database alone. */
export function startGeneration({ size, takesOver, log }: NewGeneration): Generation {
  const workers = new Map<number, Worker>();
  const serving = new Set<Worker>();
  const stopping = new AbortController();
  const kept: Promise<void>[] = [];
  const failed = Promise.withResolvers<never>();
  let haveStarted = false;

  const keep = async (number: number, noteServing: (greeting: string) => void): Promise<void> => {
    for (let pause = firstPause; ; pause = Math.min(pause * 2, longestPause)) {
      const startedAt = performance.now();
      const worker = cluster.fork(workerEnvironment({ number, takesOver: takesOver && !haveStarted }));
      workers.set(number, worker);
      closeLostConnections(worker);
      worker.on('message', (greeting: string) => {
        serving.add(worker);
        noteServing(greeting);
      });
      const reason = await endOf(worker);
      serving.delete(worker);
      workers.delete(number);
      if (!haveStarted) failed.reject(new Error(`worker ${number} ${reason}`));
      if (!haveStarted || stopping.signal.aborted) return;
      if (performance.now() - startedAt > settledAfter) pause = firstPause;
      const facts = { worker: number, pid: worker.process.pid, reason, againInMs: pause };
      if (pause < alarmingPause) log.warn(facts, 'a worker has ended, and is started again');
      else log.error(facts, 'ALARM: a worker ends whenever it is started');
      await wait(pause, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
    }
  };
  const start = (number: number) => new Promise<string>((resolve) => kept.push(keep(number, resolve)));
  const startAll = async () => {
    const greeting = await start(1);
    await Promise.all(Array.from({ length: size - 1 }, (_, at) => start(at + 2)));
    haveStarted = true;
    return greeting;
  };
  return {
    started: Promise.race([startAll(), failed.promise]),
    async stop(how) {
      stopping.abort();
      for (const worker of workers.values()) {
        if (serving.has(worker)) worker.send(how);
        else worker.process.kill('SIGTERM');
        setTimeout(() => worker.process.kill('SIGKILL'), killedAfter[how]).unref();
      }
      await Promise.all(kept);
    },
    kill() {
      for (const worker of workers.values()) worker.process.kill('SIGKILL');
    },
  };
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    // Also a message to one that has just ended.
    worker.on(
      'error',
      (error: Error) => worker.process.pid === undefined && resolve(`did not start: ${error.message}`),
    );
  });
}

/** node:cluster does not close a connection that it sent to a worker which ended before it took it. */
function closeLostConnections({ process: child }: Worker): void {
  const sent = new Map<unknown, { close(): void }>();
  const send = child.send.bind(child);
  child.send = (message: string | { act?: unknown; seq?: unknown }, handle?: unknown, ...others: unknown[]) => {
    if (typeof message === 'object' && message.act === 'newconn') sent.set(message.seq, handle as { close(): void });
    return send(message, handle as never, ...(others as never[]));
  };
  child.on('internalMessage', ({ ack }: { readonly ack?: unknown }) => sent.delete(ack));
  for (const end of ['exit', 'disconnect'])
    child.once(end, () => {
      for (const handle of sent.values()) handle.close();
      sent.clear();
    });
}
