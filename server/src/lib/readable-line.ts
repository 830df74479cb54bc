/** Log lines for people: `12:04:05 warning  the database does not respond  database=holdfast`. */

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

/** Turns one line of JSON into one for a terminal, with the stack of an error below it. */
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
