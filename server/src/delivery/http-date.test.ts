import { expect, test } from 'vitest';
import { formatHttpDate, parseHttpDate } from './http-date.ts';

const moment = Date.UTC(1994, 10, 6, 8, 49, 37);

test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
  'the HTTP date %s is parsed',
  (text) => expect(parseHttpDate(text)).toBe(moment),
);

test.each([
  '',
  '0',
  '784111777',
  '1994-11-06T08:49:37Z',
  'Sun, 06 Nov 1994 08:49:37',
  'Sun, 06 Nov 1994 08:49:37 CET',
  'sun, 06 nov 1994 08:49:37 gmt',
  'Sun, 6 Nov 1994 08:49:37 GMT',
  'Sun, 31 Feb 1994 08:49:37 GMT',
  'Sun, 06 Foo 1994 08:49:37 GMT',
  'Sun, 06 Nov 1994 24:49:37 GMT',
  'Sun, 06 Nov 1994 08:60:37 GMT',
  'Sun, 06 Nov 1994 08:49:37 GMT, Sun, 06 Nov 1994 08:49:37 GMT',
])('%j is not an HTTP date', (text) => expect(parseHttpDate(text)).toBeNull());

test('a two-digit year is at most 50 years ahead', () => {
  const year = new Date().getUTCFullYear();
  const inYear = (full: number) => parseHttpDate(`Monday, 01-Jan-${String(full % 100).padStart(2, '0')} 00:00:00 GMT`);
  expect(inYear(year + 50)).toBe(Date.UTC(year + 50, 0, 1));
  expect(inYear(year + 51)).toBe(Date.UTC(year - 49, 0, 1));
});

test('a formatted date parses to the same second', () => {
  expect(formatHttpDate(moment)).toBe('Sun, 06 Nov 1994 08:49:37 GMT');
  expect(parseHttpDate(formatHttpDate(moment + 999))).toBe(moment);
});
