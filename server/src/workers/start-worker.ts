import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { workerVariable } from '../config/read-workers.ts';
import type { FailedStart, ParentFunctions, Stop, WorkerFunctions } from '../engines/parent/parent.ts';
import { hours, minutes } from '../lib/clock.ts';
import { type Handlers, type MessageCalls, openMessageCalls } from '../lib/message-calls.ts';

/** A worker process, from its start to its end. */
export interface Worker {
  /** From 1 in each generation. */
  readonly number: number;
  readonly pid: number;
  readonly isListening: boolean;
  readonly call: MessageCalls<WorkerFunctions>['call'];
  /** Resolves when it listens, with what its start prints; never if it ends before that. */
  readonly listening: Promise<string>;
  readonly ended: Promise<WorkerEnd>;
  /** Lets the worker end when it has served what it has begun. One that does not listen yet ends at once. */
  stop(how: Stop): void;
  kill(): void;
}

export interface WorkerEnd {
  readonly hasListened: boolean;
  readonly livedMs: number;
  /** How the process ended, or why its start failed. */
  readonly reason: string;
  readonly isSetting: boolean;
}

/** What the parent does for a worker besides starting and ending it. */
export type Shared = Omit<Handlers<ParentFunctions>, 'opened' | 'listens' | 'failed'>;

export interface NewWorker {
  readonly number: number;
  /** Whether it must be ready before it listens, because others serve. */
  readonly whenReady: boolean;
  readonly share: (worker: Worker) => Shared;
}

/** A worker that hangs at its end is killed. Each time is longer than the worker itself allows its transfers. */
const killedAfter: Readonly<Record<Stop, number>> = {
  terminate: minutes(3),
  interrupt: minutes(1),
  'hand over': hours(1) + minutes(3),
};

export function startWorker({ number, whenReady, share }: NewWorker): Worker {
  const startedAt = performance.now();
  const child = cluster.fork({ [workerVariable]: String(number) });
  closeLostConnections(child);
  const listening = Promise.withResolvers<string>();
  let hasListened = false;
  let isStopping = false;
  let failure: FailedStart | null = null;
  const ended = endOf(child).then((how): WorkerEnd => {
    calls.close();
    const { reason = how, isSetting = false } = failure ?? {};
    return { hasListened, livedMs: performance.now() - startedAt, reason, isSetting };
  });
  const worker: Worker = {
    number,
    pid: child.process.pid ?? 0,
    get isListening() {
      return hasListened && !isStopping && !child.isDead();
    },
    call: (name, input) => calls.call(name, input),
    listening: listening.promise,
    ended,
    stop(how) {
      isStopping = true;
      if (!hasListened) return void child.process.kill('SIGTERM');
      calls.call('stop', { how }).catch(() => {});
      const timer = setTimeout(() => child.process.kill('SIGKILL'), killedAfter[how]).unref();
      void ended.then(() => clearTimeout(timer));
    },
    kill: () => void child.process.kill('SIGKILL'),
  };
  const calls = openMessageCalls<WorkerFunctions, ParentFunctions>(
    (message, done) => void child.send(message, undefined, undefined, done),
    {
      ...share(worker),
      opened: () => ({ whenReady }),
      listens({ greeting }) {
        hasListened = true;
        listening.resolve(greeting);
        return null;
      },
      failed(said) {
        failure = said;
        return null;
      },
    },
  );
  child.on('message', (message) => calls.receive(message));
  return worker;
}

/** Resolves with a sentence that says how the process ended, or why it could not be started. */
function endOf(child: ClusterWorker): Promise<string> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(signal ? `it was ended by ${signal}.` : `it ended with status ${code}.`),
    );
    // A message to a worker that has just ended is an error, too, and its end follows.
    child.on('error', (error: Error) => child.process.pid === undefined && resolve(`${error.message}.`));
  });
}

/**
 * node:cluster forgets a connection that it has sent to a worker that ends before it has taken it, and does not close it:
 * its client would wait until its own limit.
 */
function closeLostConnections({ process: child }: ClusterWorker): void {
  const sent = new Map<unknown, { close(): void }>();
  const send = child.send.bind(child);
  child.send = (message: object, handle?: unknown, ...others: unknown[]) => {
    if ('act' in message && message.act === 'newconn' && 'seq' in message)
      sent.set(message.seq, handle as { close(): void });
    return send(message, handle as never, ...(others as never[]));
  };
  child.on('internalMessage', ({ ack }: { readonly ack?: unknown }) => sent.delete(ack));
  for (const end of ['exit', 'disconnect'])
    child.once(end, () => {
      for (const handle of sent.values()) handle.close();
      sent.clear();
    });
}
