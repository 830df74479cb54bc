import { calls } from '@holdfast/contract/src/calls.ts';
import { createClient } from '@holdfast/contract/src/client.ts';
import { download, getDigest, readBytes } from './download.ts';
import type { Holdfast, HoldfastOptions } from './options.ts';
import { errorOf } from './read-error.ts';
import { restNames } from './rest-names.ts';
import type { RestCalls } from './rest.ts';
import { isRefusedForNow, isTransient, retry } from './retry.ts';
import { removeUpload, upload } from './upload.ts';

export { HoldfastError } from './error.ts';
export type {
  DownloadOptions,
  Holdfast,
  HoldfastOptions,
  Progress,
  Source,
  Uploaded,
  UploadOptions,
} from './options.ts';
export type { ErrorCode, Evicted, RestCalls, StoredFile } from './rest.ts';

export function createHoldfast(options: HoldfastOptions): Holdfast {
  const site = { ...options, url: new URL(options.url).origin };
  const rest = restCalls(site);
  return {
    ...rest,
    upload: (source, asked) => upload(site, source, asked),
    removeUpload: (id, asked) => removeUpload(site, id, asked?.signal),
    async *listFiles(query) {
      for (let page = 1, listed = 0; ; page += 1) {
        const { files, pagination } = await rest.getFileList({ query: { ...query, page, limit: 500 } });
        yield* files;
        listed += files.length;
        if (files.length === 0 || listed >= pagination.total_files) return;
      }
    },
    download: (file, asked) => download(site, file, asked),
    readBytes: (file, asked) => readBytes(site, file, asked),
    getDigest: (file, asked) => getDigest(site, file, asked),
  };
}

/** A call that only reads is repeated after any passing failure, and one that writes if nothing was done. */
function restCalls(site: HoldfastOptions): RestCalls {
  const { fetch = globalThis.fetch, url: origin, apiKey } = site;
  // The key is meant for this address alone.
  const direct: typeof fetch = (input, init) => fetch(input, { ...init, redirect: 'manual' });
  const once = createClient(direct, { origin, apiKey });
  const repeated = restNames.map((name) => {
    const mayRepeat = calls[name].method === 'GET' ? isTransient : isRefusedForNow;
    const make = once[name] as (input?: { signal?: AbortSignal }) => Promise<unknown>;
    const call: typeof make = (input) => {
      const attempt = () =>
        make(input).catch((error: unknown) => {
          throw errorOf(error);
        });
      return retry(site, { attempt, mayRepeat, signal: input?.signal });
    };
    return [name, call];
  });
  return Object.fromEntries(repeated) as RestCalls;
}
