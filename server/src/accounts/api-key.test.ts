import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { base62 } from '../lib/random-text.ts';
import { looksLikeApiKey, newApiKey, openApiKey, sealApiKey } from './api-key.ts';

const secret = randomBytes(32);

test('a key is hf_ and 46 letters and digits, and keys are unique', () => {
  const keys = Array.from({ length: 1_000 }, newApiKey);
  for (const key of keys) expect(key).toMatch(/^hf_[0-9A-Za-z]{46}$/);
  expect(new Set(keys).size).toBe(1_000);
  expect(keys.every(looksLikeApiKey)).toBe(true);
});

test('one wrong character at any position makes a key invalid', () => {
  const key = newApiKey();
  const at = fc.integer({ min: 0, max: key.length - 1 });
  fc.assert(
    fc.property(at, fc.constantFrom(...base62), (place, letter) => {
      fc.pre(letter !== key[place]);
      expect(looksLikeApiKey(key.slice(0, place) + letter + key.slice(place + 1))).toBe(false);
    }),
  );
});

test.each(['', 'hf_', 'hf_0', ' hf_', `hf_${'0'.repeat(46)}`, `hf_${'0'.repeat(47)}`])('%j is invalid', (text) => {
  expect(looksLikeApiKey(text)).toBe(false);
});

test('a sealed key opens for its account, and each seal is different', () => {
  const key = newApiKey();
  const [one, two] = [sealApiKey({ secret }, 'ada', key), sealApiKey({ secret }, 'ada', key)];
  expect(one).not.toBe(two);
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain(key);
  expect(openApiKey({ secret }, 'ada', one)).toBe(key);
  expect(openApiKey({ secret }, 'ada', two)).toBe(key);
});

test('a sealed key opens only for its account, with its secret, and unchanged', () => {
  const sealed = sealApiKey({ secret }, 'ada', newApiKey());
  expect(openApiKey({ secret }, 'eve', sealed)).toBe('');
  expect(openApiKey({ secret: randomBytes(32) }, 'ada', sealed)).toBe('');
  const bytes = Buffer.from(sealed, 'base64');
  for (const at of [0, 12, 28, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
    expect(openApiKey({ secret }, 'ada', changed.toString('base64')), `byte ${at}`).toBe('');
  }
});
