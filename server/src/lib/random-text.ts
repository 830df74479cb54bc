import { randomFillSync } from 'node:crypto';

export const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Asking the system for a few bytes costs as much as for some thousands. */
const drawn = Buffer.alloc(4096);
let next = drawn.length;

/** Returns a random byte that was never returned before, and erases it, because tokens are made of them. */
function drawByte(): number {
  if (next === drawn.length) {
    randomFillSync(drawn);
    next = 0;
  }
  const byte = drawn.readUInt8(next);
  drawn.writeUInt8(0, next);
  next += 1;
  return byte;
}

/** Bytes past the last whole multiple of the alphabet are discarded, so that all characters are equally likely. */
export function randomText(length: number, alphabet: string = base62): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const byte = drawByte();
    if (byte < fair) text += alphabet[byte % alphabet.length];
  }
  return text;
}
