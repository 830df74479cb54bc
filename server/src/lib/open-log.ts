import { type DestinationStream, type Logger, pino } from 'pino';

const mostEqual = 5;
const minuteMs = 60_000;
const mostKinds = 1_000;
const errorLevel = 50;

/** Lines that begin with `ALARM` so far, of each log. */
const alarms = new WeakMap<object, number>();

/** Includes those that were counted instead of written. */
export const countAlarms = (log: Pick<Logger, 'error'>): number => alarms.get(log) ?? 0;

/** A failure that each request causes would fill the disk, so of equal error lines five a minute are written. */
export function openLog(destination: DestinationStream, region: string | null = null): Logger {
  const counts = new Map<string, number>();
  const log = pino(
    {
      base: null,
      // Behind the other facts, because filters of the log rely on the beginning of a line.
      ...(region !== null && { formatters: { log: (facts: object) => ({ ...facts, region }) } }),
      hooks: {
        logMethod(args, method, level) {
          if (level >= errorLevel && textOf(args).startsWith('ALARM')) alarms.set(log, countAlarms(log) + 1);
          if (level < errorLevel || isWritten(kindOf(args))) method.apply(this, args);
        },
      },
    },
    destination,
  );
  const isWritten = (kind: string): boolean => {
    if (counts.size === 0) setTimeout(writeRest, minuteMs).unref();
    const known = counts.has(kind) || counts.size < mostKinds ? kind : 'other errors';
    const count = (counts.get(known) ?? 0) + 1;
    counts.set(known, count);
    return count <= mostEqual;
  };
  const writeRest = () => {
    const repeated = [...counts].filter(([, count]) => count > mostEqual);
    counts.clear();
    for (const [kind, count] of repeated)
      log.warn({ repeated: count - mostEqual }, `and ${count - mostEqual} more: ${kind}`);
  };
  return log;
}

/** Texts of errors and facts may come from the client, so they do not tell lines apart, but for alarms. */
function kindOf(args: readonly unknown[]): string {
  const text = textOf(args);
  const { err, ...others } = (typeof args[0] === 'object' ? (args[0] ?? {}) : {}) as { err?: unknown };
  const kind = err instanceof Error ? `${text} (${placeOf(err)})` : text;
  return kind.startsWith('ALARM') ? `${kind} ${JSON.stringify(others)}` : kind;
}

/** Facts may come before the text. */
const textOf = (args: readonly unknown[]): string => String(typeof args[0] === 'object' ? args[1] : args[0]);

function placeOf({ name, stack = '' }: Error): string {
  const frame = /^ {4}at .+$/m.exec(stack)?.[0].trim();
  return frame === undefined ? name : `${name} ${frame}`;
}
