import { type DestinationStream, type Logger, pino } from 'pino';

const mostEqual = 5;
const minuteMs = 60_000;
const mostKinds = 1_000;
const errorLevel = 50;

const alarms = new WeakMap<object, number>();

export const countAlarms = (log: Pick<Logger, 'error'>): number => alarms.get(log) ?? 0;

/** Of equal failures five a minute are written, because each request may cause one. */
export function openLog(destination: DestinationStream, region: string | null = null): Logger {
  const counts = new Map<string, number>();
  const log = pino(
    {
      base: null,
      // Filters rely on the beginning of a line.
      ...(region !== null && { formatters: { log: (facts: object) => ({ ...facts, region }) } }),
      hooks: {
        logMethod(args, method, level) {
          const line = readLine(args);
          if (level >= errorLevel && line.text.startsWith('ALARM')) alarms.set(log, countAlarms(log) + 1);
          if ((level < errorLevel && !line.error) || isWritten(kindOf(line))) method.apply(this, args);
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

type Line = ReturnType<typeof readLine>;

function readLine([first, second]: readonly unknown[]) {
  const isText = typeof first !== 'object' || first === null;
  const { err, ...facts } = (isText ? {} : first) as { readonly err?: unknown };
  return { text: String(isText ? first : second), facts, error: err instanceof Error ? err : null };
}

/** Texts of errors may come from the client. */
function kindOf({ text, facts, error }: Line): string {
  const kind = error ? `${text} (${placeOf(error)})` : text;
  return text.startsWith('ALARM') ? `${kind} ${JSON.stringify(facts)}` : kind;
}

function placeOf({ name, stack = '' }: Error): string {
  const frame = /^ {4}at .+$/m.exec(stack)?.[0].trim();
  return frame === undefined ? name : `${name} ${frame}`;
}
