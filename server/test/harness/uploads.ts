import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { createHash } from 'node:crypto';
import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';

export interface UploadAnswer {
  readonly status: number;
  readonly success: boolean;
  readonly url: string;
  readonly deletion_url: string;
  readonly error: string;
  readonly evicted?: Evicted;
}

interface SendOptions {
  readonly path?: string;
  readonly key?: string | undefined;
  readonly signal?: AbortSignal;
}

/** Sends a form with the account's key, as a script would. */
export async function sendForm(
  server: Pick<TestServer, 'url'>,
  account: Pick<SignedIn, 'apiKey'>,
  form: FormData,
  { path = '/api/v3/upload', key, signal }: SendOptions = {},
): Promise<UploadAnswer> {
  const answer = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'X-API-Key': account.apiKey, ...(key !== undefined && { 'Idempotency-Key': key }) },
    body: form,
    ...(signal && { signal }),
  });
  return { status: answer.status, ...((await answer.json()) as Omit<UploadAnswer, 'status'>) };
}

export function formWith(bytes: Uint8Array<ArrayBuffer> | string, name = 'file.txt'): FormData {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  return form;
}

/** Uploads and returns the stored name. */
export async function uploadFile(
  server: TestServer,
  account: SignedIn,
  bytes: Uint8Array<ArrayBuffer> | string = 'hello',
  name = 'file.txt',
): Promise<string> {
  const answer = await sendForm(server, account, formWith(bytes, name));
  if (!answer.success) throw new Error(`the upload was refused: ${answer.error}`);
  return storedNameOf(answer.url);
}

export function storedNameOf(url: string): string {
  return new URL(url).pathname.replace('/file/', '').replace(/\..*$/, '');
}

/** The link, with this server's actual port. */
export const fileUrl = (server: TestServer, rest: string): string => `${server.url}/file/${rest}`;

export const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

export const sha1 = (bytes: Uint8Array | string): string => createHash('sha1').update(bytes).digest('hex');

/** Returns the SHA-256 of the bytes behind a link, or the status of a refusal. */
export async function download(server: TestServer, name: string): Promise<string | number> {
  const answer = await fetch(fileUrl(server, name));
  const body = new Uint8Array(await answer.arrayBuffer());
  return answer.status === 200 ? sha256(body) : answer.status;
}
