import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { openSealed, seal } from './seal.ts';

const key = randomBytes(32);

test('sealed text opens for its owner, and each seal is different', () => {
  const [one, two] = [seal(key, 'ada', 'Grüße 🐙'), seal(key, 'ada', 'Grüße 🐙')];
  expect(one).not.toBe(two);
  expect(Buffer.from(one, 'base64').toString()).not.toContain('Grüße');
  expect([openSealed(key, 'ada', one), openSealed(key, 'ada', two)]).toEqual(['Grüße 🐙', 'Grüße 🐙']);
});

test('a seal does not open for another owner, with another key, or after a change', () => {
  const sealed = seal(key, 'ada', 'kelp');
  expect(() => openSealed(key, 'eve', sealed)).toThrow();
  expect(() => openSealed(randomBytes(32), 'ada', sealed)).toThrow();
  for (const at of [0, 12, 28]) {
    const bytes = Buffer.from(sealed, 'base64');
    bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
    expect(() => openSealed(key, 'ada', bytes.toString('base64'))).toThrow();
  }
});
