import { sha256 } from '@noble/hashes/sha2.js';

/**
 * Hash of the challenge: SHA-256 repeated `cost` times. `crypto.subtle` could compute it, but browsers hide it on plain
 * http, which is how users reach a server on a home network.
 */
export async function deriveCaptchaKey(
  parameters: { cost: number; keyLength: number },
  salt: Uint8Array,
  password: Uint8Array,
) {
  let key = sha256(concat(salt, password));
  for (let round = 1; round < parameters.cost; round += 1) key = sha256(key);
  return { derivedKey: key.subarray(0, parameters.keyLength) };
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
