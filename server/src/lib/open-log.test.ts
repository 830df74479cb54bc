import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openLog } from './open-log.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function open() {
  const lines: string[] = [];
  return { log: openLog({ write: (line) => void lines.push(line) }), lines };
}

const failureAt = (path: string): Error => new Error(`no ${path}`);

test('of equal failures five lines a minute are written, and then one with the number of the others', () => {
  const { log, lines } = open();
  for (let count = 0; count < 400; count += 1)
    log.error({ err: failureAt(`/assets/${count}`), url: `/assets/${count}` }, 'request failed');
  expect(lines).toHaveLength(5);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(6);
  expect(JSON.parse(lines[5] ?? '')).toMatchObject({
    level: 40,
    repeated: 395,
    msg: expect.stringMatching(/^and 395 more: request failed/),
  });
});

test('failures at different places, other lines and alarms about different things are all written', () => {
  const { log, lines } = open();
  for (let count = 0; count < 5; count += 1) log.error({ err: failureAt('/') }, 'request failed');
  log.error({ err: new RangeError('elsewhere') }, 'request failed');
  log.error('something else');
  for (let count = 0; count < 10; count += 1) {
    log.warn('a warning');
    log.error({ target: `file${count}` }, 'ALARM: stored bytes are missing');
  }
  expect(lines).toHaveLength(27);
  vi.advanceTimersByTime(60_000);
  expect(lines).toHaveLength(27);
});

test('the region of a node is on each line, behind what filters of the log look for', () => {
  const lines: string[] = [];
  const log = openLog({ write: (line) => void lines.push(line) }, 'Frankfurt');
  log.info({ event: 'sign-in', client: '192.0.2.7' }, 'security event');
  log.child({ database: 'replica' }).error({ err: failureAt('/a') }, 'it failed');
  expect(lines[0]).toMatch(
    /^\{"level":30,"time":\d+,"event":"sign-in","client":"192.0.2.7","region":"Frankfurt","msg"/,
  );
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ region: 'Frankfurt' });
  expect(JSON.parse(lines[1] ?? '')).toMatchObject({ database: 'replica', err: { message: 'no /a' } });
});
