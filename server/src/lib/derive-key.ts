import { createHash, createHmac, hkdfSync } from 'node:crypto';

export function deriveKey(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `holdfast ${purpose}`, 32));
}

export function hmacHex(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(text).digest('hex');
}

/** Never for passwords or short codes. */
export function sha256Hex(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
