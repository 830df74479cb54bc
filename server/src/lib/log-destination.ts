import { styleText } from 'node:util';
import { levels } from 'pino';
import { standardError } from './standard-streams.ts';

/** Readable in a terminal, JSON elsewhere. */
export const logDestination = (): { write(line: string): void } =>
  process.stderr.isTTY ? { write: (line) => standardError.write(readableLine(line)) } : standardError;

/** `12:04:05 warn the database does not respond database=holdfast`, and the stack below. */
export function readableLine(line: string): string {
  const { level, time, msg, err, ...facts } = JSON.parse(line) as Readonly<Record<string, unknown>>;
  const name = levels.labels[Number(level)] ?? String(level);
  const shown = [
    paint('dim', new Date(Number(time)).toTimeString().slice(0, 8)),
    ...(name === 'info' ? [] : [paint(Number(level) >= 50 ? 'red' : 'yellow', name)]),
    // It may contain sequences that move the cursor.
    printable(typeof msg === 'string' ? msg : ''),
    ...Object.entries(facts).map(([key, value]) =>
      paint('dim', `${key}=${printable(typeof value === 'string' ? value : JSON.stringify(value))}`),
    ),
  ];
  const { stack } = (err ?? {}) as { readonly stack?: unknown };
  return `${shown.join(' ')}\n${typeof stack === 'string' ? `${stack.split('\n').map(printable).join('\n')}\n` : ''}`;
}

const paint = (style: 'dim' | 'red' | 'yellow', text: string) => styleText(style, text, { validateStream: false });

const printable = (text: string): string => text.replaceAll(/\p{C}/gu, '\u{FFFD}');
