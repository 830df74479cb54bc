import { loadConfig } from '@holdfast/server/src/config/config.ts';
import { findBackup } from '@holdfast/server/src/operator/backup/manifest.ts';
import { placeSecret } from '@holdfast/server/src/operator/backup/place-secret.ts';
import { restoreBackup } from '@holdfast/server/src/operator/backup/restore-backup.ts';
import type { Command } from 'commander';
import { describeCommand } from '../describe.ts';
import { Findings } from '../explain.ts';
import { count, time } from '../format.ts';
import { openCommand } from '../open-command.ts';
import { pathFromCaller } from '../settings-folder.ts';
import { nameLost, summaryOf } from './backup.ts';

export function addRestore(program: Command): void {
  describeCommand(program.command('restore'), {
    does: 'Restore a backup into an empty database, and the bytes that the storage lacks.',
    more:
      'Accounts closed and files blocked since stay so, as listed beside the backups. Everything else is as it was in\n' +
      'the backup, keys and passwords too. All sessions end. A file without bytes stays listed, and fsck names it. A\n' +
      'restore that was stopped can be repeated.',
    examples: [
      ['restore /backup', 'restores the newest backup'],
      ['restore /backup/2026-11-21T03-17-00.000Z', 'restores an earlier one'],
    ],
  })
    .argument('<folder>', 'the folder of the backups, or one of them')
    .action(async (folder: string, _options: unknown, command: Command) => {
      const backup = await findBackup(pathFromCaller(folder));
      await placeSecret(loadConfig(), backup.path, () => hasNoAccounts(command));
      await using run = await openCommand(command, 'migrate');
      const { context, actor, signal, out, progress } = run;
      const { deletions, blobs } = await restoreBackup(context, backup, {
        actor,
        signal,
        onRows: (rows) => progress.show(count(rows, 'row')),
        onBlobs: (done) => progress.show(count(done, 'blob')),
      });
      progress.end();
      nameLost(blobs);
      const rows =
        deletions === null
          ? 'The rows of the backup were restored before, and were not changed.'
          : `The service is as it was at ${time(backup.manifest.taken_at)}: keys and passwords that were changed since ` +
            `work again. Accounts closed and digests blocked since: ${deletions.toLocaleString('en')}.`;
      out.say({ folder: backup.path, ...backup.manifest, deletions, blobs }, `${rows} ${summaryOf(blobs)}`);
      if (blobs.missing.length + blobs.damaged.length > 0) throw new Findings();
    });
}

async function hasNoAccounts(command: Command): Promise<boolean> {
  await using run = await openCommand(command, 'migrate');
  return !(await run.context.db.selectFrom('accounts').select('id').limit(1).executeTakeFirst());
}
