import { listActions } from '@holdfast/server/src/operator/list-actions.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Command } from 'commander';
import { wholeNumber } from '../arguments.ts';
import { describeCommand } from '../describe.ts';
import { withRun } from '../open-command.ts';
import { cells, printable, time } from '../format.ts';

interface Options {
  readonly subject?: string;
  readonly case?: string;
  readonly action?: string;
  readonly operator?: string;
  readonly limit: number;
}

export function addAudit(program: Command): void {
  describeCommand(program.command('audit'), {
    does: 'List operator actions, newest first.',
    examples: [
      ['audit --subject q7Rt2mXa', 'all actions on one file'],
      ['audit --case DMCA-2026-17', 'all actions for one case'],
      ['audit --action "account delete" --limit 1000', 'the last thousand accounts that operators deleted'],
    ],
  })
    .option('--subject <text>', 'an address, the name of a file or job')
    .option('--case <reference>', 'the reference of a case')
    .option('--action <command>', "a command, such as 'file take-down'")
    .option('--operator <name>', 'the user who did it, or who called sudo for it')
    .option('--limit <n>', 'how many at most; 0 is all', wholeNumber, 100)
    .action(
      withRun(async ({ out, context, signal }, options: Options) => {
        const { subject, action, operator, limit } = options;
        let shown = 0;
        for await (const done of listActions(context, { subject, reference: options.case, action, operator })) {
          signal.throwIfAborted();
          if (limit > 0 && shown === limit) break;
          shown += 1;
          const { at, id: _id, ...rest } = done;
          const reference = done.reference === null ? '' : ` (case ${done.reference})`;
          const text = cells(
            [time(at), 20],
            [done.sudo_user === null ? done.operator : `${done.operator} (${done.sudo_user})`, 10],
            [done.action, 16],
            [`${printable(done.subject)}${reference}`, 24],
            [printable(JSON.stringify(done.details)), 0],
          );
          await out.row({ at: timeText(at), ...rest }, text);
        }
      }),
    );
}
