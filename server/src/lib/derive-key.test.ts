import { expect, test } from 'vitest';
import { deriveKey } from './derive-key.ts';

const secret = Buffer.from('s'.repeat(64));

test('a key depends only on its secret and its purpose', () => {
  expect(deriveKey(secret, 'api key')).toHaveLength(32);
  expect(deriveKey(secret, 'api key').equals(deriveKey(secret, 'api key'))).toBe(true);
  expect(deriveKey(secret, 'api key').equals(deriveKey(secret, 'email code'))).toBe(false);
  expect(deriveKey(Buffer.from('t'.repeat(64)), 'api key').equals(deriveKey(secret, 'api key'))).toBe(false);
});
