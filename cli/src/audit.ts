import { emailKey } from '@holdfast/server/src/accounts/find-account.ts';
import type { Context } from '@holdfast/server/src/context.ts';
import { timeText } from '@holdfast/server/src/lib/clock.ts';
import type { Schema } from '@holdfast/server/src/storage/db/schema.ts';
import { rowsById } from '@holdfast/server/src/storage/db/batches.ts';
import type { Command } from 'commander';
import { wholeNumber } from './arguments.ts';
import { addCommand } from './add-command.ts';
import { withRun } from './run.ts';
import { cells, printable, time } from './format.ts';

interface Options {
  readonly subject?: string;
  readonly case?: string;
  readonly action?: string;
  readonly operator?: string;
  readonly limit: number;
}

export function addAudit(program: Command): void {
  addCommand(program, 'audit', {
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
        const { limit } = options;
        let shown = 0;
        const subjects = await subjectsOf(context, options.subject);
        for await (const { id: _id, ...row } of listActions(context, options, subjects)) {
          signal.throwIfAborted();
          if (limit > 0 && shown === limit) break;
          shown += 1;
          // The address is known until the account is erased.
          const named = context.db.selectFrom('accounts').select('email').where('id', '=', row.subject);
          const { email } = (await named.executeTakeFirst()) ?? {};
          const text = cells(
            [time(row.at), 20],
            [printable(row.sudo_user === null ? row.operator : `${row.operator} (${row.sudo_user})`), 10],
            [row.action, 16],
            [`${printable(email || row.subject)}${row.reference === null ? '' : ` (case ${row.reference})`}`, 24],
            [printable(row.details), 0],
          );
          const details = JSON.parse(row.details) as unknown;
          await out.row({ ...row, ...(email && { email }), at: timeText(row.at), details }, text);
        }
      }),
    );
}

/** Entries name accounts by their ids. */
async function subjectsOf({ db }: Context, subject: string | undefined): Promise<string[] | null> {
  if (subject === undefined) return null;
  const accounts = await db.selectFrom('accounts').select('id').where('email_key', '=', emailKey(subject)).execute();
  return [subject, ...accounts.map(({ id }) => id)];
}

function listActions(
  { db }: Context,
  { case: reference, action, operator }: Options,
  subjects: readonly string[] | null,
): AsyncGenerator<Schema['operator_actions']> {
  let query = db.selectFrom('operator_actions').selectAll().orderBy('id', 'desc').limit(500);
  if (subjects !== null) query = query.where('subject', 'in', subjects);
  if (reference !== undefined) query = query.where('reference', '=', reference);
  if (action !== undefined) query = query.where('action', '=', action);
  if (operator !== undefined)
    query = query.where((eb) => eb.or([eb('operator', '=', operator), eb('sudo_user', '=', operator)]));
  return rowsById((before) => (before === '' ? query : query.where('id', '<', before)).execute());
}
