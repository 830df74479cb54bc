import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { HoldfastError } from './error.ts';
import type { DownloadOptions, HoldfastOptions } from './options.ts';
import { refusal } from './read-error.ts';
import { isTransient, retry } from './retry.ts';

export async function download(site: HoldfastOptions, file: string, options: DownloadOptions = {}): Promise<Response> {
  const attempt = () => ask(site, file, options);
  return retry(site, { attempt, mayRepeat: isTransient, signal: options.signal });
}

export async function* readBytes(
  site: HoldfastOptions,
  file: string,
  { from = 0, signal }: Omit<DownloadOptions, 'method'> = {},
): AsyncGenerator<Uint8Array> {
  let at = from;
  let reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  const attempt = async () => {
    reader ??= (await ask(site, file, { from: at, ...(signal && { signal }) })).body?.getReader();
    return await reader?.read().catch((error: unknown) => {
      reader = undefined;
      throw broken(error, signal);
    });
  };
  try {
    for (;;) {
      const chunk = await retry(site, { attempt, mayRepeat: isTransient, signal });
      if (!chunk?.value) return;
      at += chunk.value.length;
      yield chunk.value;
    }
  } finally {
    await reader?.cancel();
  }
}

export async function getDigest(site: HoldfastOptions, file: string, options: DownloadOptions = {}): Promise<string> {
  const { headers } = await download(site, file, { ...options, method: 'HEAD' });
  const [, digest] = /sha-256=:([\w+/=]+):/.exec(headers.get('Repr-Digest') ?? '') ?? [];
  if (digest === undefined) throw new HoldfastError('UNREADABLE', 200, 'The response has no digest.');
  return Array.from(atob(digest), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

async function ask(
  { url: origin, fetch = globalThis.fetch }: HoldfastOptions,
  file: string,
  { from = 0, signal, method = 'GET' }: DownloadOptions,
): Promise<Response> {
  const url = file.includes('/') ? file : new URL(fileRoot + encodeURIComponent(file), origin);
  const headers = from > 0 ? { Range: `bytes=${from}-` } : {};
  const asked = fetch(url, { method, headers, credentials: 'omit', ...(signal && { signal }) });
  const answer = await asked.catch((error: unknown) => {
    throw broken(error, signal);
  });
  if (answer.ok) return answer;
  throw refusal(answer.status, await answer.text(), answer.headers.get('Retry-After'));
}

function broken(cause: unknown, signal?: AbortSignal): HoldfastError {
  signal?.throwIfAborted();
  return new HoldfastError('NO_RESPONSE', 0, 'No response from server. Please check your connection.', { cause });
}
