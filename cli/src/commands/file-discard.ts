import { discard } from '@holdfast/server/src/files/discard.ts';
import { findBytes } from '@holdfast/server/src/files/find-bytes.ts';
import type { Command } from 'commander';
import { confirm } from '../confirm.ts';
import { describe } from '../describe.ts';
import { openFor } from '../open-for.ts';
import { size } from '../words.ts';

export function addFileDiscard(group: Command): void {
  describe(group.command('discard'), {
    does: 'Remove the bytes of a file that is taken down or in quarantine from storage.',
    more:
      'Nobody can bring them back from then on. They cannot be uploaded again either, and the case goes on counting.\n' +
      'Copies in backups stay until you remove them there.',
    examples: [
      ['file discard q7Rt2mXa', 'when a case is over for good; asks for the name once more'],
      ['file discard q7Rt2mXa --yes', 'asks nothing'],
    ],
  })
    .argument('<file>', 'name, link or SHA-256')
    .option('--yes', 'do not ask')
    .action(async (named: string, { yes = false }: { readonly yes?: boolean }, command: Command) => {
      await using run = await openFor(command);
      const { context, actor, signal, out } = run;
      const bytes = await findBytes(context, named);
      const { name, sha256 } = bytes;
      await confirm(`This removes the bytes of ${name ?? sha256} for good.`, name ?? sha256, { yes, signal });
      const done = await discard(context, actor, bytes);
      out.say({ sha256, size: done.size }, `${size(done.size)} of ${name ?? sha256} are gone for good.`);
    });
}
