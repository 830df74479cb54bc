import { fileRoot } from '@holdfast/contract/src/public-files.ts';
import { HoldfastError } from './error.ts';
import type { DownloadOptions, HoldfastOptions } from './options.ts';
import { refusal } from './read-error.ts';
import { isTransient, retry } from './retry.ts';

export async function download(site: HoldfastOptions, file: string, options: DownloadOptions = {}): Promise<Response> {
  const { from = 0, signal, method = 'GET' } = options;
  const { fetch = globalThis.fetch } = site;
  const url = file.includes('/') ? file : new URL(fileRoot + encodeURIComponent(file), site.url);
  const attempt = async () => {
    const headers = from > 0 ? { Range: `bytes=${from}-` } : {};
    const asked = fetch(url, { method, headers, credentials: 'omit', ...(signal && { signal }) });
    const answer = await asked.catch((error: unknown) => {
      signal?.throwIfAborted();
      throw new HoldfastError('NO_RESPONSE', 0, 'No response from server. Please check your connection.', {
        cause: error,
      });
    });
    if (answer.ok) return answer;
    throw refusal(answer.status, await answer.text(), answer.headers.get('Retry-After'));
  };
  return retry(site, { attempt, mayRepeat: isTransient, signal });
}

export async function getDigest(site: HoldfastOptions, file: string, options: DownloadOptions = {}): Promise<string> {
  const { headers } = await download(site, file, { ...options, method: 'HEAD' });
  const [, digest] = /sha-256=:([\w+/=]+):/.exec(headers.get('Repr-Digest') ?? '') ?? [];
  if (digest === undefined) throw new HoldfastError('UNREADABLE', 200, 'The response has no digest.');
  return Array.from(atob(digest), (byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}
