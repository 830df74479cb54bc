/** Sends a file in pieces by tus 1.0, from where an earlier attempt stopped. */
import type { Evicted } from '@holdfast/contract/src/activity.ts';
import { CallFailed } from '@holdfast/contract/src/call-failed.ts';
import { actingForHeader } from '@holdfast/contract/src/bare-calls.ts';
import { defaultTimeoutMs } from '@holdfast/contract/src/client.ts';
import { readReply } from '@holdfast/contract/src/envelope.ts';
import { evictedHeader, linkHeader, tusContentType, tusPath, tusVersion } from '@holdfast/contract/src/resumable.ts';
import { fingerprintOf } from './fingerprint.ts';
import { pathsOfFiles } from './unfinished.ts';
import { type StoredUpload, transmit, type UploadOptions } from './upload-file.ts';

/** Some proxies take no body of more than 100 MB. */
const pieceBytes = 64_000_000;

export interface ResumeOptions extends Omit<UploadOptions, 'key'> {
  /** Fraction that the server has already. */
  readonly onResume: (fraction: number) => void;
}

/** @throws {CallFailed} when an attempt fails. The next one goes on with the same file. */
export async function resumeUpload(file: File, options: ResumeOptions): Promise<StoredUpload> {
  let { path, offset, link, evicted } = (await find(file, options)) ?? (await create(file, options));
  while (link === null) {
    // All of it was stored, and the file has been deleted since.
    if (offset === file.size) {
      pathsOfFiles.delete(file);
      throw new CallFailed('refused', 410);
    }
    const from = offset;
    options.onResume(from / file.size);
    const piece = file.slice(from, from + pieceBytes);
    const onProgress = (fraction: number) => options.onProgress((from + fraction * piece.size) / file.size);
    const headers = { 'Tus-Resumable': tusVersion, 'Upload-Offset': String(from), 'Content-Type': tusContentType };
    const request = await transmit(
      { method: 'PATCH', path, headers, body: piece, bytes: piece.size },
      { ...options, onProgress },
    );
    const { status, responseText } = request;
    if (status !== 204) refuse(file, status, responseText, request.getResponseHeader('Retry-After'));
    offset = Number(request.getResponseHeader('Upload-Offset'));
    link = request.getResponseHeader(linkHeader);
    evicted = request.getResponseHeader(evictedHeader);
  }
  return { url: link, evicted: evicted === null ? undefined : (JSON.parse(evicted) as Evicted) };
}

type CallOptions = Pick<ResumeOptions, 'owner' | 'signal'>;

interface Place {
  readonly path: string;
  readonly offset: number;
  readonly link: string | null;
  /** As JSON. */
  readonly evicted: string | null;
}

/** Fraction that the server has, if any of the file was sent. */
export async function storedOf(file: File, owner: string): Promise<number | undefined> {
  const place = await find(file, { owner, signal: AbortSignal.timeout(defaultTimeoutMs) });
  return place && place.offset / file.size;
}

/** Asks how much the server has. */
async function find(file: File, options: CallOptions): Promise<Place | undefined> {
  const path = pathsOfFiles.get(file);
  if (path === undefined) return undefined;
  const answer = await call('HEAD', path, {}, options, file.size);
  const { status, headers } = answer;
  if (status !== 200) {
    // A response to HEAD has no message, and one of a proxy not this header.
    if (headers.has('Tus-Resumable') && status < 500 && status !== 429) throw refusalOf(file, status);
    refuse(file, status, '', headers.get('Retry-After'));
  }
  const [link, evicted] = [headers.get(linkHeader), headers.get(evictedHeader)];
  return { path, offset: Number(headers.get('Upload-Offset')), link, evicted };
}

async function create(file: File, options: ResumeOptions): Promise<Place> {
  const fingerprint = await fingerprintOf(file).catch((cause: unknown) => {
    // As if it had been sent: the browser does not say why it cannot be read.
    throw new CallFailed('no-response', 0, { cause });
  });
  const metadata = { filename: file.name, modified: new Date(file.lastModified).toISOString(), fingerprint };
  const pairs = Object.entries(metadata).map(([key, value]) => `${key} ${base64(value)}`);
  const sent = { 'Upload-Length': String(file.size), 'Upload-Metadata': pairs.join(',') };
  const { status, headers, text } = await call('POST', tusPath, sent, options);
  const path = headers.get('Location');
  if (status !== 201 || path === null) return refuse(file, status, text, headers.get('Retry-After'));
  pathsOfFiles.set(file, path);
  return { path, offset: 0, link: headers.get(linkHeader), evicted: headers.get(evictedHeader) };
}

const base64 = (text: string): string => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

function refuse(file: File | null, status: number, text: string, retryAfter: string | null): never {
  // The upload ends elsewhere than this attempt expected: the next one asks where.
  if (status === 409 && !text.includes('account')) throw new CallFailed('unreadable', 503);
  const isOurs = text.startsWith('{');
  if (status === 404 && isOurs) throw refusalOf(file, status);
  if (status === 413 && !isOurs) throw new CallFailed('refused', status, { serverMessage: pieceRefused });
  readReply(status, text, retryAfter);
  throw new CallFailed('unreadable', status);
}

const pieceRefused = 'A proxy accepts no pieces of 64 MB. Ask the administrator to allow larger requests.';

/** The next attempt begins anew if the server has nothing of the file any more. */
function refusalOf(file: File | null, status: number): CallFailed {
  if (file && status === 404) pathsOfFiles.delete(file);
  return new CallFailed('refused', status);
}

/** The server may have to read all of the file before it responds. */
async function call(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  { owner, signal }: CallOptions,
  bytes = 0,
) {
  const patience = AbortSignal.timeout(defaultTimeoutMs + bytes / 10_000);
  try {
    const answer = await fetch(path, {
      method,
      headers: { [actingForHeader]: owner, 'Tus-Resumable': tusVersion, ...headers },
      signal: AbortSignal.any([signal, patience]),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (cause) {
    signal.throwIfAborted();
    throw new CallFailed('no-response', 0, { cause });
  }
}

/** Releases what the server has of the file. An upload that is not removed expires. */
export async function removeUnfinished(path: string, owner: string): Promise<void> {
  const { status, text, headers } = await call(
    'DELETE',
    path,
    {},
    { owner, signal: AbortSignal.timeout(defaultTimeoutMs) },
  );
  if (status !== 204 && status !== 404) refuse(null, status, text, headers.get('Retry-After'));
}
