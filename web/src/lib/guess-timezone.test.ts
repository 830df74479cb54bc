import { afterEach, expect, test, vi } from 'vitest';
import { guessTimezone } from './guess-timezone.ts';

afterEach(() => vi.unstubAllEnvs());

test.each([
  ['Europe/Berlin', '2026-01-15T12:00:00Z', -60, 0],
  ['Europe/Berlin', '2026-07-15T12:00:00Z', -120, 1],
  ['America/New_York', '2026-07-15T12:00:00Z', 240, 1],
  // In the southern hemisphere it is summer in January.
  ['Australia/Sydney', '2026-01-15T12:00:00Z', -660, 1],
  ['Australia/Sydney', '2026-07-15T12:00:00Z', -600, 0],
  ['Asia/Kolkata', '2026-07-15T12:00:00Z', -330, 0],
  ['UTC', '2026-07-15T12:00:00Z', 0, 0],
])('in %s at %s the offset is %i and summer time %i', (zone, moment, offset, summer) => {
  vi.stubEnv('TZ', zone);
  const { timezone_offset_minutes, is_dst } = guessTimezone(new Date(moment));
  expect(timezone_offset_minutes + 0).toBe(offset);
  expect(is_dst).toBe(summer);
});
