/** What a worker of the browser tests makes once. A fixture of the scope 'worker' would give its file a worker of its own. */
export interface Keeper {
  /** Returns what the worker has made under this name, or makes it now. It is kept until the worker ends. */
  keep<T>(name: string, make: () => Promise<T>): Promise<T>;
  /** The same for servers, which `own` ends before the first test of another file. */
  run<T>(name: string, make: (own: AsyncDisposableStack) => Promise<T>): Promise<T>;
}

export interface WorkerKeeper extends AsyncDisposable {
  /** The keeper for a test of this file. */
  of(file: string): Promise<Keeper>;
}

export function openKeeper(): WorkerKeeper {
  const kept = new Map<string, Promise<unknown>>();
  const running = new Map<string, Promise<unknown>>();
  let own = new AsyncDisposableStack();
  let current = '';

  const once = async <T>(all: Map<string, Promise<unknown>>, name: string, make: () => Promise<T>): Promise<T> => {
    const made = all.get(name) ?? make();
    all.set(name, made);
    return (await made) as T;
  };
  const keeper: Keeper = {
    keep: (name, make) => once(kept, name, make),
    run: (name, make) => once(running, name, () => make(own)),
  };
  const endRunning = async () => {
    const ended = own;
    own = new AsyncDisposableStack();
    running.clear();
    await ended.disposeAsync();
  };
  return {
    async of(file) {
      if (file !== current) await endRunning();
      current = file;
      return keeper;
    },
    [Symbol.asyncDispose]: endRunning,
  };
}
