/** Sends one file (spec section 7): no time-out, with progress, and it can be aborted. */
import { calls } from '@holdfast/contract/src/calls.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { nameAccount } from './acting-for.ts';

export interface UploadOptions {
  readonly signal: AbortSignal;
  /** How much of the file is on its way, from 0 to 1; 1 means that the server has it all and is working on it. */
  readonly onProgress: (fraction: number) => void;
}

/**
 * Resolves with the file's public link. fetch cannot tell how much of a body is sent, so this is an XMLHttpRequest.
 * @throws {CallFailed} when the upload fails, and the signal's reason when it is aborted.
 */
export function uploadFile(file: File, { signal, onProgress }: UploadOptions): Promise<string> {
  signal.throwIfAborted();
  const request = new XMLHttpRequest();
  const abort = () => request.abort();
  signal.addEventListener('abort', abort, { once: true });
  return send(request, file, onProgress, signal).finally(() => signal.removeEventListener('abort', abort));
}

function send(
  request: XMLHttpRequest,
  file: File,
  onProgress: (fraction: number) => void,
  signal: AbortSignal,
): Promise<string> {
  return new Promise((resolve, reject) => {
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0);
    request.upload.onload = () => onProgress(1);
    request.onabort = () => reject(signal.reason);
    request.onerror = () => reject(new CallFailed('no-response', 0));
    request.onload = () => {
      try {
        resolve(readUrl(request));
      } catch (error) {
        reject(error);
      }
    };
    request.open(calls.upload.method, calls.upload.path);
    request.withCredentials = true;
    nameAccount((name, email) => request.setRequestHeader(name, email));
    request.send(formOf(file));
  });
}

function formOf(file: File): FormData {
  const form = new FormData();
  form.set('file', file, file.name);
  return form;
}

function readUrl(request: XMLHttpRequest): string {
  const reply = readReply(request.status, request.responseText, request.getResponseHeader('Retry-After'));
  const { url } = reply;
  if (typeof url !== 'string') throw new CallFailed('unreadable', request.status);
  return url;
}
