import { expect, test } from 'vitest';
import { calendarDay, exactTime, lastDayBefore, timeAgo } from './time.ts';

const now = Date.parse('2026-11-21T12:00:00Z');

test.each([
  ['2026-11-21T11:59:30Z', 'just now'],
  ['2026-11-21T12:00:05Z', 'just now'],
  ['2026-11-21T11:58:00Z', '2 minutes ago'],
  ['2026-11-21T09:01:00Z', '2 hours ago'],
  ['2026-11-20T11:00:00Z', '1 day ago'],
  ['2026-11-19T12:00:01Z', '1 day ago'],
  ['2026-11-18T12:00:00Z', '3 days ago'],
  ['2026-11-10T12:00:00Z', '1 week ago'],
  ['2026-09-30T12:00:00Z', '1 month ago'],
  ['2026-09-01T12:00:00Z', '2 months ago'],
  ['2024-11-23T12:00:00Z', '1 year ago'],
  ['2024-01-01T12:00:00Z', '2 years ago'],
])('%s is %s', (moment, text) => expect(timeAgo(moment, now)).toBe(text));

test("a file without an access shows 'Never'", () => expect(timeAgo(null, now)).toBe('Never'));

test('the exact time is in the given zone', () => {
  expect(exactTime('2026-11-18T13:02:09Z', 'Europe/Berlin')).toBe('18 Nov 2026, 14:02:09 CET');
  expect(exactTime('2026-11-18T13:02:09Z', 'UTC')).toBe('18 Nov 2026, 13:02:09 UTC');
});

test('a zone unknown to the browser is read as UTC', () => {
  expect(exactTime('2026-11-18T13:02:09Z', 'Sea/Atlantis')).toBe('18 Nov 2026, 13:02:09 UTC');
});

test('a day is that of the zone, or of UTC if the zone is unknown', () => {
  expect(calendarDay('2026-11-21T20:00:00Z', 'UTC')).toBe('21 November 2026');
  expect(calendarDay('2026-11-21T20:00:00Z', 'Asia/Tokyo')).toBe('22 November 2026');
  expect(calendarDay('2026-11-21T20:00:00Z', 'Sea/Atlantis')).toBe('21 November 2026');
});

test.each([
  ['2027-11-30T08:00:00Z', 'America/Los_Angeles', '29 November 2027'],
  ['2027-11-30T08:00:00Z', 'Asia/Tokyo', '29 November 2027'],
  ['2027-11-30T07:59:59Z', 'America/Los_Angeles', '28 November 2027'],
  ['2027-03-15T04:00:00Z', 'America/New_York', '14 March 2027'],
])('the last day before %s in %s is %s', (moment, zone, day) => {
  expect(lastDayBefore(moment, zone)).toBe(day);
});
