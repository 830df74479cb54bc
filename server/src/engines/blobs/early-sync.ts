import type { FileHandle } from 'node:fs/promises';

/** Writes a file back while it still grows, so that its last sync has little left to do. */
export interface EarlySync extends AsyncDisposable {
  /** @throws the error of a sync that has failed. */
  noteWritten(bytes: number): void;
  /**
   * Waits for a running sync.
   * @throws the error of a sync that has failed. The file must not be synced again: the kernel may have dropped pages.
   */
  end(): Promise<void>;
}

export type StartEarlySync = (file: Pick<FileHandle, 'datasync'>) => EarlySync;

const syncEveryBytes = 16 * 1024 * 1024;
/** Each occupies one of the threads that all other file calls share, for as long as the disk takes. */
const mostAtOnce = 2;

export function openEarlySyncs(): StartEarlySync {
  let atOnce = 0;
  return (file) => {
    let unsynced = 0;
    let running: Promise<void> | null = null;
    const failed: { error: unknown }[] = [];

    async function sync(): Promise<void> {
      atOnce += 1;
      unsynced = 0;
      await file.datasync().catch((error: unknown) => failed.push({ error }));
      atOnce -= 1;
      running = null;
    }

    function throwFailure(): void {
      for (const { error } of failed) throw error;
    }

    return {
      noteWritten(bytes) {
        throwFailure();
        unsynced += bytes;
        if (unsynced >= syncEveryBytes && running === null && atOnce < mostAtOnce) running = sync();
      },
      async end() {
        await running;
        throwFailure();
      },
      async [Symbol.asyncDispose]() {
        await running;
      },
    };
  };
}
