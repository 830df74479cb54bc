import { countDeleted, purgeNow } from '@holdfast/server/src/operator/purge-now.ts';
import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { describeCommand } from '../describe.ts';
import { withRun } from '../open-command.ts';
import { count, size } from '../format.ts';

interface Options {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

export function addPurgeNow(program: Command): void {
  describeCommand(program.command('purge-now'), {
    does: 'Remove deleted files from storage without the 24-hour grace period.',
    more:
      'For a full disk, or bytes that must be removed at once. Bytes held for a case or in quarantine are kept, and so\n' +
      'are bytes that another file shares. It does not run while a backup copies bytes.',
    examples: [
      ['purge-now --dry-run', 'shows what would be removed'],
      ['purge-now --yes', 'removes it'],
    ],
  })
    .option('--yes', 'do not ask')
    .option('--dry-run', 'change nothing')
    .action(
      withRun(async ({ context, actor, signal, out }, { yes = false, dryRun = false }: Options) => {
        const planned = await countDeleted(context, signal);
        if (dryRun) return out.say({ ...planned, dry_run: true }, `${what(planned)} would be removed.`);
        await confirm(`This permanently removes ${what(planned)}.`, 'purge', { yes, signal });
        const done = await purgeNow(context, actor, planned, signal);
        out.say({ ...done, dry_run: false }, `${what(done)} removed.`);
      }),
    );
}

const what = (done: Readonly<Record<string, number>>) =>
  `${size(done['bytes'] ?? 0)} in ${count(done['blobs'] ?? 0, 'blob')}`;
