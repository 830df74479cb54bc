import { describe, expect, test } from 'vitest';
import { endOfDay, lastDayBefore, lastZone } from './calendar-days.ts';

const at = (text: string) => Date.parse(text);
const text = (time: number) => new Date(time).toISOString().slice(0, 16);

describe('the end of a day', () => {
  test.each([
    ['Los Angeles', 'America/Los_Angeles', '2027-11-29T02:29Z', '2027-11-29T08:00'],
    ['New York', 'America/New_York', '2027-11-29T02:29Z', '2027-11-29T05:00'],
    ['Kolkata', 'Asia/Kolkata', '2027-11-29T02:29Z', '2027-11-29T18:30'],
    ['Auckland in summer', 'Pacific/Auckland', '2027-11-29T02:29Z', '2027-11-29T11:00'],
    ['Auckland in winter', 'Pacific/Auckland', '2027-07-29T02:29Z', '2027-07-29T12:00'],
    ['Kiritimati', 'Pacific/Kiritimati', '2027-11-29T09:59Z', '2027-11-29T10:00'],
    ['the last zone', lastZone, '2027-11-29T12:00Z', '2027-11-30T12:00'],
    ['a zone that no runtime knows', 'Mars/Olympus', '2027-11-29T12:00Z', '2027-11-30T12:00'],
    ['a day of 23 hours', 'America/New_York', '2027-03-14T06:59Z', '2027-03-15T04:00'],
    ['a day of 25 hours', 'America/New_York', '2027-11-07T04:00Z', '2027-11-08T05:00'],
    ['a day that begins at one', 'Africa/Cairo', '2027-04-29T12:00Z', '2027-04-29T22:00'],
  ])('%s', (_, zone, time, expected) => {
    expect(text(endOfDay(at(time), zone))).toBe(expected);
    expect(text(endOfDay(at(expected) - 1, zone))).toBe(expected);
    expect(endOfDay(at(expected), zone)).toBeGreaterThan(at(expected));
  });
});

test.each([
  ['America/Los_Angeles', '2027-11-05T07:30Z', 10, '2027-11-16T08:00'],
  ['America/New_York', '2027-03-10T04:30Z', 7, '2027-03-17T04:00'],
  ['Asia/Kolkata', '2027-11-05T18:29Z', 1, '2027-11-06T18:30'],
  ['Pacific/Auckland', '2027-09-20T12:30Z', 7, '2027-09-28T11:00'],
])('in %s from %s the day %i days later ends at %s', (zone, time, count, expected) => {
  expect(text(endOfDay(at(time), zone, count))).toBe(expected);
});

test('the last day before its own end is itself, and no day is named before it is over', () => {
  const end = endOfDay(at('2027-11-29T20:00Z'), 'America/Los_Angeles');
  expect(lastDayBefore(end, 'America/Los_Angeles')).toBe('29 November 2027');
  expect(lastDayBefore(end, 'Pacific/Auckland')).toBe('29 November 2027');
  expect(lastDayBefore(end - 1, 'America/Los_Angeles')).toBe('28 November 2027');
});
