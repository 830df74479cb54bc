import { randomBytes } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/**
 * Text of `length` characters, each drawn uniformly from `alphabet` by the system's CSPRNG. Bytes past the last whole
 * multiple of the alphabet are discarded: taking their remainder would make the first characters more likely than the
 * rest.
 */
export function randomText(length: number, alphabet: string = base62): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length * 2)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}
