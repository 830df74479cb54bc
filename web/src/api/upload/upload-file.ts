/**
 * Sends one file with progress events. There is no time limit while bytes are moving, and the upload can be aborted.
 */
import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { actingForHeader } from '@holdfast/contract/src/bare-calls.ts';
import { calls, uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { client } from '../client/client.ts';
import { watchStall } from './watch-stall.ts';

export interface UploadOptions {
  /** Email of the account that the file is meant for. The server refuses the file for any other account. */
  readonly owner: string;
  /** Milliseconds without a byte sent, or without a response to the last one, after which the upload is given up. */
  readonly patienceMs: number;
  /**
   * Idempotency key, the same for every attempt of one file: the server stores the file once and returns the same link.
   */
  readonly key: string;
  readonly signal: AbortSignal;
  /** Fraction of the file that was sent, from 0 to 1; 1 means that the server has all of it and is processing it. */
  readonly onProgress: (fraction: number) => void;
  readonly onStall: () => void;
}

export interface StoredUpload {
  /** The file's public link. */
  readonly url: string;
  /** What Continuous Uploading deleted for it. */
  readonly evicted?: Evicted | undefined;
}

/**
 * Resolves when the file is stored.
 * @throws {CallFailed} when the upload fails, and the signal's reason when it is aborted.
 */
export async function uploadFile(file: File, { key, ...options }: UploadOptions): Promise<StoredUpload> {
  const { method, path } = calls.upload;
  const headers = { [uploadKeyHeader]: key };
  return readStored(await transmit({ method, path, headers, body: formOf(file), bytes: file.size }, options));
}

interface Body {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Blob | FormData;
  readonly bytes: number;
}

/** Sends a body, and resolves with the response of any status. Fetch reports no upload progress. */
export function transmit(body: Body, options: Omit<UploadOptions, 'key'>): Promise<XMLHttpRequest> {
  const { signal } = options;
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  return send(request, body, options).finally(() => signal.removeEventListener('abort', abort));
}

function send(
  request: XMLHttpRequest,
  { method, path, headers, body, bytes }: Body,
  { owner, signal, patienceMs, ...on }: Omit<UploadOptions, 'key'>,
): Promise<XMLHttpRequest> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    const stall = watchStall(
      () => {
        // The throttled display may have skipped the last progress events.
        on.onProgress(sent);
        on.onStall();
      },
      () => {
        reject(new CallFailed('no-response', 0));
        request.abort();
      },
      patienceMs,
    );
    request.upload.onprogress = ({ loaded, total }) => {
      const fraction = total > 0 ? loaded / total : 0;
      if (fraction > sent) stall.moved();
      sent = fraction;
      on.onProgress(fraction);
    };
    request.upload.onload = () => {
      stall.sent(bytes);
      on.onProgress(1);
    };
    request.onloadend = stall.end;
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new CallFailed('no-response', 0));
    request.onload = () => resolve(request);
    request.open(method, path);
    request.withCredentials = true;
    request.setRequestHeader(actingForHeader, owner);
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.send(body);
  });
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set('file', file, file.name);
  return form;
}

function readStored(request: XMLHttpRequest): StoredUpload {
  const reply = readReply(request.status, request.responseText, request.getResponseHeader('Retry-After'));
  const { url, evicted } = reply;
  if (typeof url !== 'string') throw new CallFailed('unreadable', request.status);
  return { url, evicted: evicted as Evicted | undefined };
}

const responsePatienceMs = 5000;

/** Returns whether the server responds to a small request in time. A refusal is a response too. */
export async function isAnswering(): Promise<boolean> {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), responsePatienceMs);
  try {
    await client.serverInfo({ signal: controller.signal });
    return true;
  } catch (error) {
    return error instanceof CallFailed && error.problem === 'refused' && error.status < 500;
  } finally {
    clearTimeout(timer);
  }
}
