import { type Logger, pino } from 'pino';
import type { Progress } from './run.ts';

/** Prefix of log messages that need an operator's attention. */
const alarm = /^ALARM: /;

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message?: string };
  readonly [fact: string]: unknown;
}

/** The log of a command: alarms, and with `all` other warnings too, are printed as sentences on standard error. */
export function openWarningLog(progress: Pick<Progress, 'end'>, { all = false } = {}): Logger {
  return pino(
    { base: null, timestamp: false, level: 'warn' },
    {
      write(line: string) {
        const { level: _level, msg, err, ...facts } = JSON.parse(line) as Line;
        if (!all && !alarm.test(msg)) return;
        progress.end();
        process.stderr.write(`warning: ${sentenceOf(msg.replace(alarm, ''), facts, err?.message)}\n`);
      },
    },
  );
}

function sentenceOf(text: string, facts: Readonly<Record<string, unknown>>, reason: string | undefined): string {
  const known = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
  const about = known.length > 0 ? ` (${known.join(', ')})` : '';
  const because = reason === undefined ? '' : `: ${reason}`;
  return `${(text.replace(/\.$/, '') + about + because).replace(/\.$/, '')}.`;
}
