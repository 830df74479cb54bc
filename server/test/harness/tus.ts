import { linkHeader, tusContentType, tusPath } from '@holdfast/contract/src/resumable.ts';
import type { SignedIn } from './accounts.ts';
import type { TestServer } from './start-server.ts';

type Key = Pick<SignedIn, 'apiKey'>;
type Sent = Readonly<Record<string, string>>;

export interface TusAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly error: string | undefined;
  readonly link: string | null;
  readonly offset: number | null;
}

/** Calls of the tus protocol with an account's key. */
export function tusOf({ url }: Pick<TestServer, 'url'>, { apiKey }: Key) {
  const call = async (method: string, path: string, headers: Sent = {}, body?: BodyInit): Promise<TusAnswer> => {
    const answer = await fetch(new URL(path, url), {
      method,
      headers: { 'X-API-Key': apiKey, 'Tus-Resumable': '1.0.0', ...headers },
      ...(body !== undefined && { body }),
      duplex: 'half',
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      error: text === '' ? undefined : (JSON.parse(text) as { error: string }).error,
      link: answer.headers.get(linkHeader),
      offset: answer.headers.has('Upload-Offset') ? Number(answer.headers.get('Upload-Offset')) : null,
    };
  };
  const tus = {
    call,
    create: (size: number, metadata: Sent = { filename: 'pack.zip' }, headers: Sent = {}, body?: BodyInit) =>
      call('POST', tusPath, { 'Upload-Length': String(size), 'Upload-Metadata': encoded(metadata), ...headers }, body),
    /** Returns its path. */
    async begin(size: number, metadata?: Sent): Promise<string> {
      const created = await tus.create(size, metadata);
      if (created.status !== 201) throw new Error(`refused: ${created.status} ${created.error}`);
      return created.headers.get('Location') ?? '';
    },
    send: (path: string, offset: number, body: BodyInit, headers: Sent = {}) =>
      call('PATCH', path, { 'Content-Type': tusContentType, 'Upload-Offset': String(offset), ...headers }, body),
    head: (path: string) => call('HEAD', path),
    remove: (path: string) => call('DELETE', path),
  };
  return tus;
}

const encoded = (metadata: Sent) =>
  Object.entries(metadata)
    .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
    .join(',');
