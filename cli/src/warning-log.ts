import { type Logger, pino } from 'pino';
import type { Progress } from './progress.ts';

/** Prefix of log messages that need an operator's attention. */
const alarm = /^ALARM: /;

export interface WarningLogOptions {
  readonly progress: Pick<Progress, 'end'>;
  /** Also print the server's ordinary warnings, such as that it waits for another process. */
  readonly all?: boolean;
}

/**
 * The log of a command: only messages that matter to its user are printed, as sentences on standard error. The rest is
 * left out, because a command prints what it did, or why it could not.
 */
export function openWarningLog({ progress, all = false }: WarningLogOptions): Logger {
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

interface Line {
  readonly level: number;
  readonly msg: string;
  readonly err?: { readonly message?: string };
  readonly [fact: string]: unknown;
}

function sentenceOf(text: string, facts: Readonly<Record<string, unknown>>, reason: string | undefined): string {
  const known = Object.entries(facts).map(([name, fact]) => `${name}: ${String(fact)}`);
  const about = known.length > 0 ? ` (${known.join(', ')})` : '';
  const because = reason === undefined ? '' : `: ${reason}`;
  return `${(text.replace(/\.$/, '') + about + because).replace(/\.$/, '')}.`;
}
