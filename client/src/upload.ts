import { calls, uploadKeyHeader } from '@holdfast/contract/src/calls.ts';
import { evictedHeader, linkHeader, tusContentType, tusPath, tusVersion } from '@holdfast/contract/src/resumable.ts';
import { HoldfastError } from './error.ts';
import type { HoldfastOptions, Source, Uploaded, UploadOptions } from './options.ts';
import type { Evicted } from './rest.ts';
import { refusal, replyOf } from './read-error.ts';
import { isTransient, retry } from './retry.ts';
import { type Answer, type Outgoing, send } from './send.ts';

/** The server syncs an upload that resumes every 16 MB, so a smaller file gains nothing by it. */
const mostInForm = 16 * 1024 * 1024;
const usualPiece = 64_000_000;

export async function upload(site: HoldfastOptions, source: Source, options: UploadOptions = {}): Promise<Uploaded> {
  const inForm = source.size <= mostInForm && options.resume === undefined;
  return inForm ? uploadForm(site, source, options) : uploadPieces(site, source, options);
}

async function uploadForm(site: HoldfastOptions, source: Source, options: UploadOptions): Promise<Uploaded> {
  const { sha256, signal, onProgress, idempotencyKey = randomKey() } = options;
  const form = new FormData();
  if (sha256 !== undefined) form.set('sha_256', sha256);
  form.set('file', await source.slice(0, source.size), nameOf(source, options));
  const total = source.size;
  const { method, path } = calls.upload;
  const attempt = async () => {
    const answer = await call(site, method, path, {
      headers: { [uploadKeyHeader]: idempotencyKey },
      body: form,
      onSent: (bytes) => onProgress?.({ sent: Math.min(bytes, total), total }),
      signal,
    });
    const { url, evicted } = replyOf(answer) as unknown as Uploaded;
    return { url, ...(evicted && { evicted }) };
  };
  return retry(site, { attempt, mayRepeat: isTransient, signal });
}

interface State {
  readonly id: string;
  readonly offset: number;
  readonly link: string | null;
  /** As JSON. */
  readonly evicted: string | null;
}

async function uploadPieces(site: HoldfastOptions, source: Source, options: UploadOptions): Promise<Uploaded> {
  const { pieceBytes = usualPiece } = site;
  const { sha256, signal, onProgress, onBegin } = options;
  const total = source.size;
  let { resume: id } = options;
  let furthest = 0;

  const begin = async (): Promise<State> => {
    const metadata = { filename: nameOf(source, options), ...(sha256 !== undefined && { sha_256: sha256 }) };
    const headers = { 'Upload-Length': String(total), 'Upload-Metadata': encode(metadata) };
    const answer = await call(site, 'POST', tusPath, { headers, signal });
    const created = stateOf((answer.header('Location') ?? '').slice(tusPath.length + 1), answer);
    onBegin?.(created.id);
    return created;
  };
  const sendPiece = async ({ id: to, offset: from }: State): Promise<State> => {
    const body = await source.slice(from, Math.min(from + pieceBytes, total));
    const headers = { 'Content-Type': tusContentType, 'Upload-Offset': String(from) };
    const onSent = (bytes: number) => onProgress?.({ sent: from + bytes, total });
    return stateOf(to, await call(site, 'PATCH', pathOf(to), { headers, body, onSent, signal }));
  };
  const attempt = async (): Promise<Uploaded> => {
    let state = id === undefined ? await begin() : stateOf(id, await call(site, 'HEAD', pathOf(id), { signal }));
    ({ id } = state);
    while (state.link === null) {
      // A complete upload without a link: its file has been deleted.
      if (state.offset >= total) throw refusal(404, '', null);
      onProgress?.({ sent: state.offset, total });
      state = await sendPiece(state);
      furthest = Math.max(furthest, state.offset);
    }
    return { url: state.link, ...(state.evicted !== null && { evicted: JSON.parse(state.evicted) as Evicted }) };
  };
  const mayRepeat = (error: HoldfastError): boolean => {
    // Nothing is left to go on with.
    if (error.code === 'UPLOAD_UNKNOWN') id = undefined;
    return error.code === 'UPLOAD_UNKNOWN' || error.code === 'UPLOAD_OFFSET_WRONG' || isTransient(error);
  };
  return retry(site, { attempt, mayRepeat, gained: () => furthest, signal });
}

export async function removeUpload(site: HoldfastOptions, id: string, signal?: AbortSignal): Promise<void> {
  const attempt = () => call(site, 'DELETE', pathOf(id), { signal });
  const tries = { attempt, mayRepeat: isTransient, signal };
  await retry(site, tries).catch((error: unknown) => {
    if (!(error instanceof HoldfastError && error.code === 'UPLOAD_UNKNOWN')) throw error;
  });
}

const pathOf = (id: string): string => `${tusPath}/${encodeURIComponent(id)}`;

const stateOf = (id: string, answer: Answer): State => ({
  id,
  offset: Number(answer.header('Upload-Offset') ?? 0),
  link: answer.header(linkHeader),
  evicted: answer.header(evictedHeader),
});

async function call(
  { url, apiKey, fetch = globalThis.fetch }: HoldfastOptions,
  method: string,
  path: string,
  request: Omit<Outgoing, 'method' | 'url' | 'headers'> & Partial<Pick<Outgoing, 'headers'>>,
): Promise<Answer> {
  const version = path.startsWith(tusPath) && { 'Tus-Resumable': tusVersion };
  const headers = { 'X-API-Key': apiKey, ...version, ...request.headers };
  const answer = await send({ ...request, method, url: new URL(path, url).href, headers }, fetch);
  if (answer.status < 200 || answer.status > 299)
    throw refusal(answer.status, answer.text, answer.header('Retry-After'));
  return answer;
}

const nameOf = (source: Source & { readonly name?: unknown }, { name = source.name }: { readonly name?: unknown }) =>
  typeof name === 'string' ? name : 'file';

const encode = (metadata: Readonly<Record<string, string>>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${btoa(String.fromCharCode(...new TextEncoder().encode(value)))}`)
    .join(',');

/** `crypto.randomUUID` is missing on pages without HTTPS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
