import { findBytes } from '@holdfast/server/src/files/find-bytes.ts';
import { quarantineByOperator } from '@holdfast/server/src/files/quarantine-by-operator.ts';
import { wouldTakeDown } from '@holdfast/server/src/files/take-down.ts';
import type { Command } from 'commander';
import { caseReference } from '../arguments.ts';
import { describe } from '../describe.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count } from '../words.ts';

interface Options {
  readonly because: string;
  readonly dryRun?: boolean;
}

export function addFileQuarantine(group: Command): void {
  describe(group.command('quarantine'), {
    does: 'Withhold a file, and every file of the same bytes, as malware.',
    more: 'What the scanner does with what it finds, on your word. file restore undoes it.',
    examples: [['file quarantine q7Rt2mXa --because "reported by abuse.example"', 'takes it from everybody']],
  })
    .argument('<file>', 'name, link or SHA-256')
    .requiredOption('--because <text>', 'what it is, or who says so', caseReference)
    .option('--dry-run', 'change nothing')
    .action(async (named: string, { because, dryRun = false }: Options, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, out } = run;
      const bytes = await findBytes(context, named);
      const done = dryRun
        ? await wouldTakeDown(context, bytes)
        : await quarantineByOperator(context, noMemory, actor, bytes, because);
      const what = `${count(done.files, 'file')} of ${count(done.accounts, 'account')}`;
      const said = `${what} ${dryRun ? 'would be quarantined' : 'quarantined'}.`;
      out.say({ sha256: bytes.sha256, because, ...done, dry_run: dryRun }, said);
    });
}
