import { open as openFile, rename, rm, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { Problem } from './exit-code.ts';
import { digestOf } from './find-files.ts';
import { showProgress } from './progress.ts';
import { open, siteOf } from './sites.ts';

export interface GetFlags {
  readonly site?: string;
  readonly output?: string;
  readonly force?: boolean;
}

/** Needs no key for a link. Until it is complete and right, the file ends in `.part`. */
export async function get(file: string, { site, output, force }: GetFlags): Promise<void> {
  const holdfast = open(/^https?:\/\//.test(file) ? { url: file, apiKey: '' } : siteOf(site));
  const head = await holdfast.download(file, { method: 'HEAD' });
  const total = Number(head.headers.get('Content-Length'));
  const wanted = await holdfast.getDigest(file);
  const path = output ?? nameOf(head);
  if (!force && (await sizeOf(path)) !== null) throw new Problem('usage', `${path} exists. Use --force or -o.`);
  const part = `${path}.part`;
  const progress = showProgress([{ path, size: total }]);
  // The rest of another file of that name does not match, so the second try has none.
  for (let from = (await sizeOf(part)) ?? 0; ; from = 0) {
    const into = await openFile(part, 'a');
    let at = from;
    try {
      if (at < total) {
        for await (const chunk of holdfast.readBytes(file, { from })) {
          await into.writeFile(chunk);
          progress.moved(path, (at += chunk.length));
        }
      }
    } finally {
      await into.close();
    }
    if ((await digestOf(part)) === wanted) break;
    await rm(part);
    if (from === 0) throw new Problem('damaged', `${file}: what arrived does not match its digest.`);
  }
  progress.end();
  await rename(part, path);
  process.stdout.write(`${path}\n`);
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size;
  } catch {
    return null;
  }
}

/** The original name, as a name in this folder and nowhere else. */
function nameOf({ headers, url }: Response): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/i.exec(headers.get('Content-Disposition') ?? '') ?? [];
  const [, plain] = /filename="?([^";]+)/i.exec(headers.get('Content-Disposition') ?? '') ?? [];
  const original = encoded === undefined ? (plain ?? '') : decodeURIComponent(encoded);
  const name = basename(original.replaceAll('\\', '/'))
    .replaceAll(/\p{Cc}/gu, '_')
    .replace(/^\.+/, '');
  return name === '' ? basename(new URL(url).pathname) : name;
}
