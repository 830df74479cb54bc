import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import type { SignedIn } from './accounts.ts';

/** An upload that has sent all of its file but the last byte. */
export interface HeldUpload {
  /** Resolves with the status and the message of its response. */
  readonly ended: Promise<{ readonly status: number; readonly error: string | null }>;
  readonly hasEnded: boolean;
  /** Sends the rest. */
  release(): void;
}

const boundary = 'the-boundary-of-the-form';
const before = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="held.txt"\r\n\r\nhel`;
const after = `d\r\n--${boundary}--\r\n`;

/** Begins an upload over a connection of its own. */
export function holdUpload(node: { readonly url: string }, { apiKey }: Pick<SignedIn, 'apiKey'>): HeldUpload {
  const ended = Promise.withResolvers<{ status: number; error: string | null }>();
  let hasEnded = false;
  const upload = request(`${node.url}/api/v3/upload`, {
    method: 'POST',
    agent: false,
    headers: {
      'X-API-Key': apiKey,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
      'Content-Length': before.length + after.length,
    },
  });
  upload.on('error', ended.reject);
  upload.on('response', (response) => {
    hasEnded = true;
    json(response).then(
      (body) => ended.resolve({ status: response.statusCode ?? 0, error: errorIn(body) }),
      ended.reject,
    );
  });
  ended.promise.catch(() => {});
  upload.write(before);
  return {
    ended: ended.promise,
    get hasEnded() {
      return hasEnded;
    },
    release: () => void upload.end(after),
  };
}

const errorIn = (body: unknown): string | null => (body as { readonly error?: string }).error ?? null;
