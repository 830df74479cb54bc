import { expect, test } from 'vitest';
import { searchTextOf, searchWords } from './search-text.ts';

const finds = (search: string, originalName: string) => {
  const text = searchTextOf('q7Rt2mXa', originalName);
  return searchWords(search).every((word) => text.includes(word));
};

test.each([
  ['pack', 'My Pack.zip'],
  ['Q7rt', 'My Pack.zip'],
  ['отчёт', 'ОТЧЁТ за май.pdf'],
  ['ОТЧЕ\u0308Т', 'отчёт за май.pdf'],
  ['strasse', 'Straße.txt'],
  ['straße', 'STRAẞE.txt'],
  ['istanbul', 'İSTANBUL.txt'],
  ['ISPARTA', 'ısparta.txt'],
  ['οδος', 'ΟΔΟΣ.txt'],
  ['2026', '２０２６.txt'],
  ['a b', 'a\u00A0b.txt'],
])('%j finds %j', (search, originalName) => {
  expect(finds(search, originalName)).toBe(true);
});

test.each([
  ['xapack', 'pack.zip'],
  ['pack rar', 'pack.zip'],
  ['отчет', 'отчёт.pdf'],
])('%j does not find %j', (search, originalName) => {
  expect(finds(search, originalName)).toBe(false);
});

test('a repeated word is searched once, in any case, and white space is none', () => {
  expect(searchWords('\t\u00A0\u3000\uFEFF\0')).toEqual([]);
  expect(searchWords(' Pack  pack\tPACK zip\0rar ')).toEqual(['PACK', 'ZIP', 'RAR']);
});

test('the search text of the longest names fits into an index entry', () => {
  for (const letter of ['ﷺ', '🐙', 'ΐ', '㌖', 'ﬃ', 'a']) {
    const name = letter.repeat(Math.floor(255 / Buffer.byteLength(letter)));
    expect(Buffer.byteLength(searchTextOf('x'.repeat(64), name))).toBeLessThan(2_000);
  }
});

test('a name whose characters expand to phrases keeps the beginning of its text', () => {
  const text = searchTextOf('q7Rt2mXa', `${'ﷺ'.repeat(80)}.zip`);
  expect(text).toHaveLength(600);
  expect(text).toMatch(/^Q7RT2MXA /);
});
