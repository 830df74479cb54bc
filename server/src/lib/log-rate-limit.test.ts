import { expect, test, vi } from 'vitest';
import { createLogRateLimit } from './log-rate-limit.ts';

function open() {
  const [written, more]: [string[], number[]] = [[], []];
  const lines = createLogRateLimit<string>(
    (line) => void written.push(line),
    (count) => void more.push(count),
  );
  return { lines, written, more };
}

test('a key writes so many lines a minute, and the rest is counted once', () => {
  vi.useFakeTimers();
  try {
    const { lines, written, more } = open();
    for (let n = 0; n < 50; n += 1) lines.write('sign-in', { '192.0.2.1': 20 }, `flood ${n}`);
    lines.write('sign-in', { '192.0.2.2': 20 }, 'another');
    expect(written).toHaveLength(21);
    expect(written.at(-1)).toBe('another');
    expect(more).toEqual([]);
    vi.advanceTimersByTime(60_000);
    expect(more).toEqual([30]);
    lines.write('sign-in', { '192.0.2.1': 20 }, 'a minute later');
    expect(written.at(-1)).toBe('a minute later');
    lines[Symbol.dispose]();
    expect(more).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

test('all keys of a kind write at most a thousand lines a minute, and leave another kind its own thousand', () => {
  const { lines, written, more } = open();
  for (let n = 0; n < 100_000; n += 1) lines.write('call', { [`client ${n}`]: 20 }, 'line');
  expect(written).toHaveLength(1_000);
  lines.write('sign-in', { 'client 1': 20 }, 'another');
  expect(written.at(-1)).toBe('another');
  lines[Symbol.dispose]();
  expect(more).toEqual([99_000]);
});

test('a line counts for its client and for its network', () => {
  const { lines, written } = open();
  for (let n = 0; n < 100; n += 1) lines.write('call', { network: 8, [`client ${n % 3}`]: 3 }, `${n % 3}`);
  expect(written).toEqual(['0', '1', '2', '0', '1', '2', '0', '1']);
});
