import { expect, test } from 'vitest';
import { openLog } from './open-log.ts';
import { readableLine } from './log-destination.ts';

/** What a terminal shows, without colors. */
function shown(write: (log: ReturnType<typeof openLog>) => void): string {
  const lines: string[] = [];
  write(openLog({ write: (line) => void lines.push(readableLine(line)) }));
  // oxlint-disable-next-line no-control-regex -- the sequences that set colors
  return lines.join('').replaceAll(/\u001b\[\d+m/g, '');
}

test('a line has the time of day, its level if it is not usual, its text and its facts', () => {
  expect(shown((log) => log.info({ port: 3000, event: 'call' }, 'the port is open'))).toMatch(
    /^\d\d:\d\d:\d\d the port is open port=3000 event=call\n$/,
  );
  expect(shown((log) => log.warn({ paths: ['/a b'] }, 'open to others'))).toMatch(
    /^\d\d:\d\d:\d\d warn open to others paths=\["\/a b"\]\n$/,
  );
});

test('an error has its stack below the line', () => {
  const error = new Error('it broke');
  expect(shown((log) => log.error({ err: error }, 'a download failed'))).toMatch(
    /^\d\d:\d\d:\d\d error a download failed\nError: it broke\n {4}at /,
  );
});

test('text from outside moves no cursor and starts no line', () => {
  const text = shown((log) => log.info({ agent: '\u001b[2Jcurl\nroot' }, 'a \u001b[31mcall'));
  expect(text).toContain('a \u{FFFD}[31mcall');
  expect(text).toContain('agent=\u{FFFD}[2Jcurl\u{FFFD}root');
});
