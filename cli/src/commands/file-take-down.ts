import { findBytes } from '@holdfast/server/src/files/find-bytes.ts';
import { takeDown, wouldTakeDown } from '@holdfast/server/src/files/take-down.ts';
import type { Command } from 'commander';
import { caseReference } from '../arguments.ts';
import { describe } from '../describe.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count } from '../words.ts';

interface Options {
  readonly case: string;
  readonly dryRun?: true;
}

export function addFileTakeDown(group: Command): void {
  describe(group.command('take-down'), {
    does: 'Remove a file, and every file of the same bytes, after a notice.',
    more: 'The links stop at once on every host, the bytes are kept under hold and cannot be uploaded again, each owner\ngets a letter, and the case counts against their accounts. file restore undoes it.',
    examples: [
      ['file take-down q7Rt2mXa --case DMCA-2026-17 --dry-run', 'says what would go'],
      ['file take-down q7Rt2mXa --case DMCA-2026-17', 'takes it down'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--case <reference>', 'your reference of the notice', caseReference)
    .option('--dry-run', 'change nothing')
    .action(async (named: string, options: Options, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, out } = run;
      const bytes = await findBytes(context, named);
      const dry = options.dryRun === true;
      const done = dry
        ? await wouldTakeDown(context, bytes)
        : await takeDown(context, noMemory, actor, bytes, options.case);
      const what = `${count(done.files, 'file')} of ${count(done.accounts, 'account')}`;
      const nothing = `No live file has these bytes; the case ${options.case} ${dry ? 'would be' : 'is'} noted.`;
      const said = `${what} ${dry ? 'would be' : 'taken'} ${dry ? 'taken down' : 'down'} for the case ${options.case}.`;
      out.say({ sha256: bytes.sha256, case: options.case, ...done, dry_run: dry }, done.files === 0 ? nothing : said);
    });
}
