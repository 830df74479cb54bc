import { expect, test } from 'vitest';
import type { BlobId } from '../blobs.ts';
import { rememberLinks } from './recent-links.ts';

function openLinks(most?: number) {
  const signed: string[] = [];
  let at = 0;
  const linkOf = rememberLinks(
    async (id, lasts) => {
      signed.push(`${id} for ${lasts}`);
      return `${id} #${signed.length}`;
    },
    { now: () => at, ...(most !== undefined && { most }) },
  );
  return {
    signed,
    linkOf: (id: string, lasts: number) => linkOf(id as BlobId, lasts),
    pass: (ms: number) => (at += ms),
  };
}

test('an address is signed for twice the time, and used again while it lasts as long as a request needs', async () => {
  const { signed, linkOf, pass } = openLinks();
  expect(await linkOf('a', 100)).toBe('a #1');
  pass(100);
  expect(await linkOf('a', 100)).toBe('a #1');
  pass(1);
  expect(await linkOf('a', 100)).toBe('a #2');
  expect(await linkOf('a', 201)).toBe('a #3');
  expect(await linkOf('b', 100)).toBe('b #4');
  expect(signed).toEqual(['a for 200', 'a for 200', 'a for 402', 'b for 200']);
});

test('the address that was signed longest ago is forgotten first', async () => {
  const { linkOf } = openLinks(2);
  for (const id of ['a', 'b', 'c']) await linkOf(id, 100);
  expect(await linkOf('b', 100)).toBe('b #2');
  expect(await linkOf('c', 100)).toBe('c #3');
  expect(await linkOf('a', 100)).toBe('a #4');
});
