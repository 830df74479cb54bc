import type { HoldfastError } from './error.ts';
import type { Evicted, StoredFile, RestCalls } from './rest.ts';

export interface HoldfastOptions {
  /** Of the site, such as `https://files.example.com`. */
  readonly url: string;
  /** From the Account Info page. */
  readonly apiKey: string;
  /** How often a call that may be repeated is; an upload that gets on starts to count again. 5 by default. */
  readonly retries?: number;
  /** Seconds. A call that would have to wait longer fails at once. 120 by default. */
  readonly longestWait?: number;
  /** Bytes of a request of an upload that resumes. 64 MB by default, because proxies limit the length of a body. */
  readonly pieceBytes?: number;
  readonly onRetry?: (error: HoldfastError, seconds: number) => void;
  readonly fetch?: typeof fetch;
  /** Waits in place of a timer. Rejects when the signal is aborted. */
  readonly pause?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

/** A `Blob` or `File` is one. It is read piece by piece, and again where a connection broke. */
export interface Source {
  readonly size: number;
  slice(from: number, to: number): Blob | Promise<Blob>;
}

export interface Progress {
  /** Bytes; it falls back to what is stored when a connection breaks. */
  readonly sent: number;
  readonly total: number;
}

export interface UploadOptions {
  /** The original name; by default that of a `File`. */
  readonly name?: string;
  /** In hexadecimal digits: the server compares it. */
  readonly sha256?: string;
  /** Stops the upload, which can go on for a day. `removeUpload` ends it. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** The id of an unfinished upload of the same bytes. If it has expired, the upload starts again. */
  readonly resume?: string;
  /** Called with the id of an upload that can be resumed, before its first byte. */
  readonly onBegin?: (id: string) => void;
  /** The same one stores a small file once. By default it is random, and the same one for all tries of a call. */
  readonly idempotencyKey?: string;
}

export interface Uploaded {
  /** The public link. */
  readonly url: string;
  /** What Continuous Uploading deleted for it. */
  readonly evicted?: Evicted;
}

export interface DownloadOptions {
  /** Offset of the first byte. */
  readonly from?: number;
  readonly signal?: AbortSignal;
  /** Headers only. */
  readonly method?: 'GET' | 'HEAD';
}

/** Its functions throw `HoldfastError`, or the reason of an aborted signal. */
export interface Holdfast extends RestCalls {
  upload(source: Source, options?: UploadOptions): Promise<Uploaded>;
  /** Ends an unfinished upload and releases its quota. */
  removeUpload(id: string, options?: Pick<UploadOptions, 'signal'>): Promise<void>;
  /** All files, page by page. */
  listFiles(
    query?: Omit<Parameters<RestCalls['getFileList']>[0]['query'], 'page' | 'limit'>,
  ): AsyncGenerator<StoredFile>;
  /** Of a link, or a stored name. Needs no key and sends none. */
  download(file: string, options?: DownloadOptions): Promise<Response>;
  /** Its bytes. Where a connection breaks, the next one goes on. */
  readBytes(file: string, options?: Omit<DownloadOptions, 'method'>): AsyncGenerator<Uint8Array>;
  /** The SHA-256 in hexadecimal digits. */
  getDigest(file: string, options?: Pick<DownloadOptions, 'signal'>): Promise<string>;
}
