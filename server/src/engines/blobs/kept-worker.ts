import { Worker } from 'node:worker_threads';

export interface KeptWorker extends AsyncDisposable {
  /** Returns the running thread; starts one if there is none, or the last one has died. */
  running(): Worker;
}

/** One thread, which starts when it is first needed and never keeps the process alive. */
export function keepWorker(program: URL): KeptWorker {
  let worker: Worker | null = null;
  return {
    running() {
      if (worker) return worker;
      const started = new Worker(program);
      // Its calls fail because their ports close; the next call starts another thread.
      started.on('error', () => {});
      started.on('exit', () => {
        if (worker === started) worker = null;
      });
      started.unref();
      worker = started;
      return started;
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate();
    },
  };
}
