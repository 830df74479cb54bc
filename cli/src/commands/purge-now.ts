import { recordAction } from '@holdfast/server/src/accounts/record-action.ts';
import { createBrake } from '@holdfast/server/src/maintenance/brake.ts';
import { purgeDeleted, purgeGrace } from '@holdfast/server/src/maintenance/purge.ts';
import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { describe } from '../describe.ts';
import { noMemory } from '../no-memory.ts';
import { openFor } from '../open-for.ts';
import { count, size } from '../words.ts';

interface Options {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addPurgeNow(program: Command): void {
  describe(program.command('purge-now'), {
    does: 'Remove deleted files from storage without waiting for their day of grace.',
    more:
      'For a disk that is full, or bytes that must be gone at once. What is held for a case or in quarantine stays, and so\n' +
      'do bytes that another file shares. Whatever a backup under way still needs is gone as well.',
    examples: [
      ['purge-now --dry-run', 'says what would go'],
      ['purge-now --yes', 'removes it'],
    ],
  })
    .option('--yes', 'do not ask')
    .option('--dry-run', 'change nothing')
    .action(async ({ yes = false, dryRun = false }: Options, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, signal, out } = run;
      const purge = (dry: boolean) =>
        purgeDeleted({ context, memory: noMemory, dryRun: dry, signal, brake: createBrake(null) }, 0);
      const planned = await purge(true);
      if (dryRun) return out.say({ ...planned, dry_run: true }, `${what(planned)} would go.`);
      await confirm(`This removes ${what(planned)} for good.`, 'purge', { yes, signal });
      await recordAction(context, actor, { subject: 'storage', details: { ...planned, graceMs: purgeGrace } });
      const done = await purge(false);
      out.say({ ...done, dry_run: false }, `${what(done)} removed.`);
    });
}

const what = (done: Readonly<Record<string, number>>) =>
  `${size(done['bytes'] ?? 0)} in ${count(done['blobs'] ?? 0, 'blob')}`;
