import { adoptStorage } from '@holdfast/server/src/storage/blobs/storage-owner.ts';
import { recordAction } from '@holdfast/server/src/storage/db/record-action.ts';
import type { Command } from 'commander';
import { addCommand } from './add-command.ts';
import { confirm } from './confirm.ts';
import { withRun } from './run.ts';

export function addStorage(program: Command): void {
  const group = program.command('storage').description('Tell whose the storage of BLOBS_URL is.');
  addCommand(group, 'adopt', {
    does: 'Mark a storage without a service-id as that of this service.',
    more:
      'For bytes that were copied there without the mark, or after the old storage was lost. While a disk is not\n' +
      'mounted, its empty folder looks the same: uploads into it would be hidden by the mount.',
    examples: [['storage adopt --yes', 'so that the server starts with it']],
  })
    .option('--yes', 'do not ask')
    .action(
      withRun(async ({ context, actor, signal, out }, { yes = false }: { readonly yes?: boolean }) => {
        const warning = 'From now on this service stores files there. Is that its storage, and mounted?';
        await confirm(warning, 'adopt', { yes, signal });
        const adopted = await adoptStorage(context);
        if (adopted) await recordAction(context, actor, { subject: 'storage' });
        const was = "It is already that of this service. Run 'holdfast fsck' to see what it lacks.";
        out.say({ adopted }, adopted ? "It is marked. Run 'holdfast fsck' to see what it lacks." : was);
      }),
    );
}
