/** Several servers on one port: node:cluster passes each connection to one in turn. */
import { messageOf } from '../lib/message-of.ts';
import cluster, { type Worker } from 'node:cluster';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { settingsArguments } from '../config/settings-file.ts';
import { loadWorkers, workerEnvironment } from '../config/workers.ts';
import { hours, minutes, seconds } from '../lib/clock.ts';
import { logDestination } from '../lib/log-destination.ts';
import { openLog } from '../lib/open-log.ts';
import { standardOutput } from '../lib/standard-streams.ts';
import type { Stop } from './worker.ts';

const entry = fileURLToPath(new URL('../main.ts', import.meta.url));

export async function runWorkers(count: number): Promise<void> {
  cluster.schedulingPolicy = cluster.SCHED_RR;
  // An upgrade may have put another folder there.
  cluster.setupPrimary({ exec: entry, args: [...settingsArguments], cwd: process.cwd() });
  const log = openLog(logDestination());
  let current = startGeneration(count, false, log);
  const running = new Set([current]);
  let handovers: Promise<void> = Promise.resolve();
  let isStopping = false;

  const end = async (generation: typeof current, how: Stop) => {
    await generation.stop(how);
    running.delete(generation);
  };
  /** If the new workers cannot serve, the old ones stay. */
  const handOver = async () => {
    await current.started;
    if (isStopping) return;
    try {
      const newer = startGeneration(loadWorkers() ?? 1, true, log);
      running.add(newer);
      await newer.started.catch((error: unknown) => {
        void end(newer, 'terminate');
        throw error;
      });
      log.info('the new workers have taken over');
      void end(current, 'hand over');
      current = newer;
    } catch (error) {
      const reason = messageOf(error);
      if (!isStopping) log.error({ reason }, 'ALARM: the new workers could not take over, so the old ones stay');
    }
  };
  const stop = async (how: Stop, status = 0) => {
    if (isStopping) {
      for (const worker of Object.values(cluster.workers ?? {})) worker?.process.kill('SIGKILL');
      process.exit(1);
    }
    isStopping = true;
    await Promise.all([...running].map((generation) => generation.stop(how)));
    process.exit(status);
  };
  process.on('SIGTERM', () => void stop('terminate')).on('SIGINT', () => void stop('interrupt'));
  process.on('SIGHUP', () => {
    // The terminal was closed. Elsewhere, the signal asks for a handover.
    if (process.stdin.isTTY) void stop('interrupt');
    else handovers = handovers.then(handOver);
  });
  try {
    standardOutput.write(`${await current.started}\n`);
  } catch {
    if (!isStopping) await stop('terminate', 1);
  }
}

const settledAfter = minutes(1);
const longestPause = seconds(30);

/** The first worker migrates the database alone. */
function startGeneration(size: number, takesOver: boolean, log: Pick<Logger, 'warn' | 'error'>) {
  const workers = new Map<Worker, { serves: boolean }>();
  const stopping = new AbortController();
  const kept: Promise<void>[] = [];
  const failed = Promise.withResolvers<never>();
  let haveStarted = false;

  const run = async (number: number, noteServing: (greeting: string) => void): Promise<void> => {
    const worker = cluster.fork(workerEnvironment({ number, takesOver: takesOver && !haveStarted }));
    workers.set(worker, { serves: false });
    closeLostConnections(worker);
    worker.on('message', (greeting: string) => {
      workers.set(worker, { serves: true });
      noteServing(greeting);
    });
    const reason = await endOf(worker);
    workers.delete(worker);
    if (!haveStarted) failed.reject(new Error(`worker ${number} ${reason}`));
    else if (!stopping.signal.aborted)
      log.warn({ worker: number, pid: worker.process.pid, reason }, 'a worker has ended');
  };
  const keep = async (number: number, noteServing: (greeting: string) => void): Promise<void> => {
    for (let pause = seconds(0.25); ; pause = Math.min(pause * 2, longestPause)) {
      const startedAt = performance.now();
      await run(number, noteServing);
      if (!haveStarted || stopping.signal.aborted) return;
      if (performance.now() - startedAt > settledAfter) pause = seconds(0.25);
      if (pause >= seconds(4)) log.error({ worker: number }, 'ALARM: a worker ends whenever it is started');
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
    async stop(how: Stop): Promise<void> {
      stopping.abort();
      for (const [worker, { serves }] of workers) {
        if (serves) worker.send(how);
        else worker.process.kill('SIGTERM');
        // One that hangs: each has less time for its transfers.
        const longest = how === 'hand over' ? hours(1) + minutes(3) : minutes(3);
        setTimeout(() => worker.process.kill('SIGKILL'), longest).unref();
      }
      await Promise.all(kept);
    },
  };
}

function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
    // Also a message to one that has just ended.
    worker.on('error', ({ message }) => worker.process.pid ?? resolve(`did not start: ${message}`));
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
