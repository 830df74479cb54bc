import { expect, test } from 'vitest';
import { maskSecrets, maskSecretsIn } from './mask-secrets.ts';

const key = `hf_${'aB3'.repeat(15)}z`;
const token = `${'Zk9-_'.repeat(8)}abc`;

test.each([
  ['an API key', `key ${key} refused`, 'key hf_… refused'],
  [
    'a reset link',
    `at https://holdfast.example/reset-password#key=${token}`,
    'at https://holdfast.example/reset-password#…',
  ],
  ['the query of a path', '/verify-code?email=a&code=1 failed', '/verify-code?… failed'],
  ['what stands after a #', 'https://holdfast.example/#access=abc', 'https://holdfast.example/#…'],
  ['a cookie', `Cookie: holdfast-session=${token}; theme=dark`, 'Cookie: holdfast-session=…; theme=dark'],
  ['a token alone', `no session ${token}`, 'no session …'],
  ['a code', 'the code 123456 is wrong', 'the code … is wrong'],
  ['a code at the end of a sentence', 'the code is 123456.', 'the code is ….'],
  ['an address', 'ada.kelp+1@mail.example.com is taken', '…@… is taken'],
  ["a database's password", 'postgres://ada:secret@db:5432/x is away', 'postgres://…@db:5432/x is away'],
])('%s is masked', (_what, text, masked) => expect(maskSecrets(text)).toBe(masked));

test.each([
  'SQLITE_ERROR: no such table: files',
  'https://holdfast.example/assets/index-CkQ3x9.js',
  '/opt/holdfast/server/src/accounts/guessable-passwords.ts',
  'color:#123456;width:1234567px;at 12:34:56.123456',
  "Cannot read properties of undefined (reading 'limits')",
])('%s is unchanged', (text) => expect(maskSecrets(text)).toBe(text));

test('texts are masked at any depth, and other values are unchanged', () => {
  const value = { at: 1, ok: true, none: null, list: [key, 123456, { deep: `?key=${token}` }] };
  expect(maskSecretsIn(value)).toEqual({ at: 1, ok: true, none: null, list: ['hf_…', 123456, { deep: '?…' }] });
});

test('long texts that nearly match a pattern do not hang the masking', () => {
  for (const part of ['a', '?', '?a', 'holdfast-', '//', 'a-', '#a', 'a.', 'a@'])
    expect(maskSecrets(part.repeat(300_000)).length).toBeGreaterThan(0);
});
