import { createHash, createHmac, hkdfSync } from 'node:crypto';

/** A 32-byte key for one purpose, so that no two uses of the secret can stand in for each other. */
export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `holdfast ${purpose}`, 32));
}

export function hmacHex(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** For secrets with enough randomness of their own: tokens and keys, never passwords or short codes. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
