import { crc32 } from 'node:zlib';
import type { Context } from '../context.ts';
import { deriveKey, sha256Hex } from '../lib/derive-key.ts';
import { base62, randomText } from '../lib/random-text.ts';
import { openSealed, seal } from '../lib/seal.ts';

/** `hf_`, 40 base62 characters, and a checksum of 6, so that a mistyped key is refused without a query. */
export function newApiKey(): string {
  const body = `hf_${randomText(40)}`;
  return body + checksum(body);
}

export function looksLikeApiKey(text: string): boolean {
  return /^hf_[0-9A-Za-z]{46}$/.test(text) && checksum(text.slice(0, -6)) === text.slice(-6);
}

export const apiKeyHash = sha256Hex;

function checksum(body: string): string {
  let text = '';
  for (let rest = crc32(body), i = 0; i < 6; i += 1, rest = Math.floor(rest / 62))
    text = base62.charAt(rest % 62) + text;
  return text;
}

/** The key as it is stored for showing it again, bound to its account. */
export function sealApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, key: string): string {
  return seal(deriveKey(secret, 'api key'), accountId, key);
}

/** Throws when the secret key of the service is not the one that the key was sealed with. */
export function openApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, sealed: string): string {
  return openSealed(deriveKey(secret, 'api key'), accountId, sealed);
}
