import { Worker, type WorkerOptions } from 'node:worker_threads';

export type Thread<Reply extends object> = ReturnType<typeof startThread<Reply>>;

/**
 * Starts a thread that replies to messages in their order, with an `error` if it could not do one. It keeps the process
 * alive only while a reply is due.
 */
export function startThread<Reply extends object>(
  program: URL,
  options: WorkerOptions,
  failureOf: (cause: unknown) => Error,
) {
  const worker = new Worker(program, options);
  const due: PromiseWithResolvers<Reply | { readonly error: { readonly message: string } }>[] = [];
  let cause: unknown;
  let failure: Error | null = null;
  worker.on('error', (error) => (cause = error));
  // Only then nothing of it runs any more.
  worker.on('exit', () => {
    failure = failureOf(cause);
    for (const { reject } of due.splice(0)) reject(failure);
  });
  worker.on('message', (reply: Reply) => {
    due.shift()?.resolve(reply);
    if (due.length === 0) worker.unref();
  });
  worker.unref();
  return {
    failure: () => failure,
    async ask(message: object, transferred: readonly ArrayBuffer[] = []): Promise<Reply> {
      if (failure) throw failure;
      const asked: (typeof due)[number] = Promise.withResolvers();
      due.push(asked);
      worker.ref();
      worker.postMessage(message, transferred);
      const reply = await asked.promise;
      if ('error' in reply) throw Object.assign(new Error(reply.error.message), reply.error);
      return reply;
    },
    tell: (message: object) => worker.postMessage(message, []),
    end: () => worker.terminate(),
  };
}
