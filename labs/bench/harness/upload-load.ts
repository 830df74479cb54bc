import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Account } from './account.ts';
import { uploadAll } from './curl.ts';
import type { Holdfast } from './holdfast.ts';
import { writeChangingPayload } from './payload.ts';
import { blobPathOf } from './stored-blob.ts';

export interface UploadLoad {
  /** Uploads all files at once, over and over, until `work` ends; also returns how many times and in how many seconds. */
  readonly during: <T>(work: () => Promise<T>) => Promise<{ result: T; sets: number; seconds: number }>;
}

interface Files {
  readonly count: number;
  readonly size: number;
}

/** Prepares files of the accounts in turn, new ones for each set. */
export async function prepareUploads(
  folder: string,
  server: Holdfast,
  accounts: readonly [Account, ...Account[]],
  { count, size }: Files,
): Promise<UploadLoad> {
  const files = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const path = join(folder, `load${at}`);
      const account = accounts[at % accounts.length] ?? accounts[0];
      return { path, account, change: await writeChangingPayload(path, size) };
    }),
  );
  const sendSet = async () => {
    const uploads = await Promise.all(
      files.map(async ({ path, account, change }) => ({ path, account, sha256: await change() })),
    );
    const { links } = await uploadAll(server.url, uploads);
    // Frees memory of the page cache for the next set, see `settle`.
    for (const link of links) await rm(join(server.dataDir, 'blobs', blobPathOf(server, link)));
  };
  return {
    async during(work) {
      const ended = new AbortController();
      let sets = 0;
      const start = performance.now();
      const load = (async () => {
        for (; !ended.signal.aborted; sets += 1) await sendSet();
      })();
      const result = await work().finally(() => ended.abort());
      await load;
      return { result, sets, seconds: (performance.now() - start) / 1000 };
    },
  };
}
