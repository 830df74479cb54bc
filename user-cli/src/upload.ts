import { openAsBlob } from 'node:fs';
import { resolve } from 'node:path';
import { type Holdfast, HoldfastError } from '@holdfast/client/src/client.ts';
import { copyText } from './copy-text.ts';
import { Problem } from './exit-code.ts';
import { digestOf, findFiles, type Found, keepInput } from './find-files.ts';
import { type Journal, openJournal } from './journal.ts';
import { showProgress } from './progress.ts';
import { setFavorite } from './library.ts';
import { open, siteOf } from './sites.ts';

export interface UploadFlags {
  readonly site?: string;
  readonly name?: string;
  readonly json?: boolean;
  readonly copy?: boolean;
  readonly favorite?: boolean;
}

/** As many as the server takes from one account at a time. */
const atOnce = 4;

export async function upload(paths: readonly string[], flags: UploadFlags): Promise<void> {
  const site = siteOf(flags.site);
  const fromPipe = paths.includes('-');
  if (fromPipe && paths.length > 1) throw new Problem('usage', '- is for one upload, from the standard input.');
  const input = fromPipe ? await keepInput(flags.name ?? 'stdin') : null;
  try {
    const files = input ? [input] : await findFiles(paths);
    if (flags.name !== undefined && files.length > 1) throw new Problem('usage', '--name is for one file.');
    // Nobody starts a pipe again.
    const journal = openJournal([site.url, process.cwd(), input ? String(process.pid) : '', ...paths]);
    await uploadAll({ holdfast: open(site), journal, flags, progress: showProgress(files) }, files);
  } finally {
    await input?.remove();
  }
}

async function uploadAll(run: Run, files: readonly Found[]): Promise<void> {
  const results = await inTurns(files, (file) => uploadOne(run, file));
  run.progress.end();
  const stored = results.filter((result) => typeof result === 'string');
  if (run.flags.copy) await copyText(stored.join('\n'));
  const [failure, ...others] = results.filter((result) => typeof result !== 'string');
  // After a refusal the same command tries again, and knows what is stored.
  if (!failure) return run.journal.end();
  for (const { message } of others) process.stderr.write(`${message}\n`);
  throw failure;
}

interface Run {
  readonly holdfast: Holdfast;
  readonly journal: Journal;
  readonly flags: UploadFlags;
  readonly progress: ReturnType<typeof showProgress>;
}

/** Returns its link, or why there is none. */
async function uploadOne({ holdfast, journal, flags, progress }: Run, found: Found): Promise<string | Error> {
  const { path, size } = found;
  const name = flags.name ?? found.name;
  try {
    const sha256 = await digestOf(path);
    const file = JSON.stringify([resolve(path), name, sha256]);
    const resume = journal.begunOf(file);
    const url =
      journal.doneOf(file) ??
      (
        await holdfast.upload(await openAsBlob(path), {
          name,
          sha256,
          idempotencyKey: journal.keyOf(file),
          ...(resume !== undefined && { resume }),
          onBegin: (id) => journal.begin(file, id),
          onProgress: ({ sent }) => progress.moved(path, sent),
        })
      ).url;
    if (flags.favorite && journal.doneOf(file) === undefined) await setFavorite(holdfast, url, true);
    journal.finish(file, url);
    progress.moved(path, size);
    process.stdout.write(flags.json ? `${JSON.stringify({ path, name, size, sha256, url })}\n` : `${url}\n`);
    return url;
  } catch (error) {
    if (error instanceof HoldfastError && error.status === 401) throw error;
    const failure = error as Error;
    failure.message = `${path}: ${failure.message}`;
    return failure;
  }
}

/** Results in the order of the files, of which a few are done at once. */
async function inTurns<T>(files: readonly Found[], use: (file: Found) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  const left = files.entries();
  const work = async () => {
    for (const [at, file] of left) results[at] = await use(file);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return results;
}
