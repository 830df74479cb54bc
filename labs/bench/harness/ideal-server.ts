import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endChild, firstLine, startChild } from './children.ts';
import { compile } from './compile.ts';
import { postForms, type Upload } from './curl.ts';

export interface IdealServer extends AsyncDisposable {
  /** The reason why it does not run, otherwise null. */
  readonly missing: string | null;
  /** Uploads all files at once and returns the seconds; NaN if the server does not run. */
  readonly upload: (uploads: readonly Upload[]) => Promise<number>;
  /** Deletes what it has stored. */
  readonly clear: () => Promise<void>;
}

/** Compiles and starts the C server that does the work of an upload and nothing else. */
export async function startIdealServer(folder: string): Promise<IdealServer> {
  const compiled = await compile('ideal-server', folder, ['-lcrypto', '-lpthread']);
  if (compiled.missing !== null)
    return {
      missing: compiled.missing,
      upload: async () => Number.NaN,
      async clear() {},
      async [Symbol.asyncDispose]() {},
    };
  const stored = join(folder, 'ideal');
  await mkdir(stored);
  const child = startChild(compiled.path, [stored], { stdio: ['ignore', 'pipe', 'inherit'] });
  const origin = await firstLine(child, /^(http:\S+)$/);
  return {
    missing: null,
    async upload(uploads) {
      const { answers, seconds } = await postForms(origin, uploads);
      for (const [at, { path, sha256 }] of uploads.entries())
        if (answers[at] !== sha256) throw new Error(`the ideal server stored ${path} as ${answers[at]}`);
      return seconds;
    },
    clear: () => clear(stored),
    [Symbol.asyncDispose]: () => endChild(child),
  };
}

export async function clear(folder: string): Promise<void> {
  for (const name of await readdir(folder)) await rm(join(folder, name));
}
