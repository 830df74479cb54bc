import { createCipheriv, createHash, randomBytes, randomUUID } from 'node:crypto';
import type { Uploader } from '../../server/test/harness/place.ts';
import type { Requests } from './request.ts';

/** A file whose upload was acknowledged, and what the server has to serve for it. */
export interface KeptFile {
  readonly name: string;
  readonly seed: string;
  readonly size: number;
  readonly sha256: string;
  readonly owner: Uploader;
  /** `deleting` if the outcome of its deletion is unknown. */
  state: 'live' | 'deleting' | 'deleted';
}

/** Returns the same bytes for the same seed, so that they need not be kept. */
export function bytesOf(seed: string, size: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.from(seed, 'hex'), Buffer.alloc(16)).update(Buffer.alloc(size));
}

export const newSeed = (): string => randomBytes(16).toString('hex');

export interface Draft {
  readonly seed: string;
  readonly size: number;
  readonly owner: Uploader;
  /** Its `Idempotency-Key`, so that it can be sent again after a lost response. */
  readonly key: string;
}

export const newDraft = (owner: Uploader, size: number, seed: string = newSeed()): Draft => ({
  seed,
  size,
  owner,
  key: randomUUID(),
});

export type Uploaded = { readonly file: KeptFile } | { readonly status: number; readonly text: string };

/** Uploads a draft, and returns the acknowledged file or the refusal. Rejects when no response arrives. */
export async function uploadDraft(requests: Requests, draft: Draft, filename = 'a.bin'): Promise<Uploaded> {
  const { seed, size, owner, key } = draft;
  const bytes = bytesOf(seed, size);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const { status, body } = await requests.send({
    method: 'POST',
    path: '/api/v3/upload',
    headers: { ...form.headers, 'X-API-Key': owner.apiKey, 'Idempotency-Key': key },
    body: Buffer.concat([form.before(filename), bytes, form.after]),
  });
  const text = body.toString();
  if (status !== 200) return { status, text };
  const name = /\/file\/(\w+)/.exec((JSON.parse(text) as { url: string }).url)?.[1] ?? '';
  return { file: { name, seed, size, sha256, owner, state: 'live' } };
}

const form = {
  headers: { 'Content-Type': 'multipart/form-data; boundary=kelp' },
  before: (filename: string) =>
    Buffer.from(
      `--kelp\r\nContent-Disposition: form-data; name="file"; filename*=UTF-8''${encodeURIComponent(filename)}\r\n\r\n`,
    ),
  after: Buffer.from('\r\n--kelp--\r\n'),
};
