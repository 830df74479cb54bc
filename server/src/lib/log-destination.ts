import { writeSync } from 'node:fs';

/** A person reads the log in a terminal; everywhere else it is JSON, for programs. */
export const logDestination = (): { write(line: string): void } =>
  process.stderr.isTTY ? { write: (line) => standardError.write(readableLine(line)) } : standardError;

/** Milliseconds and times to wait for the reader of a full pipe. */
const [pause, tries] = [10, 10];

/** A line that cannot be written is dropped: on a full disk, or without a reader, the service has to go on. */
const standardError = {
  write(line: string): void {
    let rest = Buffer.from(line);
    for (let left = tries; rest.length > 0 && left > 0;) {
      try {
        rest = rest.subarray(writeSync(2, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
        left -= 1;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
      }
    }
  },
};

const levels: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: '',
  40: 'warning',
  50: 'error',
  60: 'fatal',
};
const red = (text: string) => `\u001b[31m${text}\u001b[39m`;
const yellow = (text: string) => `\u001b[33m${text}\u001b[39m`;
const dim = (text: string) => `\u001b[2m${text}\u001b[22m`;

/** Turns a line of JSON into `12:04:05 warning the database does not respond database=holdfast`, with any stack below. */
export function readableLine(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const name = levels[Number(level)] ?? String(level);
  const paint = Number(level) >= 50 ? red : yellow;
  const shown = [
    dim(new Date(Number(time)).toTimeString().slice(0, 8)),
    ...(name === '' ? [] : [paint(name)]),
    // A text from outside may contain sequences that move the cursor.
    printable(typeof msg === 'string' ? msg : ''),
    ...Object.entries(facts).map(([key, value]) =>
      dim(`${key}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`),
    ),
  ];
  const { stack } = (err ?? {}) as { readonly stack?: unknown };
  return `${shown.join(' ')}\n${typeof stack === 'string' ? `${stack.split('\n').map(printable).join('\n')}\n` : ''}`;
}

const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
