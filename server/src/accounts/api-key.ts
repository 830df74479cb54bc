import { crc32 } from 'node:zlib';
import type { Context } from '../context.ts';
import { deriveKey, sha256Hex } from '../lib/derive-key.ts';
import { base62, randomText } from '../lib/random-text.ts';
import { openSealed, seal } from '../lib/seal.ts';

/** `hf_`, 40 base62 characters, and a 6-character checksum that rejects a mistyped key without a query. */
export function newApiKey(): string {
  const body = `hf_${randomText(40)}`;
  return body + checksum(body);
}

/** A new key for an account, and the columns that make it the valid one. */
export function renewedKey(context: Pick<Context, 'secret'>, accountId: string) {
  const key = newApiKey();
  return { key, columns: { key_hash: apiKeyHash(key), key_sealed: sealApiKey(context, accountId, key) } };
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

/** The key encrypted for later display, bound to its account. */
export function sealApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, key: string): string {
  return seal(deriveKey(secret, 'api key'), accountId, key);
}

/** Returns the key for display to its owner, or an empty string if it was sealed with a different service secret. */
export function openApiKey({ secret }: Pick<Context, 'secret'>, accountId: string, sealed: string): string {
  try {
    return openSealed(deriveKey(secret, 'api key'), accountId, sealed);
  } catch {
    return '';
  }
}

/**
 * With a different secret, keys keep working but can no longer be displayed. This check alarms the operator before
 * users report it.
 */
export async function checkSecret(context: Pick<Context, 'db' | 'secret' | 'log'>): Promise<void> {
  const newest = await context.db
    .selectFrom('accounts')
    .select(['id', 'key_sealed'])
    .where('closed_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (newest && openApiKey(context, newest.id, newest.key_sealed) === '')
    context.log.error(
      'ALARM: SECRET_KEY, or secret.key in DATA_DIR, is not the one that API keys were sealed with. They still work, but ' +
        'cannot be shown until they are changed. Put the old one back.',
    );
}
